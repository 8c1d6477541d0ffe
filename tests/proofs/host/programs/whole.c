// All of the program is here: a function that nobody calls does not run, and stores to one kind of struct leave others alone.
//+ known: $0 == 4
//+ known: get_local_size(0) == 16
//+ listed: $0 == 4
//- aliased: $0 == 4
//- bytes: $0 == 4
#include "program.h"

struct settings {
  cl_kernel kernel;
  cl_command_queue commands;
  int value;
};

struct entry {
  struct entry *next;
  long when;
};

static struct settings *shared;
static struct entry *first;
static cl_kernel kernel;

/* Nobody calls it. */
void unused(int value) {
  size_t global = 64, local = 8;
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static void share(struct settings *s) { shared = s; }

static void add(struct entry *after) {
  struct entry *e = malloc(sizeof *e);
  struct entry *at = first;
  e->next = after;
  while (at != NULL && at->next != NULL) at = at->next;
  if (at != NULL)
    at->next = e; /* an entry, whichever */
  else
    first = e;
}

static void launch(const struct settings *s) {
  size_t global = 64, local = 16;
  clSetKernelArg(s->kernel, 0, sizeof s->value, &s->value);
  clEnqueueNDRangeKernel(queue, s->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  device(NULL);
  kernel = clCreateKernel(program, "known", NULL);
  int four = 4;
  size_t global = 64, local = 16;
  clSetKernelArg(kernel, 0, sizeof four, &four);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  struct settings s = {clCreateKernel(program, "listed", NULL), queue, 4};
  share(&s);
  add(NULL);
  add(first);
  launch(&s);
  struct settings t = {clCreateKernel(program, "aliased", NULL), queue, 4};
  share(&t);
  int *values[2] = {&t.value, &four};
  *values[argc % 2] = 9; /* an int in a struct, perhaps */
  launch(&t);
  struct settings u = {NULL, queue, 4};
  share(&u);
  char *bytes[2] = {(char *)&u.value, (char *)&four};
  *bytes[argc % 2] = 9; /* a byte of anything */
  u.kernel = clCreateKernel(program, "bytes", NULL);
  launch(&u);
  return argv == NULL;
}
