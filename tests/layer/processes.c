/* A fork before OpenCL is used, children started by system(), and a program that is killed: what was proved before
 * stays.
 * expect: hello layer_processes
 * expect: hello layer_processes
 * expect: hello layer_processes
 * expect: hello layer_processes
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: kernel forked launches=1 flags=5
 * expect: kernel parent launches=1 flags=5
 * expect: kernel shell launches=1 flags=5
 * expect: kernel killed launches=1 flags=5 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static void use(const char *name, const char *source, int end) {
  host h = host_open(0);
  cl_program p = host_program(&h, source, "");
  cl_kernel k = host_kernel(p, name);
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 2);
  host_launch(&h, k, 100);
  if (end == SIGKILL) {
    CHECK(clFinish(h.queue));
    raise(SIGKILL);
  }
  printf("%s %ld, layers%s set\n", name, host_sum(&h, m, 100), end ? "" : " are not");
  fflush(stdout);
  if (end) return; /* nothing is released */
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseMemObject(m));
  host_close(&h);
}

int main(int argc, char **argv) {
  int status;
  if (argc > 1 && strcmp(argv[1], "shell") == 0) {
    use("shell", PLAIN ADD("shell"), 1);
    return 0;
  }
  if (argc > 1) {
    use("killed", PLAIN ADD("killed"), SIGKILL);
    return 0;
  }
  for (int fd = 3; fd < 1024; fd++) close(fd); /* as a daemon does */
  if (fork() == 0) {
    use("forked", PLAIN ADD("forked"), 0);
    exit(0);
  }
  wait(&status);
  use("parent", PLAIN ADD("parent"), 1);
  pid_t child = fork(); /* inherits our objects and leaves them alone */
  if (child == 0) exit(0);
  waitpid(child, &status, 0);
  printf("child %d\n", status);
  fflush(stdout);
  char command[4096];
  snprintf(command, sizeof command, "'%s' shell; '%s' killed", argv[0], argv[0]);
  printf("shell %d\n", system(command));
  return 0;
}
