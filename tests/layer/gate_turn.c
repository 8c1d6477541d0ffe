/* Schedules that come with a turn: launches that have one get it without a question, the others run in any order and
 * nothing is told of them. Launches are counted anew in each turn. In the last turn schedules are asked for.
 * env: CLTESTCHECK_WORKER=1 FAKE_TURNS=;add.0.1.8;add.0.0.8,add.0.2.8,other.1.1.4,other.1.5.4;ask
 * expect: hello layer_gate_turn
 * expect: next 0 flags=0 first=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: next 1 flags=1 first=0
 * expect: next 2 flags=1 first=0
 * expect: next 3 flags=1 first=0
 * expect: next 4 flags=1 first=0
 * expect: launch add 8/0 even=1 times=3
 * expect: launch other 4/0 even=1 times=2
 * expect: kernel add launches=12 flags=7
 * expect: kernel other launches=8 flags=5
 * expect: gated add asked=3 arrived=6
 * expect: gated other asked=2 arrived=3 */
#include "host.h"
#include "wire/turn.h"

enum { TURNS = 4 };

static host h;

/* Three launches of one kernel and two of another, in turns. */
static void do_turn(cl_program program, unsigned turn) {
  cl_int error;
  cl_kernel add = host_kernel(program, "add"), other = host_kernel(program, "other");
  cl_mem m = host_buffer(&h, 32), n = host_buffer(&h, 16);
  h.queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error);
  for (int i = 0; i < 3; i++) {
    host_arguments(add, m, i == 0 ? 7 : 3);
    host_launch(&h, add, 8);
    host_arguments(other, n, 1);
    if (i < 2) host_launch(&h, other, 4);
  }
  printf("turn %u: %ld %ld\n", turn, host_sum(&h, m, 8), host_sum(&h, n, 4));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseKernel(other));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(n));
  CHECK(clReleaseCommandQueue(h.queue));
}

/* NULL without a layer. */
static const replay_functions *functions(void) {
  const void *address = clGetExtensionFunctionAddressForPlatform(h.platform, REPLAY_FUNCTION);
  return address;
}

int main(void) {
  h = host_open(0);
  CHECK(clReleaseCommandQueue(h.queue));
  const replay_functions *f = functions();
  cl_program program = NULL;
  replay_result result = {0};
  replay_turn turn;
  for (unsigned i = 0; f ? f->next(&result, &turn) : i < TURNS; i++) {
    program = program ? program : host_program(&h, PLAIN GATED_ADD("add", "0") GATED_ADD("other", "0"), "");
    if (f) f->begin(0);
    do_turn(program, i);
    result.complete = true;
  }
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseContext(h.context));
  return 0;
}
