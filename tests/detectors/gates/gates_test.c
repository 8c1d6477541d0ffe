/* The gate on an OpenCL device: kernels that log when each work-group begins and ends, under every order and both
 * gates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate_check.h"
#include "gated_text.h"

/* Groups and work-items by linear ids; times from one counter. */
static const char logging[] =
    "#define PARAMETERS __global uint *clock, __global uint *begin, __global uint *end, __global uint *members, \\\n"
    "                   __global uint *visits\n"
    "#define GROUP ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0))\n"
    "#define PLACE(d) (get_global_id(d) - get_global_offset(d))\n"
    "#define ITEM ((PLACE(2) * get_global_size(1) + PLACE(1)) * get_global_size(0) + PLACE(0))\n"
    "#define COME { atomic_min(&begin[GROUP], atomic_inc(clock) + 1); atomic_inc(&members[GROUP]); }\n"
    "#define WORK atomic_inc(&visits[ITEM]);\n"
    "#define GO atomic_max(&end[GROUP], atomic_inc(clock) + 1);\n";

typedef struct subject {
  const char *name, *options, *text;
} subject;

static const subject subjects[] = {
    {"plain", "", "__kernel void test(PARAMETERS) { COME WORK GO }\n"},
    {"helpers", "",
     "size_t group_id(uint d) { return get_group_id(d); }\n"
     "size_t nested(void) { return get_global_id(get_group_id(7) + 0 * get_global_id(get_group_id(0))); }\n"
     "size_t group(void) {\n"
     "  size_t all = 0;\n"
     "  for (uint d = 3; d > 0; d--) all = all * get_num_groups(d - 1) + group_id(d - 1);\n"
     "  return all;\n"
     "}\n"
     "size_t along(int d) { return get_global_id(d++) - get_global_offset(d - 1); }\n"
     "size_t item(void) { return (along(2) * get_global_size(1) + along(1)) * get_global_size(0) + along(0); }\n"
     "__kernel void test(PARAMETERS) {\n"
     "  atomic_min(&begin[group()], atomic_inc(clock) + 1); atomic_inc(&members[group()]);\n"
     "  if (nested() == get_global_id(0)) atomic_inc(&visits[item()]);\n"
     "  atomic_max(&end[group()], atomic_inc(clock) + 1);\n"
     "}\n"},
    {"returns", "",
     "__kernel void test(PARAMETERS) {\n"
     "  COME\n"
     "  WORK\n"
     "  if (get_local_id(0) % 2 == 1) { GO return; }\n"
     "  for (;;) { if (visits[ITEM] > 0) { GO return; } }\n"
     "}\n"},
    {"barriers", "",
     "__kernel void test(PARAMETERS) {\n"
     "  __local uint sum;\n"
     "  COME\n"
     "  if (get_local_id(0) == 0 && get_local_id(1) == 0) sum = 0;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  atomic_inc(&sum);\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (sum == get_local_size(0) * get_local_size(1)) WORK\n"
     "  GO\n"
     "}\n"},
    {"guarded barriers", "",
     "void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
     "__kernel void test(PARAMETERS) {\n"
     "  __local uint sum;\n"
     "  COME\n"
     "  sum = 0;\n"
     "  for (uint k = 0; k < 3 + get_group_id(0) % 2; k++) {\n"
     "    meet();\n"
     "    if (k == 1) atomic_inc(&sum);\n"
     "  }\n"
     "  if (get_num_groups(0) > 0) barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (sum == get_local_size(0) * get_local_size(1)) WORK\n"
     "  GO\n"
     "}\n"},
    {"kernel in kernel", "",
     "__kernel void work(PARAMETERS) { if (get_local_id(0) == 0) { WORK return; } WORK }\n"
     "__kernel void test(PARAMETERS) { COME work(clock, begin, end, members, visits); GO }\n"},
    {"linear ids", "-cl-std=CL3.0",
     "__kernel void test(PARAMETERS) {\n"
     "  COME\n"
     "  if (get_global_linear_id() == ITEM) WORK\n"
     "  GO\n"
     "}\n"},
    {"OpenCL C 1.1", "-cl-std=CL1.1", "__kernel void test(PARAMETERS) { COME WORK GO }\n"},
};

static const shape shapes[] = {
    {1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0},     {1, {2, 1, 1}, {3, 1, 1}, {0, 0, 0}, 0},
    {1, {37, 1, 1}, {16, 1, 1}, {5, 0, 0}, 0},   {2, {5, 3, 1}, {4, 2, 1}, {0, 7, 0}, 0},
    {3, {7, 5, 3}, {4, 2, 1}, {0, 0, 0}, 0},     {3, {2, 3, 4}, {2, 1, 3}, {1, 2, 3}, 0},
    {1, {10000, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, SMALL_SHAPE = 4 };

static const struct {
  const char *options;
  check_build built;
} builds[] = {
    {GATE_OPTION_BARE, {true, false}},
    {"", {false, false}},
    {GATE_OPTION_BARE " " GATE_OPTION_WATCH, {true, true}},
    {GATE_OPTION_WATCH, {false, true}},
};

static unsigned failed, launches, absent;

static build *build_subject(device *d, const subject *s, const char *more) {
  char text[1 << 13], options[256];
  (void)snprintf(text, sizeof text, "%s%s", logging, s->text);
  instrument_result r;
  error e;
  if (gated_source(s->name, text, s->options, device_answer, d, &r, &e) != 0) {
    printf("FAILED %s: %s\n", s->name, e.text);
    failed++;
    instrument_free(&r);
    return NULL;
  }
  (void)snprintf(options, sizeof options, "%s %s", r.options[0], more);
  build *b = device_build(d, r.texts[0], options, false);
  if (b == NULL) {
    printf("FAILED %s with %s does not build\n", s->name, options);
    failed++;
  }
  instrument_free(&r);
  return b;
}

static void run(build *b, const char *name, const shape *s, const schedule *order, const check_build *built) {
  traces t = build_run(b, "test", s, order);
  failed += check_traces(name, &t, order, built) > 0 ? 1 : 0;
  absent += t.record[GATE_GAVE_UP] == GATE_UP_ABSENT ? 1 : 0;
  launches++;
  traces_free(&t);
}

/* Every order, with targets at both ends and between. */
static void run_orders(build *b, const char *name, const shape *s, schedule_gate gate, const check_build *built) {
  const uint32_t groups = (uint32_t)(s->groups[0] * s->groups[1] * s->groups[2]);
  const uint32_t targets[] = {0, groups / 2, groups - 1};
  for (int order = ORDER_NONE; order <= ORDER_OCCUPANCY; order++) {
    const bool aims = order == ORDER_FIRST || order == ORDER_LAST;
    for (size_t i = 0; i < (aims ? 3 : 1); i++) {
      const schedule wanted = {.order = (schedule_order)order,
                               .gate = gate,
                               .target = aims ? targets[i] : 0,
                               .seed = order == ORDER_RANDOM ? 77 : 0};
      run(b, name, s, &wanted, built);
    }
  }
}

static void test_subject(device *d, const subject *s, size_t build_count, bool all_shapes) {
  for (size_t n = 0; n < build_count; n++) {
    char name[128];
    (void)snprintf(name, sizeof name, "%s (%s)", s->name, builds[n].options);
    build *b = build_subject(d, s, builds[n].options);
    for (size_t i = 0; b != NULL && i < SHAPES; i++) {
      if (all_shapes || i == SMALL_SHAPE) {
        run_orders(b, name, &shapes[i], GATE_TICKET, &builds[n].built);
        if (n == 0) run_orders(b, name, &shapes[i], GATE_HARDWARE, &builds[n].built);
      }
    }
    build_free(b);
  }
}

/* Two sources, each with the gate's functions, linked. */
static void test_linked(device *d) {
  char kernel[1 << 13];
  (void)snprintf(kernel, sizeof kernel, "%s%s", logging,
                 "size_t group(void);\n__kernel void test(PARAMETERS) {\n"
                 "  atomic_min(&begin[group()], atomic_inc(clock) + 1); atomic_inc(&members[group()]); WORK GO\n}\n");
  const char *const sources[] = {"size_t group(void) { return get_group_id(0); }\n", kernel};
  pp_input inputs[2];
  for (size_t i = 0; i < 2; i++)
    inputs[i] = (pp_input){.name = "linked.cl", .text = sources[i], .length = strlen(sources[i])};
  const shape line = {1, {50, 1, 1}, {2, 1, 1}, {0, 0, 0}, 0};
  instrument_result r;
  error e;
  if (instrument_program(inputs, 2, KERNEL_GATED, gate_text, &r, &e) != 0) {
    printf("FAILED linked: %s\n", e.text);
    failed++;
  } else {
    build *b = device_link(d, r.texts, r.options, 2);
    run_orders(b, "linked", &line, GATE_TICKET, &(check_build){false, false});
    build_free(b);
  }
  instrument_free(&r);
}

/* The last group of the launch is smaller: all stay who they are. */
static void test_uneven(device *d) {
  const subject s = {"uneven", "-cl-std=CL3.0", "__kernel void test(PARAMETERS) { COME WORK GO }\n"};
  const shape uneven = {1, {4, 1, 1}, {8, 1, 1}, {0, 0, 0}, 3};
  const schedule reverse = {.order = ORDER_REVERSE};
  build *b = build_subject(d, &s, GATE_OPTION_BARE);
  if (b == NULL) return;
  traces t = build_run(b, "test", &uneven, &reverse);
  if (t.launched && (t.record[GATE_UNEVEN] != 1 || t.record[GATE_STARTED] != 0 || t.members[3] != 5)) {
    printf("FAILED uneven groups: GATE_UNEVEN is %u, the last group has %u work-items\n",
           (unsigned)t.record[GATE_UNEVEN], (unsigned)t.members[3]);
    failed++;
  }
  printf("uneven groups: %s\n", t.launched ? "stay open" : "the device refuses them");
  traces_free(&t);
  build_free(b);
}

/* A target that the launch has not: nobody may wait for it. */
static void test_no_target(device *d) {
  build *b = build_subject(d, &subjects[0], GATE_OPTION_BARE);
  const schedule beyond = {.order = ORDER_FIRST, .target = 1000};
  if (b == NULL) return;
  traces t = build_run(b, "test", &shapes[SMALL_SHAPE], &beyond);
  for (uint32_t g = 0; g < t.groups; g++) failed += t.members[g] != 8 || t.record[GATE_GAVE_UP] != 0 ? 1 : 0;
  traces_free(&t);
  build_free(b);
}

int main(void) {
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  device *d = device_open();
  const size_t build_count = sizeof builds / sizeof *builds;
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
    test_subject(d, &subjects[i], i < 6 ? build_count : 1, i == 0);
  test_linked(d);
  test_uneven(d);
  test_no_target(d);
  printf("%u launches, in %u of them the hardware gate gave up, %u failed\n", launches, absent, failed);
  return failed == 0 && absent > 0 ? 0 : 1; /* no device has room for 10,000 groups at a time */
}
