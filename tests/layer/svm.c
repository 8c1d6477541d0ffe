/* Shared virtual memory: pointers reach the twin, also the one that needs no slots.
 * env: CLTESTCHECK_SLOTS_CAP=4096
 * expect: hello layer_svm
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel add launches=3 flags=7 direct */
#include "host.h"

int main(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, PLAIN ADD("add"), "");
  cl_kernel k = host_kernel(p, "add");
  size_t bytes = 40000;
  int *a = clSVMAlloc(h.context, CL_MEM_READ_WRITE, bytes, 0), *b = clSVMAlloc(h.context, CL_MEM_READ_WRITE, bytes, 0);
  int n = 6;
  TRUE_(a && b);
  CHECK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_WRITE, a, bytes, 0, NULL, NULL));
  memset(a, 0, bytes);
  CHECK(clEnqueueSVMUnmap(h.queue, a, 0, NULL, NULL));
  CHECK(clSetKernelArgSVMPointer(k, 0, a));
  CHECK(clSetKernelArg(k, 1, sizeof n, &n));
  void *used[] = {b};
  printf("exec info %d\n", clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used));
  host_launch(&h, k, 10000);
  host_launch(&h, k, 100);
  n = 2;
  CHECK(clSetKernelArg(k, 1, sizeof n, &n));
  host_launch(&h, k, 10000);
  CHECK(clEnqueueSVMMemcpy(h.queue, CL_TRUE, b, a, bytes, 0, NULL, NULL));
  long sum = 0;
  CHECK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_READ, b, bytes, 0, NULL, NULL));
  for (size_t i = 0; i < bytes / sizeof *b; i++) sum += b[i];
  CHECK(clEnqueueSVMUnmap(h.queue, b, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  printf("svm %ld\n", sum);
  clSVMFree(h.context, a);
  clSVMFree(h.context, b);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseProgram(p));
  host_close(&h);
  return 0;
}
