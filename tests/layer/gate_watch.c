/* Watched launches: the gate record lies in a file, with a word for each work-group. The file shows how far a kernel
 * came whose process was killed; a launch that cannot have the file has a record of its own.
 * plain: alone
 * expect: hello layer_gate_watch
 * expect: hello layer_gate_watch
 * expect: hello layer_gate_watch
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: built
 * expect: kernel endless launches=0 flags=0
 * expect: kernel brief launches=42 flags=1
 * expect: gated endless asked=1 arrived=0
 * expect: gated brief asked=42 arrived=42
 * expect: launch endless 64/8 even=1 times=1
 * expect: launch brief 64/8 even=1 times=41
 * expect: launch brief 5/0 even=1 times=1 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define RECORD 16
#define GROUPS 8

/* Every work-group says in its word that it runs (1) and that it has ended; group 3 never does. */
static const char *const source =
    "//@options -DCLTC_WATCH\n"
    "//@gated endless 1 2 2\n//@gated brief 1 2 2\n"
    "#ifdef HIDDEN\n"
    "#define IN GATED; GATED_HIT(0); if (get_local_id(0) == 0) cltc_record[16 + get_group_id(0)]++;\n"
    "#define OUT if (get_local_id(0) == get_local_size(0) - 1) cltc_record[16 + get_group_id(0)] += 100;\n"
    "#define SPIN while (get_group_id(0) == 3 && ((volatile __global uint *)cltc_record)[14] == 0) ;\n"
    "#else\n"
    "#define IN\n#define OUT\n#define SPIN\n"
    "#endif\n" PLAIN
    "__kernel void endless(__global int *a, int n HIDDEN) {\n  IN SPIN a[get_global_id(0)] += n; OUT\n}\n"
    "__kernel void brief(__global int *a, int n HIDDEN) {\n  IN a[get_global_id(0)] += n; OUT\n}\n";

static const size_t items = 64, group = 8;

static void endless(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, source, "");
  cl_kernel k = host_kernel(p, "endless");
  cl_mem m = host_buffer(&h, 256);
  host_arguments(k, m, 1);
  CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, &group, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  sleep(60);
}

/* A process that comes later does not get the file. */
static void meanwhile(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, source, "");
  cl_kernel k = host_kernel(p, "brief");
  cl_mem m = host_buffer(&h, 256);
  host_arguments(k, m, 1);
  CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, &group, 0, NULL, NULL));
  printf("meanwhile %ld\n", host_sum(&h, m, 64));
  exit(0);
}

static void killed(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    endless();
    _exit(0);
  }
  sleep(2);
  pid_t other = fork();
  if (other == 0) meanwhile();
  waitpid(other, &status, 0);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  printf("signal %d\n", WTERMSIG(status));
}

/* The words of the file; `alone`: there is no layer, and no file. */
static void show(const char *what, int alone, const unsigned *want, int count) {
  const char *path = getenv("CLTESTCHECK_WATCH");
  unsigned words[RECORD + GROUPS + 1] = {0};
  FILE *f = alone || !path ? NULL : fopen(path, "rb");
  int differ = f ? 0 : 2 * !alone;
  size_t size = f ? fread(words, sizeof *words, RECORD + GROUPS + 1, f) : 0;
  if (f) fclose(f);
  for (int i = 0; f && i < count; i++) /* groups that did not begin are 0 */
    differ += words[RECORD + i] != want[i] && (want[i] == 1 || words[RECORD + i]);
  if (f && size != (size_t)(RECORD + count)) differ += 1000;
  printf("%s: %d differ\n", what, differ);
}

/* Launches side by side: one of them has the file. */
static void brief(int alone) {
  const unsigned all[GROUPS] = {101, 101, 101, 101, 101, 101, 101, 101};
  host h = host_open(0);
  cl_program p = host_program(&h, source, "");
  cl_kernel k = host_kernel(p, "brief");
  cl_mem m = host_buffer(&h, 256);
  host_arguments(k, m, 1);
  for (int i = 0; i < 40; i++) CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, &group, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  show("brief", alone, all, GROUPS);
  sleep(1); /* drivers give memory back, and with it the file, some time after the commands have ended */
  const size_t five = 5;
  CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &five, NULL, 0, NULL, NULL));
  printf("sum %ld\n", host_sum(&h, m, 64));
  const char *path = getenv("CLTESTCHECK_WATCH");
  struct stat s = {.st_size = (RECORD + 5) * 4};
  printf("size %d\n", !alone && path ? stat(path, &s) : 0);
  printf("%ld\n", (long)s.st_size);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseProgram(p));
  host_close(&h);
}

int main(int argc, char **argv) {
  (void)argv;
  const unsigned stuck[GROUPS] = {101, 101, 101, 1, 101, 101, 101, 101};
  killed();
  show("killed", argc > 1, stuck, GROUPS);
  fflush(stdout);
  brief(argc > 1);
  return 0;
}
