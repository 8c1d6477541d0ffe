/* A program for losses.sh: it ends, stops or fails in ways that lose evidence or make others wait.
 *
 *   losses_host WAY [ARGUMENTS]
 *
 * Ways of a client of the socket that keeps no rules, without OpenCL: "deaf" asks and never reads the answer, "half"
 * never sends the rest of a message, "chatter" sends notes without end, "slow" reads a byte a second, "escapes" sends
 * text that a terminal would obey; "daemon-deaf" does the first of them in a daemon.
 *
 * Ways of programs with OpenCL: "unfinished" finishes one kernel, enqueues another and returns from main while that is
 * compiled, "unfinished-thread" does so in a thread that has ended by then. "sometimes FILE PATTERN" crashes with a
 * launch under way in those runs whose digit of PATTERN is 1, and counts its runs in FILE. "closes" closes all
 * descriptors between two launches, "leaves" makes two and ends by _exit before the second is waited for, "daemon"
 * leaves two launches to a daemon, "daemon-stays" makes them as well, and the daemon stays where they go wrong;
 * "daemon-idles" builds a kernel and leaves a daemon that launches nothing. "refused" makes ten launches with a work-group size that does not divide the global
 * one and a read beyond the end of a buffer; "refused also" makes one that is right before. "wild" launches one kernel,
 * then another that writes far out of bounds. "faulty FILE LETTERS" does in each run what its letter says (the last one's for
 * the rest): the second of three launches leaves its buffer (e) or none does (r), barriers diverge (d), the same as e and then it hangs (h), having waited for nothing (w); before
 * the second launch it crashes (s), ends with 7 (x), hangs (i). */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/layer/host.h"
#include "wire/protocol.h"

/* --- the socket --- */

enum { LARGE = 4 << 20 }; /* more than sockets hold */

static unsigned char text[LARGE + 4096];
static size_t length;

static void put(uint32_t value) {
  for (int i = 0; i < 4; i++) text[length++] = (unsigned char)(value >> (8 * i));
}

static void put_string(const char *s) {
  put((uint32_t)strlen(s));
  memcpy(text + length, s, strlen(s));
  length += strlen(s);
}

static void begin(uint32_t type) {
  length = 0;
  put(type);
  put(0);
}

static void end(int fd) {
  uint32_t body = (uint32_t)length - 8;
  for (int i = 0; i < 4; i++) text[4 + i] = (unsigned char)(body >> (8 * i));
  for (size_t sent = 0; sent < length;) {
    ssize_t n = send(fd, text + sent, length - sent, MSG_NOSIGNAL);
    if (n <= 0) exit(4);
    sent += (size_t)n;
  }
}

static int hello(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = getenv(ENV_SOCKET);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (!path) /* no driver: nothing to do to it */
    exit(0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) exit(4);
  begin(MESSAGE_HELLO);
  put(PROTOCOL_VERSION);
  put((uint32_t)getpid());
  put_string("/nowhere/losses_host");
  end(fd);
  return fd;
}

/* A program with a table of long numbers. */
static void ask(int fd) {
  static char source[LARGE];
  size_t at = (size_t)sprintf(source, "__constant float t[] = {\n");
  while (at < LARGE / 2) at += (size_t)sprintf(source + at, "0.%0200df,\n", 1);
  strcpy(source + at, "1};\n__kernel void k(__global float *a) { a[0] = t[1]; }\n");
  begin(MESSAGE_INSTRUMENT);
  put_string("device\nvendor\n1\nOpenCL C 1.2");
  put_string("/");
  put(1);
  put_string(source);
  put_string("");
  put(0); /* headers */
  put(0); /* linked */
  put_string("");
  put(0); /* others */
  put(0); /* facts */
  end(fd);
}

static void sleep_on(void) {
  for (;;) pause();
}

static void deaf(void) {
  ask(hello());
  sleep_on();
}

static void slow(void) {
  int fd = hello();
  char byte;
  ask(fd);
  while (recv(fd, &byte, 1, 0) == 1) sleep(1);
}

static void half(void) {
  int fd = hello();
  begin(MESSAGE_NOTE);
  put(NO_PROGRAM);
  if (send(fd, text, 10, 0) != 10) exit(4);
  sleep_on();
}

static void chatter(void) {
  int fd = hello();
  for (;;) {
    begin(MESSAGE_NOTE);
    put(NO_PROGRAM);
    put_string("a note");
    end(fd);
  }
}

/* Messages with text that a terminal would obey. */
static void escapes(void) {
  int fd = hello();
  begin(MESSAGE_NOTE);
  put(NO_PROGRAM);
  put_string("a note \033[31m\033]0;title\007 of the layer");
  end(fd);
  begin(MESSAGE_SKIPPED);
  put_string("program\033[2J");
  put_string("reason \033[31m of the layer");
  end(fd);
  begin(MESSAGE_CALL_REFUSED);
  put_string("clEnqueueNDRangeKernel");
  put_string("kernel\033[2J");
  put((uint32_t)-54);
  put_string("detail \033[31m of the layer");
  put(3);
  put(0);
  put_string("");
  put(0);
  put(0);
  end(fd);
  begin(MESSAGE_FAILED);
  put_string("kernel \033[31m source");
  put_string("/folder\033[31m");
  put_string("error: log \033[31m of the layer");
  end(fd);
}

/* Leaves the process group and the terminal, as daemons do; returns in the daemon. */
static void become_daemon(void) {
  if (fork() != 0) _exit(0);
  setsid();
  if (fork() != 0) _exit(0);
}

static void daemon_deaf(void) {
  become_daemon();
  deaf();
}

static char **arguments; /* after the way */

/* --- OpenCL --- */

/* Takes compilers a while, and the device little. */
#define STEP(n)                                                                               \
  "  for (int j = 0; j < v % 7; j++) {\n    f += sin(f) * pow(f, (float)j);\n    v = v * " #n \
  " + j;\n  }\n"                                                                              \
  "  shared[i] = v;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  v ^= shared[(i + " #n ") % 64];\n"
#define LARGE_KERNEL                                                                                       \
  "__kernel void large(__global int *a, int n) {\n  __local int shared[64];\n  int i = get_local_id(0);\n" \
  "  int v = a[i] + n;\n  float f = v;\n" STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) "  a[i] = v + (int)f;\n}\n"
#define SMALL_KERNEL "__kernel void small(__global int *a, int n) {\n  a[get_global_id(0)] += n;\n}\n"

/* Of the program's own: it runs after the driver's destructors. */
static void linger(void) { usleep(500000); }

static void *unfinished(void *ignored) {
  atexit(linger);
  host h = host_open(0);
  cl_program p = host_program(&h, SMALL_KERNEL LARGE_KERNEL, "");
  cl_kernel first = host_kernel(p, "small"), second = host_kernel(p, "large");
  cl_mem m = host_buffer(&h, 64 * sizeof(int));
  host_arguments(first, m, 4);
  host_launch(&h, first, 64);
  CHECK(clFinish(h.queue));
  host_arguments(second, m, 5);
  host_launch(&h, second, 64);
  clFlush(h.queue);
  puts("enqueued");
  return ignored;
}

static void unfinished_here(void) { unfinished(NULL); }

static void unfinished_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, unfinished, NULL) != 0) exit(4);
  pthread_join(thread, NULL);
}

static size_t count_run(const char *path) {
  FILE *f = fopen(path, "a");
  if (!f || fputc('.', f) == EOF || fflush(f) != 0) exit(4);
  size_t count = (size_t)ftell(f) - 1;
  fclose(f);
  return count;
}

static void sometimes(void) {
  host h = host_open(0);
  size_t run = count_run(arguments[0]);
  bool crash = run < strlen(arguments[1]) && arguments[1][run] == '1';
  cl_program p = host_program(&h, SMALL_KERNEL LARGE_KERNEL, "");
  cl_kernel k = host_kernel(p, "small");
  cl_mem m = host_buffer(&h, 64 * sizeof(int));
  host_arguments(k, m, 4);
  host_launch(&h, k, 64);
  if (crash) {
    signal(SIGSEGV, SIG_DFL); /* drivers handle it */
    raise(SIGSEGV);
  }
  printf("%ld\n", host_sum(&h, m, 64));
}

/* Returns the sum of 64 numbers to which 4 was added twice. */
static long launch_twice(void (*between)(void)) {
  host h = host_open(0);
  cl_program p = host_program(&h, SMALL_KERNEL LARGE_KERNEL, "");
  cl_kernel k = host_kernel(p, "small");
  cl_mem m = host_buffer(&h, 64 * sizeof(int));
  host_arguments(k, m, 4);
  for (int i = 0; i < 2; i++) {
    host_launch(&h, k, 64);
    CHECK(clFinish(h.queue));
    if (between && i == 0) between();
  }
  const long sum = host_sum(&h, m, 64);
  printf("%ld\n", sum);
  return sum;
}

static void close_all(void) {
  for (int fd = 3; fd < 1024; fd++) close(fd);
}

static void closes(void) { (void)launch_twice(close_all); }

/* Ends by _exit with the second of two launches not waited for. */
static void leaves(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, SMALL_KERNEL LARGE_KERNEL, "");
  cl_kernel k = host_kernel(p, "small");
  cl_mem m = host_buffer(&h, 64 * sizeof(int));
  host_arguments(k, m, 4);
  host_launch(&h, k, 64);
  CHECK(clFinish(h.queue));
  host_launch(&h, k, 64);
  _exit(0);
}

static void daemon_works(void) {
  become_daemon();
  sleep(1); /* when its parent has ended */
  (void)launch_twice(NULL);
  fflush(stdout);
}

/* The daemon works beside the program, and stays where the sum is wrong. */
static void daemon_stays(void) {
  const bool daemon = fork() == 0;
  if (daemon) setsid();
  const bool wrong = launch_twice(NULL) != 64L * 8;
  if (daemon) sleep(wrong ? 60 : 1);
  _exit(wrong);
}

/* Its context and its kernel are there when it becomes a daemon, which launches nothing. */
static void daemon_idles(void) {
  host h = host_open(0);
  (void)host_kernel(host_program(&h, SMALL_KERNEL, ""), "small");
  sleep(1); /* builds of the layer go on beside the program */
  become_daemon();
  sleep(60);
}

static void refused(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, SMALL_KERNEL LARGE_KERNEL, "");
  cl_kernel k = host_kernel(p, "small");
  cl_mem m = host_buffer(&h, 64 * sizeof(int));
  const size_t global = 60, local = 64;
  int value;
  host_arguments(k, m, 4);
  if (arguments[0]) host_launch(&h, k, 64);
  for (int i = 0; i < 10; i++)
    printf("%d\n", clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  const char *wrong = "__kernel void wrong(", *calls = "void other(void); __kernel void lonely(void) { other(); }";
  cl_program uncompiled = clCreateProgramWithSource(h.context, 1, &wrong, NULL, NULL);
  cl_program unlinked = clCreateProgramWithSource(h.context, 1, &calls, NULL, NULL);
  cl_int error = CL_SUCCESS;
  printf("%d\n", clCompileProgram(uncompiled, 0, NULL, "-DA", 0, NULL, NULL, NULL, NULL));
  clLinkProgram(h.context, 0, NULL, "", 1, &unlinked, NULL, NULL, &error);
  printf("%d\n", error);
  printf("%d\n", clEnqueueReadBuffer(h.queue, m, CL_TRUE, 64 * sizeof(int), sizeof value, &value, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
}

static void wild(void) {
  static int large[1 << 24]; /* the buffer is its beginning */
  cl_int error;
  host h = host_open(0);
  cl_program p =
      host_program(&h, SMALL_KERNEL "__kernel void wild(__global int *a, int n) { a[(size_t)n << 20] = n; }\n", "");
  cl_kernel k = host_kernel(p, "small"), out = host_kernel(p, "wild");
  cl_mem m = clCreateBuffer(h.context, CL_MEM_USE_HOST_PTR, 64 * sizeof(int), large, &error);
  CHECK(error);
  host_arguments(k, m, 4);
  host_arguments(out, m, 5);
  host_launch(&h, k, 64);
  host_launch(&h, out, 64);
  printf("%ld\n", host_sum(&h, m, 64));
}

static void faulty(void) {
  const size_t run = count_run(arguments[0]), last = strlen(arguments[1]) - 1;
  const char letter = arguments[1][run < last ? run : last];
  host h = host_open(0);
  cl_program p = host_program(&h,
                              "__kernel void put(__global int *a, int n) {\n"
                              "  if (get_global_id(0) < n)\n    a[get_global_id(0)] = n;\n}\n"
                              "__kernel void part(__global int *a, int n) {\n"
                              "  if (get_global_id(0) >= n)\n    return;\n"
                              "  barrier(CLK_GLOBAL_MEM_FENCE);\n  a[get_global_id(0)] = n;\n}\n",
                              "");
  cl_kernel k = host_kernel(p, letter == 'd' ? "part" : "put");
  cl_mem m = host_buffer(&h, 64 * sizeof(int));
  for (int i = 0; i < 3; i++) {
    if (i == 1 && letter == 's') {
      signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    }
    if (i == 1 && letter == 'x') exit(7);
    if (i == 1 && letter == 'i') sleep(60);
    host_arguments(k, m, letter == 'd' ? 60 : i == 1 && strchr("ehw", letter) ? 65 : 64);
    host_launch(&h, k, 128);
    CHECK((letter == 'w' ? clFlush : clFinish)(h.queue));
    usleep(200000); /* else what the next launch did is not always asked for when it has ended */
  }
  if (letter == 'h' || letter == 'w') sleep(60);
  puts("done");
}

static const struct {
  const char *name;
  void (*run)(void);
} ways[] = {
    {"deaf", deaf},
    {"slow", slow},
    {"half", half},
    {"escapes", escapes},
    {"chatter", chatter},
    {"daemon-deaf", daemon_deaf},
    {"unfinished", unfinished_here},
    {"unfinished-thread", unfinished_thread},
    {"sometimes", sometimes},
    {"closes", closes},
    {"leaves", leaves},
    {"daemon", daemon_works},
    {"daemon-stays", daemon_stays},
    {"daemon-idles", daemon_idles},
    {"refused", refused},
    {"wild", wild},
    {"faulty", faulty},
};

int main(int argc, char **argv) {
  arguments = argv + 2;
  for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(argv[1], ways[i].name) == 0) {
      ways[i].run();
      return 0;
    }
  return 64;
}
