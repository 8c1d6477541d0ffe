/* The program ends without having waited for anything or released anything; a kernel was never launched.
 * expect: hello layer_exit
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel add launches=2 flags=7
 * expect: kernel never launches=0 flags=0 */
#include <unistd.h>

#include "host.h"

int main(int argc, char **argv) {
  (void)argv;
  host h = host_open(0);
  cl_int error;
  cl_program p = host_program(&h, PLAIN ADD("add") ADD("never"), "");
  cl_kernel k = host_kernel(p, "add"), never = host_kernel(p, "never");
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 4);
  host_launch(&h, k, 100);
  host_arguments(k, m, 8);
  host_launch(&h, k, 100);
  cl_context other = clCreateContext(NULL, 1, &h.device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  cl_event gate = clCreateUserEvent(other, &error);
  (void)gate;
  (void)queue;
  (void)never;
  printf("end %d\n", argc);
  usleep(1000000); /* PoCL by itself may crash when a program ends under its feet */
  return 0;
}
