/* Which launches are changed, and what is said about where launches are made. */
#include "layer/observe/vary.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/observe.h"
#include "wire/protocol.h"

#define NAME_SIZE "4095"
enum { NAME_MOST = 4096, SWITCHES_MOST = 4096 };

typedef struct range {
  uint64_t first, behind;
} range;

static struct {
  bool tells;
  launch_change change;
  char kernel[NAME_MOST], module[NAME_MOST];
  uint64_t offset;
  range *ranges; /* of the kernel's launches in a turn; NULL: the call's place decides */
  uint32_t range_count;
  bool refused; /* and it was said */
} vary;

/* Launches of a kernel from one place, as far as that was told. */
typedef struct told {
  struct told *next;
  const tally *tally;
  call_site site;
  uint32_t shape;
  uint64_t values, nonzero;
} told;

static told *tolds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these, and of what tallies know of them */

/* ---- what is wanted ---- */

static bool read_change(const char *text) {
  unsigned kind = 0, first = 0, second = 0;
  unsigned long long offset = 0;
  char type = LAUNCH_OTHER;
  vary.change = (launch_change){0};
  vary.refused = false;
  const int found = sscanf(text, "%u %u %u %c %llx %" NAME_SIZE "s %" NAME_SIZE "[^\n]", &kind, &first, &second, &type,
                           &offset, vary.kernel, vary.module);
  if (found < 6 || kind >= CHANGE_KINDS) return false;
  vary.change = (launch_change){.kind = (launch_change_kind)kind, .first = first, .second = second, .type = type};
  vary.offset = offset;
  return true;
}

bool vary_start(void) {
  const char *text = getenv(ENV_LAUNCH);
  vary.tells = text != NULL && strcmp(text, LAUNCH_TELL) == 0;
  return vary.tells || (text != NULL && read_change(text));
}

bool vary_turn(wire_reader *in) {
  scoped char *text = read_string(in);
  const uint32_t count = wire_u32(in);
  free(vary.ranges);
  vary.ranges = NULL;
  vary.range_count = 0;
  vary.change = (launch_change){0};
  const bool fine = !in->failed && count <= in->left / 16;
  if (fine && text[0] != '\0') {
    vary.ranges = calloc((size_t)count + 1, sizeof *vary.ranges);
    for (uint32_t i = 0; vary.ranges != NULL && i < count; i++) {
      vary.ranges[i].first = wire_u64(in);
      vary.ranges[i].behind = wire_u64(in);
      vary.range_count++;
    }
    (void)read_change(text);
  }
  return fine && !in->failed;
}

void vary_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  tolds = NULL;
}

/* ---- changing ---- */

static bool is_meant(const kernel *k) {
  call_site at;
  if (vary.change.kind == CHANGE_NONE || strcmp(k->tally->name, vary.kernel) != 0) return false;
  if (!observe.worker) return site_of_call(&at) && at.offset == vary.offset && strcmp(at.module, vary.module) == 0;
  const uint64_t number = atomic_load(&k->tally->launches);
  bool meant = false;
  for (uint32_t i = 0; i < vary.range_count; i++)
    meant = meant || (vary.ranges[i].first <= number && number < vary.ranges[i].behind);
  return meant;
}

/* A work-group's size where the launch leaves it to the device: what the kernel requires. */
static void find_groups(cl_kernel handle, launch_sizes *s) {
  size_t required[3] = {0};
  driver.clGetKernelWorkGroupInfo(handle, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL);
  for (int d = 0; d < 3; d++)
    s->group[d] = s->has_local && s->local[d] > 0 ? s->local[d] : required[d] > 0 ? required[d] : 1;
}

static bool vary_sizes(cl_kernel handle, const launch *l, variation *out) {
  launch_sizes *s = &out->sizes;
  const launch_change *c = &vary.change;
  if (l->task || l->global == NULL || l->dimensions > 3 || c->first >= l->dimensions || c->second >= l->dimensions)
    return false;
  for (cl_uint d = 0; d < l->dimensions; d++) {
    s->offset[d] = l->offset != NULL ? l->offset[d] : 0;
    s->global[d] = l->global[d];
    s->local[d] = l->local != NULL ? l->local[d] : 0;
  }
  s->has_local = l->local != NULL;
  find_groups(handle, s);
  out->launch.offset = l->offset != NULL || c->kind == CHANGE_OFFSET ? s->offset : NULL;
  out->launch.global = s->global;
  out->launch.local = s->has_local ? s->local : NULL;
  return change_sizes(c, s);
}

static bool vary_argument(const kernel *k, cl_kernel handle, variation *out) {
  const cl_uint index = vary.change.first;
  const argument *a = index < k->argument_count ? &k->arguments[index] : NULL;
  unsigned char value[sizeof out->original];
  if (a == NULL || a->kind != ARGUMENT_VALUE || a->value == NULL || a->size > sizeof value) return false;
  memcpy(value, a->value, a->size);
  memcpy(out->original, a->value, a->size);
  out->index = index;
  out->size = a->size;
  out->argument =
      change_value(&vary.change, value, a->size) && driver.clSetKernelArg(handle, index, a->size, value) == CL_SUCCESS;
  return out->argument;
}

bool vary_begin(kernel *k, cl_kernel handle, const launch *l, variation *out) {
  if (!is_meant(k)) return false;
  *out = (variation){.launch = *l};
  pthread_mutex_lock(&k->lock);
  const bool changed = vary.change.kind >= CHANGE_ADD ? vary_argument(k, handle, out) : vary_sizes(handle, l, out);
  if (!changed) pthread_mutex_unlock(&k->lock);
  return changed;
}

void vary_end(kernel *k, cl_kernel handle, const variation *v, cl_int result) {
  if (v->argument) driver.clSetKernelArg(handle, v->index, v->size, v->original);
  pthread_mutex_unlock(&k->lock);
  if (result != CL_SUCCESS && !vary.refused) {
    char words[64];
    vary.refused = true;
    (void)snprintf(words, sizeof words, "the device refuses the changed launch (%d)", (int)result);
    TELL(MESSAGE_REFUSED, U32(0), TEXT(words));
  }
}

/* ---- telling ---- */

static uint32_t shape_of(const launch *l) {
  uint32_t shape = 0;
  for (cl_uint d = 0; !l->task && l->global != NULL && d < l->dimensions && d < 3; d++) {
    const size_t local = l->local != NULL ? l->local[d] : 0;
    shape |= SHAPE_DIMENSION(d) | (local > 0 ? SHAPE_LOCAL(d) : 0) | (local > 0 && local % 2 == 0 ? SHAPE_EVEN(d) : 0);
    for (cl_uint other = 0; other < d; other++) shape |= l->global[other] != l->global[d] ? SHAPE_UNEQUAL(other, d) : 0;
  }
  return shape;
}

/* Arguments that are values of a size that a scalar may have, and which of them are not 0. */
static void look_at_values(kernel *k, uint64_t *values, uint64_t *nonzero) {
  pthread_mutex_lock(&k->lock);
  for (cl_uint i = 0; i < k->argument_count && i < 64; i++) {
    const argument *a = &k->arguments[i];
    bool zero = true;
    if (a->kind != ARGUMENT_VALUE || a->value == NULL || a->size > 8) continue;
    for (size_t b = 0; b < a->size; b++) zero = zero && ((const unsigned char *)a->value)[b] == 0;
    *values |= UINT64_C(1) << i;
    *nonzero |= zero ? 0 : UINT64_C(1) << i;
  }
  pthread_mutex_unlock(&k->lock);
}

/* With the lock; NULL: there is no memory. */
static told *find_told(const tally *t, const call_site *at) {
  told *found = tolds;
  while (found != NULL &&
         (found->tally != t || found->site.offset != at->offset || strcmp(found->site.module, at->module) != 0))
    found = found->next;
  if (found == NULL) found = calloc(1, sizeof *found);
  if (found != NULL && found->tally == NULL) {
    *found = (told){.next = tolds, .tally = t, .site = *at};
    tolds = found;
  }
  return found;
}

static void say(const told *t, uint64_t number, uint64_t thread) {
  TELL(MESSAGE_SITE, TEXT(t->tally->name), TEXT(t->site.module), U64(t->site.offset), U64(number), U64(thread),
       U32(t->shape), U64(t->values), U64(t->nonzero));
}

void vary_tell(kernel *k, const launch *l) {
  call_site at;
  uint64_t values = 0, nonzero = 0;
  if (!vary.tells || !connection_ready() || !site_of_call(&at)) return;
  look_at_values(k, &values, &nonzero);
  const uint32_t shape = shape_of(l);
  const uint64_t number = atomic_load(&k->tally->launches), thread = (uint64_t)syscall(SYS_gettid);
  pthread_mutex_lock(&lock);
  told *t = find_told(k->tally, &at);
  if (t != NULL) {
    const bool more = (shape & ~t->shape) != 0 || (values & ~t->values) != 0 || (nonzero & ~t->nonzero) != 0;
    const bool other = k->tally->last != t || k->tally->thread != thread;
    t->shape |= shape;
    t->values |= values;
    t->nonzero |= nonzero;
    if (more || (other && k->tally->switches <= SWITCHES_MOST))
      say(t, k->tally->switches >= SWITCHES_MOST ? SITE_UNORDERED : number, thread);
    k->tally->switches += other && k->tally->switches <= SWITCHES_MOST ? 1 : 0;
    k->tally->last = t;
    k->tally->thread = thread;
  }
  pthread_mutex_unlock(&lock);
}
