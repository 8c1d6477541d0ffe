/* Random programs over buffers, sub-buffers, kernels and clones that come and go, against a model on the host: turns
 * about random kernels read the same, whatever memory there is. */
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"

enum { PROGRAMS = 12, COMMANDS = 80, TURNS = 12, NAMES = 4, OBJECTS = 8, KERNELS = 5, WORDS = 128, PARTS = 32 };

static const char source[] =
    "#define KERNEL(name, factor) __kernel void name(__global uint *to, __global const uint *from, uint n) { \\\n"
    "  size_t i = get_global_id(0); to[i] = to[i] * factor + from[i % 32] + n; }\n"
    "KERNEL(k0, 3) KERNEL(k1, 5) KERNEL(k2, 7) KERNEL(k3, 11)\n";

static const char *const names[NAMES] = {"k0", "k1", "k2", "k3"};
static const unsigned factors[NAMES] = {3, 5, 7, 11};

/* A live buffer or sub-buffer: words of a shared store. */
typedef struct object {
  bool alive;
  uint32_t number, root;
  unsigned *words;
  size_t count;
  int parts; /* live sub-buffers of this buffer; -1: it is one */
} object;

typedef struct kernel {
  bool alive;
  uint32_t number;
  int name, to, from; /* objects; -1: not set */
  unsigned n;
} kernel;

typedef struct world {
  script script;
  uint64_t random;
  object objects[OBJECTS];
  kernel kernels[KERNELS];
  unsigned stores[OBJECTS][WORDS];
  uint32_t program;
} world;

static unsigned pick(world *w, unsigned below) {
  w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(w->random >> 33) % below;
}

static int any_object(world *w, int except) {
  for (int tries = 0; tries < 20; tries++) {
    const int i = (int)pick(w, OBJECTS);
    if (w->objects[i].alive && (except < 0 || w->objects[i].root != w->objects[except].root)) return i;
  }
  return -1;
}

static void make_buffer(world *w, int slot) {
  unsigned *words = w->stores[slot];
  const bool filled = pick(w, 2) == 0;
  for (size_t i = 0; i < WORDS; i++) words[i] = filled ? pick(w, 1000) : 0;
  const uint32_t number = script_buffer(&w->script, 0, WORDS * 4, filled ? words : NULL);
  w->objects[slot] = (object){.alive = true, .number = number, .root = number, .words = words, .count = WORDS};
}

static void make_object(world *w) {
  const int slot = (int)pick(w, OBJECTS), parent = any_object(w, -1);
  if (w->objects[slot].alive) return;
  if (parent < 0 || w->objects[parent].parts < 0 || pick(w, 3) > 0) {
    for (int i = 0; i < OBJECTS; i++) /* a sub-buffer may still need the store */
      if (w->objects[i].alive && w->objects[i].words >= w->stores[slot] &&
          w->objects[i].words < w->stores[slot] + WORDS)
        return;
    make_buffer(w, slot);
    return;
  }
  const uint64_t origin = 128 * pick(w, 4);
  const uint32_t number = script_sub_buffer(&w->script, w->objects[parent].number, 0, origin, PARTS * 4);
  w->objects[slot] = (object){.alive = true,
                              .number = number,
                              .root = w->objects[parent].root,
                              .words = w->objects[parent].words + origin / 4,
                              .count = PARTS,
                              .parts = -1};
}

static void release_object(world *w) {
  const int slot = any_object(w, -1);
  if (slot < 0) return;
  script_release_memory(&w->script, w->objects[slot].number);
  w->objects[slot].alive = false;
  for (int i = 0; i < KERNELS; i++) {
    w->kernels[i].to = w->kernels[i].to == slot ? -1 : w->kernels[i].to;
    w->kernels[i].from = w->kernels[i].from == slot ? -1 : w->kernels[i].from;
  }
}

static void make_kernel(world *w) {
  const unsigned slot = pick(w, KERNELS), other = pick(w, KERNELS);
  if (w->kernels[slot].alive) {
    if (pick(w, 3) == 0) {
      script_release_kernel(&w->script, w->kernels[slot].number);
      w->kernels[slot].alive = false;
    }
  } else if (w->kernels[other].alive && pick(w, 2) == 0) {
    w->kernels[slot] = w->kernels[other];
    w->kernels[slot].number = script_clone(&w->script, w->kernels[other].number);
  } else {
    const int name = (int)pick(w, NAMES);
    const uint32_t number = script_kernel(&w->script, w->program, names[name]);
    w->kernels[slot] = (kernel){.alive = true, .number = number, .name = name, .to = -1, .from = -1};
    script_int(&w->script, number, 2, 0);
  }
}

/* Sets what is not set and now and then something else. */
static void set_arguments(world *w, kernel *k) {
  if (k->to < 0 || pick(w, 3) == 0) {
    k->to = any_object(w, -1);
    if (k->to >= 0) script_memory(&w->script, k->number, 0, w->objects[k->to].number);
  }
  if (k->to >= 0 && (k->from < 0 || w->objects[k->from].root == w->objects[k->to].root || pick(w, 3) == 0)) {
    k->from = any_object(w, k->to);
    if (k->from >= 0) script_memory(&w->script, k->number, 1, w->objects[k->from].number);
  }
  if (pick(w, 2) == 0) {
    k->n = pick(w, 1000);
    script_int(&w->script, k->number, 2, (int)k->n);
  }
}

static void launch(world *w) {
  kernel *k = &w->kernels[pick(w, KERNELS)];
  if (!k->alive) return;
  set_arguments(w, k);
  if (k->to < 0 || k->from < 0) return;
  const object *to = &w->objects[k->to], *from = &w->objects[k->from];
  script_launch(&w->script, k->number, to->count, 0);
  for (size_t i = 0; i < to->count; i++) to->words[i] = to->words[i] * factors[k->name] + from->words[i % PARTS] + k->n;
}

static void transfer(world *w) {
  const int slot = any_object(w, -1), other = any_object(w, slot);
  if (slot < 0) return;
  const object *o = &w->objects[slot];
  const unsigned what = pick(w, 4), first = pick(w, PARTS / 2), count = 1 + pick(w, PARTS / 2);
  unsigned values[WORDS];
  for (size_t i = 0; i < WORDS; i++) values[i] = what == 1 ? values[0] : pick(w, 1000);
  if (what == 0 && pick(w, 2) == 0) {
    script_write(&w->script, o->number, 0, values, o->count * 4);
    memcpy(o->words, values, o->count * 4);
  } else if (what == 0) {
    script_write(&w->script, o->number, first * 4, values, count * 4);
    memcpy(o->words + first, values, count * 4);
  } else if (what == 1) {
    for (size_t i = 0; i < count; i++) o->words[first + i] = values[1];
    script_fill(&w->script, o->number, first * 4, count * 4, &values[1], 4);
  } else if (what == 2 && other >= 0) {
    script_copy(&w->script, w->objects[other].number, o->number, first * 4, 0, count * 4);
    memcpy(o->words, w->objects[other].words + first, count * 4);
  } else {
    script_read(&w->script, o->number, 0, o->count * 4, o->words);
  }
}

static void write_program(world *w, uint64_t seed) {
  void (*const steps[])(world *) = {make_object, make_object, release_object, make_kernel, make_kernel,
                                    launch,      launch,      launch,         transfer,    transfer};
  *w = (world){.random = seed};
  w->program = script_program(&w->script, source, "");
  for (int i = 0; i < COMMANDS; i++) steps[pick(w, sizeof steps / sizeof *steps)](w);
  for (int i = 0; i < OBJECTS; i++)
    if (w->objects[i].alive)
      script_read(&w->script, w->objects[i].number, 0, w->objects[i].count * 4, w->objects[i].words);
}

static void do_turns(world *w, const replay_options *o, uint64_t seed) {
  replay *r = open_script(&w->script, o);
  for (int i = 0; i < TURNS; i++) {
    const char *const about[] = {names[pick(w, NAMES)], names[pick(w, NAMES)]};
    const replay_turn what = {.setup = 1 + pick(w, 2), .keep = true, .kernels = about, .kernel_count = pick(w, 3)};
    replay_result result;
    const outcome done = do_turn(r, &what, NULL, &result);
    if (done.wrong > 0 || result.escaped || (done.reads > 0 && done.next != w->script.reads))
      fail_msg("program %llu, turn %d", (unsigned long long)seed, i);
  }
  replay_close(r);
}

static void random_programs(void **state) {
  static world w;
  const replay_options tries[] = {{0},
                                  {.memory = 1},
                                  {.discrete = true},
                                  {.snapshots = WORDS * 4 * 3, .host_snapshots = WORDS * 4 * 2},
                                  {.memory = 1, .snapshots = 1, .discrete = true}};
  (void)state;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    write_program(&w, seed);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) do_turns(&w, &tries[i], seed);
    script_free(&w.script);
  }
}

int test_random(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
