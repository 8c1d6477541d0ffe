/* A launch: its work-groups one after another, the work-items of a group as coroutines that meet at barriers. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "interpret.h"

enum { STACK_BYTES = 256 * 1024, GROUP_CAP = 64 };

typedef struct machine {
  tree *p;
  launch *launch;
  work_item items[GROUP_CAP];
  size_t count;
  group group;
  ucontext_t scheduler;
  char *stacks;
  uint32_t *barriers; /* GROUP_CAP × sites */
} machine;

/* makecontext passes ints only. */
static work_item *starting;

static void coroutine(void) {
  work_item *w = starting;
  run_kernel(w, w->launch->kernel);
  w->done = true;
  (void)swapcontext(&w->context, w->scheduler);
}

static void start_coroutine(machine *m, size_t i) {
  work_item *w = &m->items[i];
  (void)getcontext(&w->context);
  w->context.uc_stack.ss_sp = m->stacks + i * STACK_BYTES;
  w->context.uc_stack.ss_size = STACK_BYTES;
  w->context.uc_link = NULL;
  w->scheduler = &m->scheduler;
  makecontext(&w->context, coroutine, 0);
}

static void place_item(machine *m, const size_t group_id[3], const size_t local_id[3]) {
  launch *l = m->launch;
  work_item *w = &m->items[m->count];
  *w = (work_item){.p = m->p, .launch = l, .group = &m->group, .kernel = l->kernel->kernel_number};
  w->barriers = m->barriers + m->count * m->p->site_count;
  size_t at[3];
  for (int d = 0; d < 3; d++) {
    w->local_id[d] = local_id[d];
    w->group_id[d] = group_id[d];
    at[d] = group_id[d] * l->local[d] + local_id[d];
    w->global_id[d] = at[d] + l->offset[d];
  }
  w->id = (at[2] * l->global[1] + at[1]) * l->global[0] + at[0];
  w->slice = l->output + w->id * SLICE_LENGTH;
  m->count++;
}

static bool run_items(machine *m) {
  bool barriers = m->launch->kernel->barriers;
  bool good = true;
  for (size_t i = 0; i < m->count; i++) {
    if (barriers) {
      start_coroutine(m, i);
    } else {
      run_kernel(&m->items[i], m->launch->kernel);
      m->items[i].done = true;
    }
  }
  for (bool running = barriers; running;) {
    running = false;
    for (size_t i = 0; i < m->count; i++) {
      if (!m->items[i].done) {
        running = true;
        starting = &m->items[i];
        (void)swapcontext(&m->scheduler, &m->items[i].context);
      }
    }
  }
  for (size_t i = 0; i < m->count; i++) good = good && !m->items[i].exhausted;
  return good;
}

/* A barrier is covered when all work-items of the group were there, equally often. False: they were not equally often,
 * which a program must not do. */
static bool judge_barriers(machine *m) {
  bool good = true;
  for (size_t s = 0; s < m->p->site_count; s++) {
    uint32_t times = m->barriers[s];
    bool same = true;
    for (size_t i = 1; i < m->count; i++) same = same && m->barriers[i * m->p->site_count + s] == times;
    if (m->p->sites[s]->kind == SITE_BARRIER && same && times > 0) take(&m->items[0], m->p->sites[s], OUTCOME_COVERED);
    good = good && same;
  }
  return good;
}

static bool run_group(machine *m, const size_t group_id[3]) {
  const size_t *size = m->launch->local;
  m->count = 0;
  memset(&m->group, 0, sizeof m->group);
  memset(m->barriers, 0, GROUP_CAP * m->p->site_count * sizeof *m->barriers);
  for (size_t z = 0; z < size[2]; z++) {
    for (size_t y = 0; y < size[1]; y++)
      for (size_t x = 0; x < size[0]; x++) place_item(m, group_id, (const size_t[3]){x, y, z});
  }
  return run_items(m) && judge_barriers(m);
}

static bool run_launch(machine *m) {
  launch *l = m->launch;
  bool good = true;
  l->items = l->global[0] * l->global[1] * l->global[2];
  l->output = tree_new(m->p, l->items * SLICE_LENGTH * sizeof *l->output);
  size_t groups[3];
  for (int d = 0; d < 3; d++) groups[d] = l->global[d] / l->local[d];
  for (size_t i = 0; good && i < groups[0] * groups[1] * groups[2]; i++) {
    size_t group_id[3] = {i % groups[0], i / groups[0] % groups[1], i / groups[0] / groups[1]};
    good = run_group(m, group_id);
  }
  return good;
}

bool interpret(tree *p) {
  machine *m = mem_calloc(1, sizeof *m);
  m->p = p;
  m->stacks = mem_calloc(GROUP_CAP, STACK_BYTES);
  m->barriers = mem_calloc(GROUP_CAP * p->site_count + 1, sizeof *m->barriers);
  bool good = true;
  for (size_t i = 0; good && i < p->launch_count; i++) {
    m->launch = &p->launches[i];
    good = run_launch(m);
  }
  free(m->stacks);
  free(m->barriers);
  free(m);
  return good;
}
