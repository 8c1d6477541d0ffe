// Options that are put together piece by piece, and texts that change afterwards.
//o appended: -I. -DSIDE=16 -DDEPTH=3
//o copied: -DWIDTH=8 -DNAME=5
//n changed: -DN=4
#include "program.h"

static void launch(const char *name) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

int main(void) {
  char options[100];
  sprintf(options, "-I.");
  sprintf(options + strlen(options), " -DSIDE=%d", 16);
  sprintf(&options[strlen(options)], " -DDEPTH=%d", 3);
  device(options);
  launch("appended");
  char copied[100];
  strcpy(copied, "-DWIDTH=8");
  strcat(copied, " -DNAME=5");
  device(copied);
  launch("copied");
  char changed[100];
  sprintf(changed, "-DN=%d", 4);
  changed[4] = '8'; /* and not 4 */
  device(changed);
  launch("changed");
  return 0;
}
