/* Programs for threads.sh: threads that use OpenCL at the same time.
 *
 *   threads_host WAY THREADS KERNELS [serial]
 *
 * Prints the sum of all that is read, the same in every run but for those with a race. With `serial` the same work is done
 * by one thread, one piece after the other. Threads begin each of their pieces at random times. `all`: the steady
 * ways, one after the other. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "tests/layer/host.h"

enum { COUNT = 64, BYTES = COUNT * 4, MOST = 64, SOURCE = 512 };

static struct {
  int threads, kernels;
  bool serial;
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;     /* of all threads but in `contexts` */
  cl_command_queue queue; /* of all threads in `queue` */
  int got[MOST * MOST][COUNT];
} all;

/* --- pieces -------------------------------------------------------------------------------------------------------- */

static void dawdle(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!all.serial) usleep((useconds_t)(now.tv_nsec / 64 % 1500));
}

static cl_context make_context(void) {
  cl_int status;
  cl_context made = clCreateContext(NULL, 1, &all.device, NULL, NULL, &status);
  CHECK(status);
  return made;
}

static cl_command_queue make_queue(cl_context context) {
  cl_int status;
  cl_command_queue made = clCreateCommandQueue(context, all.device, 0, &status);
  CHECK(status);
  return made;
}

static cl_mem make_buffer(cl_context context, int seed) {
  int data[COUNT];
  for (int i = 0; i < COUNT; i++) data[i] = (i * 7 + seed * 13) % 101;
  cl_int status;
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, data, &status);
  CHECK(status);
  return made;
}

static cl_kernel make_kernel(cl_context context, const char *name, const char *text) {
  char source[SOURCE];
  snprintf(source, sizeof source,
           "kernel void %s(global int *a, int n) {\n  int i = get_global_id(0);\n  if (i < n)\n    a[i] = %s;\n}\n",
           name, text);
  const char *lines = source;
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, &lines, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(program, 1, &all.device, "", NULL, NULL));
  cl_kernel made = clCreateKernel(program, name, &status);
  CHECK(status);
  CHECK(clReleaseProgram(program));
  return made;
}

/* The kernel number `k`, which all threads have alike. */
static cl_kernel numbered_kernel(cl_context context, int k) {
  char name[16], text[64];
  snprintf(name, sizeof name, "t%d", k);
  snprintf(text, sizeof text, "a[i] * %d + i", k + 3);
  return make_kernel(context, name, text);
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_mem memory, cl_uint waits, const cl_event *wait,
                   cl_event *event) {
  const size_t global = COUNT, local = COUNT / 4;
  const cl_int n = COUNT - 3;
  CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  CHECK(clSetKernelArg(kernel, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, waits, wait, event));
}

/* Builds, launches and reads; `slot` says which data. */
static void piece(cl_context context, cl_command_queue queue, cl_kernel kernel, int slot) {
  cl_mem memory = make_buffer(context, slot);
  dawdle();
  launch(queue, kernel, memory, 0, NULL, NULL);
  dawdle();
  CHECK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, BYTES, all.got[slot], 0, NULL, NULL));
  CHECK(clReleaseMemObject(memory));
  CHECK(clReleaseKernel(kernel));
}

/* --- threads ------------------------------------------------------------------------------------------------------- */

typedef void *(*work)(void *number);

static int number_of(const void *number) { return (int)(intptr_t)number; }

static void run_threads(work does) {
  pthread_t threads[MOST];
  for (int w = 0; w < all.threads; w++)
    if (all.serial)
      does((void *)(intptr_t)w);
    else
      pthread_create(&threads[w], NULL, does, (void *)(intptr_t)w);
  for (int w = 0; w < all.threads && !all.serial; w++) pthread_join(threads[w], NULL);
}

static void pieces(int w, cl_context context, cl_command_queue queue) {
  for (int k = 0; k < all.kernels; k++) piece(context, queue, numbered_kernel(context, k), w * all.kernels + k);
}

static void *with_context(void *number) {
  cl_context context = make_context();
  cl_command_queue queue = make_queue(context);
  pieces(number_of(number), context, queue);
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));
  return NULL;
}

static void *with_queue(void *number) {
  cl_command_queue queue = make_queue(all.context);
  pieces(number_of(number), all.context, queue);
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

static void *with_shared_queue(void *number) {
  pieces(number_of(number), all.context, all.queue);
  return NULL;
}

/* Two programs have a kernel of one name. */
static void *with_one_name(void *number) {
  const int w = number_of(number);
  cl_command_queue queue = make_queue(all.context);
  for (int k = 0; k < all.kernels; k++)
    piece(all.context, queue, make_kernel(all.context, "same", w % 2 ? "a[i] * 3" : "a[i] + 5"), w * all.kernels + k);
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

/* Work-items read what those of other work-groups write. */
static void *with_race(void *number) {
  const int w = number_of(number);
  cl_command_queue queue = make_queue(all.context);
  for (int k = 0; k < all.kernels; k++)
    piece(all.context, queue, make_kernel(all.context, "shift", "a[(i + 16) % 64]"), w * all.kernels + k);
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

static void contexts(void) { run_threads(with_context); }
static void queues(void) { run_threads(with_queue); }
static void queue(void) { run_threads(with_shared_queue); }
static void racy(void) { run_threads(with_race); }
static void names(void) { run_threads(with_one_name); }

/* Whichever thread is free takes the next piece. */
static void openmp(void) {
  const int count = all.threads * all.kernels, threads = all.serial ? 1 : all.threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int slot = 0; slot < count; slot++) {
    cl_command_queue queue = make_queue(all.context);
    piece(all.context, queue, numbered_kernel(all.context, slot % all.kernels), slot);
    CHECK(clReleaseCommandQueue(queue));
  }
  (void)threads;
}

/* --- handed from thread to thread ---------------------------------------------------------------------------------- */

/* A buffer under way: each thread launches a kernel after `last`, reads, and hands it on. */
typedef struct parcel {
  cl_mem memory;
  cl_event last;
  int number, hops;
} parcel;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t news;
  parcel *boxes[MOST][MOST];
  int come[MOST], taken[MOST], left;
} post = {.lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

static void hand(int to, parcel *p) {
  pthread_mutex_lock(&post.lock);
  post.boxes[to][post.come[to]++ % MOST] = p;
  pthread_cond_broadcast(&post.news);
  pthread_mutex_unlock(&post.lock);
}

static parcel *receive(int w) {
  parcel *p = NULL;
  pthread_mutex_lock(&post.lock);
  while (post.left > 0 && post.come[w] == post.taken[w]) pthread_cond_wait(&post.news, &post.lock);
  if (post.come[w] > post.taken[w]) p = post.boxes[w][post.taken[w]++ % MOST];
  pthread_mutex_unlock(&post.lock);
  return p;
}

static void arrived(void) {
  pthread_mutex_lock(&post.lock);
  post.left--;
  pthread_cond_broadcast(&post.news);
  pthread_mutex_unlock(&post.lock);
}

static void hop(cl_command_queue queue, parcel *p) {
  cl_kernel kernel = numbered_kernel(all.context, p->hops);
  cl_event launched, read;
  dawdle();
  launch(queue, kernel, p->memory, p->last != NULL ? 1 : 0, p->last != NULL ? &p->last : NULL, &launched);
  CHECK(clEnqueueReadBuffer(queue, p->memory, CL_FALSE, 0, BYTES, all.got[p->number * all.kernels + p->hops], 1,
                            &launched, &read));
  CHECK(clFlush(queue));
  if (p->last != NULL) CHECK(clReleaseEvent(p->last));
  CHECK(clReleaseEvent(launched));
  CHECK(clReleaseKernel(kernel));
  p->last = read;
  p->hops++;
}

static void *carrier(void *number) {
  const int w = number_of(number);
  cl_command_queue queue = make_queue(all.context);
  for (parcel *p; (p = receive(w)) != NULL;) {
    hop(queue, p);
    if (p->hops < all.kernels)
      hand((w + 1) % all.threads, p);
    else
      arrived();
  }
  CHECK(clFinish(queue));
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

static void handed(void) {
  static parcel parcels[MOST];
  for (int n = 0; n < all.threads; n++) parcels[n] = (parcel){.memory = make_buffer(all.context, n), .number = n};
  if (all.serial) {
    cl_command_queue queue = make_queue(all.context);
    for (int n = 0; n < all.threads; n++)
      while (parcels[n].hops < all.kernels) hop(queue, &parcels[n]);
    CHECK(clFinish(queue));
    CHECK(clReleaseCommandQueue(queue));
  } else {
    post.left = all.threads;
    for (int n = 0; n < all.threads; n++) hand(n, &parcels[n]);
    run_threads(carrier);
  }
  for (int n = 0; n < all.threads; n++) {
    CHECK(clReleaseEvent(parcels[n].last));
    CHECK(clReleaseMemObject(parcels[n].memory));
  }
}

/* --- callbacks ----------------------------------------------------------------------------------------------------- */

/* What a callback goes on with: a launch of each kernel, and a read after each. */
typedef struct chain {
  cl_command_queue queue;
  cl_kernel kernels[MOST];
  cl_mem memory;
  int number, next;
} chain;

static void go_on(chain *c);

static void CL_CALLBACK launched(cl_event event, cl_int status, void *data) {
  chain *c = data;
  (void)status;
  CHECK(clReleaseEvent(event));
  go_on(c);
}

static void go_on(chain *c) {
  cl_event read;
  if (c->next == all.kernels) {
    arrived();
    return;
  }
  launch(c->queue, c->kernels[c->next], c->memory, 0, NULL, NULL);
  CHECK(clEnqueueReadBuffer(c->queue, c->memory, CL_FALSE, 0, BYTES, all.got[c->number * all.kernels + c->next], 0,
                            NULL, &read));
  c->next++;
  if (all.serial) {
    CHECK(clFinish(c->queue));
    launched(read, CL_COMPLETE, c);
    return;
  }
  CHECK(clSetEventCallback(read, CL_COMPLETE, launched, c));
  CHECK(clFlush(c->queue));
}

static void callback(void) {
  static chain chains[MOST];
  post.left = all.threads;
  for (int n = 0; n < all.threads; n++) {
    chain *c = &chains[n];
    *c = (chain){.queue = make_queue(all.context), .memory = make_buffer(all.context, n), .number = n};
    for (int k = 0; k < all.kernels; k++) c->kernels[k] = numbered_kernel(all.context, k);
  }
  for (int n = 0; n < all.threads; n++) go_on(&chains[n]);
  pthread_mutex_lock(&post.lock);
  while (post.left > 0) pthread_cond_wait(&post.news, &post.lock);
  pthread_mutex_unlock(&post.lock);
  for (int n = 0; n < all.threads; n++) {
    for (int k = 0; k < all.kernels; k++) CHECK(clReleaseKernel(chains[n].kernels[k]));
    CHECK(clReleaseMemObject(chains[n].memory));
    CHECK(clReleaseCommandQueue(chains[n].queue));
  }
}

/* --- a race -------------------------------------------------------------------------------------------------------- */

/* One thread adds, the other multiplies, and nothing says who is first. */
static cl_mem raced[MOST];

static void *racer(void *number) {
  cl_command_queue queue = make_queue(all.context);
  cl_kernel kernel =
      make_kernel(all.context, number == NULL ? "add" : "multiply", number == NULL ? "a[i] + 5" : "a[i] * 3");
  for (int k = 0; k < all.kernels; k++) {
    dawdle();
    launch(queue, kernel, raced[k], 0, NULL, NULL);
    CHECK(clFinish(queue));
  }
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

static void race(void) {
  for (int k = 0; k < all.kernels; k++) raced[k] = make_buffer(all.context, k);
  all.threads = 2;
  run_threads(racer);
  cl_command_queue queue = make_queue(all.context);
  for (int k = 0; k < all.kernels; k++) {
    CHECK(clEnqueueReadBuffer(queue, raced[k], CL_TRUE, 0, BYTES, all.got[k], 0, NULL, NULL));
    CHECK(clReleaseMemObject(raced[k]));
  }
  CHECK(clReleaseCommandQueue(queue));
}

static const struct {
  const char *name;
  void (*does)(void);
} ways[] = {{"contexts", contexts}, {"queues", queues},     {"queue", queue}, {"names", names}, {"handed", handed},
            {"openmp", openmp},     {"callback", callback}, {"race", race},   {"racy", racy}};
enum { STEADY = 7 }; /* of them give the same in every run */

static uint64_t sum_of_reads(uint64_t sum) {
  for (int i = 0; i < MOST * MOST; i++)
    for (int k = 0; k < COUNT; k++) sum = sum * 31 + (uint32_t)all.got[i][k];
  return sum;
}

int main(int argc, char **argv) {
  all.threads = argc > 2 ? atoi(argv[2]) : 2;
  all.kernels = argc > 3 ? atoi(argv[3]) : 3;
  all.serial = argc > 4;
  TRUE_(all.threads > 0 && all.threads <= MOST && all.kernels > 0 && all.kernels <= MOST);
  CHECK(clGetPlatformIDs(1, &all.platform, NULL));
  CHECK(clGetDeviceIDs(all.platform, CL_DEVICE_TYPE_ALL, 1, &all.device, NULL));
  all.context = make_context();
  all.queue = make_queue(all.context);
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (argc > 1 && (strcmp(argv[1], ways[i].name) == 0 || (strcmp(argv[1], "all") == 0 && i < STEADY))) {
      ways[i].does();
      sum = sum_of_reads(sum);
    }
  CHECK(clReleaseCommandQueue(all.queue));
  CHECK(clReleaseContext(all.context));
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
