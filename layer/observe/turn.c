/* A process that replays a capture turn by turn: between two turns cltestcheck says what the next one is about, and
 * what the last one left behind is as in a process that starts. */
#include "layer/observe/turn.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/observe.h"
#include "layer/observe/reads.h"
#include "layer/observe/vary.h"
#include "wire/protocol.h"
#include "wire/turn.h"

/* A kernel of a schema, and what it is in this turn. */
typedef struct change {
  uint32_t program;
  char *name;
  schema now;
} change;

/* The schedule of the launch number `nth` of a gated kernel. */
typedef struct planned {
  uint32_t program, kernel, nth;
  gate_order order;
} planned;

/* Launches of a gated kernel in the turn so far. */
typedef struct launch_tally {
  uint32_t program, kernel, launches;
} launch_tally;

static struct {
  uint32_t count; /* turns that have ended */
  uint64_t setup, first_read;
  atomic_bool over;
  bytes_digest *expected; /* NULL: any reads will do */
  uint32_t expected_count;
  change *changes;
  const char **names; /* of the changes */
  uint32_t change_count;
  planned *plan; /* NULL: schedules are asked for */
  uint32_t plan_count;
  launch_tally *tallies;
  uint32_t tally_count;
  shadow *shadows;
} turn;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the shadows and the plan */

/* ---- shadows ---- */

void turn_shadow(shadow *s) {
  if (!observe.worker) return;
  pthread_mutex_lock(&lock);
  s->setup = turn.setup;
  s->next = turn.shadows;
  turn.shadows = s;
  pthread_mutex_unlock(&lock);
}

void turn_forget(const shadow *s) {
  if (!observe.worker) return;
  pthread_mutex_lock(&lock);
  for (shadow **at = &turn.shadows; *at != NULL; at = &(*at)->next) {
    if (*at == s) {
      *at = s->next;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
}

static void switch_kernels(void) {
  pthread_mutex_lock(&lock);
  for (shadow *s = turn.shadows; s != NULL; s = s->next) {
    for (uint32_t i = 0; s->setup == turn.setup && i < turn.change_count; i++)
      if (turn.changes[i].program == s->number) shadow_switch(s, turn.changes[i].name, &turn.changes[i].now);
  }
  pthread_mutex_unlock(&lock);
}

/* ---- what cltestcheck says ---- */

static void forget_turn(void) {
  for (uint32_t i = 0; i < turn.change_count; i++) {
    free(turn.changes[i].name);
    free(turn.changes[i].now.kernel);
  }
  free(turn.changes);
  free(turn.names);
  free(turn.expected);
  free(turn.plan);
  free(turn.tallies);
  turn.plan = NULL;
  turn.tallies = NULL;
  turn.plan_count = turn.tally_count = 0;
  turn.changes = NULL;
  turn.names = NULL;
  turn.expected = NULL;
  turn.change_count = turn.expected_count = 0;
}

static bool read_expected(wire_reader *in) {
  uint32_t count = wire_u32(in);
  if (count == NO_READS) return !in->failed;
  if (in->failed || count > in->left / 16) return false;
  turn.expected = calloc((size_t)count + 1, sizeof *turn.expected);
  turn.expected_count = count;
  for (uint32_t i = 0; turn.expected != NULL && i < count; i++) {
    turn.expected[i].low = wire_u64(in);
    turn.expected[i].high = wire_u64(in);
  }
  return turn.expected != NULL;
}

static bool read_changes(wire_reader *in) {
  uint32_t count = wire_u32(in);
  if (in->failed || count > in->left / 20) return false;
  turn.changes = calloc((size_t)count + 1, sizeof *turn.changes);
  turn.names = calloc((size_t)count + 1, sizeof *turn.names);
  while (turn.changes != NULL && turn.names != NULL && turn.change_count < count) {
    change *c = &turn.changes[turn.change_count];
    c->program = wire_u32(in);
    c->name = read_string(in);
    c->now.kernel = read_string(in);
    c->now.mutant = wire_u32(in);
    c->now.fuel = wire_u32(in);
    turn.names[turn.change_count++] = c->name;
  }
  return turn.changes != NULL && turn.names != NULL && !in->failed;
}

static bool read_plan(wire_reader *in) {
  uint32_t count = wire_u32(in);
  if (count == ASK_SCHEDULES) return !in->failed;
  if (in->failed || count > in->left / 32) return false;
  turn.plan = calloc((size_t)count + 1, sizeof *turn.plan);
  while (turn.plan != NULL && turn.plan_count < count) {
    planned *p = &turn.plan[turn.plan_count++];
    p->program = wire_u32(in);
    p->kernel = wire_u32(in);
    p->nth = wire_u32(in);
    p->order.number = wire_u64(in);
    p->order.first = wire_u64(in);
    p->order.flags = wire_u32(in);
  }
  return turn.plan != NULL && !in->failed;
}

static bool read_turn(wire_reader *in, replay_turn *out) {
  forget_turn();
  turn.setup = wire_u64(in);
  bool complete = read_expected(in);
  uint32_t filling = wire_u32(in);
  bool partial = wire_u32(in) == 1;
  if (!complete || !read_changes(in) || !read_plan(in) || !vary_turn(in)) return false;
  *out = (replay_turn){.setup = turn.setup, .keep = true, .filling = (unsigned char)filling, .kernels = turn.names};
  out->kernel_count = partial ? turn.change_count : 0;
  return true;
}

/* ---- schedules ---- */

/* With the lock. UINT32_MAX: there is no memory for the count. */
static uint32_t count_launch(const function *f) {
  for (uint32_t i = 0; i < turn.tally_count; i++)
    if (turn.tallies[i].program == f->program && turn.tallies[i].kernel == f->kernel) return turn.tallies[i].launches++;
  launch_tally *more = realloc(turn.tallies, ((size_t)turn.tally_count + 1) * sizeof *more);
  if (more == NULL) return UINT32_MAX;
  turn.tallies = more;
  more[turn.tally_count++] = (launch_tally){f->program, f->kernel, 1};
  return 0;
}

bool turn_order(const function *f, gate_order *out, bool *told) {
  if (!observe.worker) return false;
  pthread_mutex_lock(&lock);
  uint32_t nth = turn.plan != NULL ? count_launch(f) : UINT32_MAX;
  bool known = nth != UINT32_MAX;
  for (uint32_t i = 0; known && i < turn.plan_count; i++) {
    const planned *p = &turn.plan[i];
    if (p->program == f->program && p->kernel == f->kernel && p->nth == nth) {
      *out = p->order;
      *told = true;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return known;
}

/* ---- the functions ---- */

static bool next(const replay_result *last, replay_turn *out) {
  if (turn.count > 0) evidence_settle();
  message m;
  message_start(&m, MESSAGE_NEXT);
  MESSAGE_PUT(&m, U32(turn.count++),
              U32((last->complete ? TURN_COMPLETE : 0u) | (last->escaped ? TURN_ESCAPED : 0u) |
                  (last->faulted ? TURN_FAULTED : 0u) | (last->spoiled ? TURN_SPOILED : 0u) |
                  (atomic_load(&turn.over) ? TURN_OVER : 0u)),
              U64(turn.first_read));
  unsigned char *body = NULL;
  size_t length = 0;
  if (!connection_ask(&m, MESSAGE_TURN, &body, &length)) return false;
  wire_reader in = {.at = body, .left = length};
  bool understood = read_turn(&in, out);
  free(body);
  return understood;
}

static void begin(uint64_t reads) {
  turn.first_read = reads;
  atomic_store(&turn.over, false);
  reads_begin(reads);
  observe_restart();
  switch_kernels();
}

static bool over(void) { return atomic_load(&turn.over); }

void turn_read(uint64_t number, const bytes_digest *d) {
  if (turn.expected == NULL) return;
  if (number >= turn.expected_count || turn.expected[number].low != d->low || turn.expected[number].high != d->high)
    atomic_store(&turn.over, true);
}

void *turn_extension(const char *name) {
  static const replay_functions functions = {next, begin, over};
  void *address = NULL;
  const replay_functions *found = &functions;
  if (observe.worker && name != NULL && strcmp(name, REPLAY_FUNCTION) == 0 && connection_ready())
    memcpy(&address, &found, sizeof address);
  return address;
}
