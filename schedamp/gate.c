/* The gate's OpenCL C, from OpenCL C 1.0 on.
 *
 * One work-item of a group, the lane whose local ids are all 0, passes the gate for its group, between the start of the
 * kernel and a barrier that all meet. What it learns lies in `cltc_gate`: how far the group is renamed in each
 * dimension, whether others wait for it, and how many of its work-items have ended. */
#include "schedamp/gate.h"

#include "schedamp/schedule.h"

/* The text has these as numbers. */
_Static_assert(GATE_TICKET_NEXT == 0 && GATE_STARTED == 1 && GATE_DONE == 2 && GATE_GAVE_UP == 3 && GATE_GROUPS == 4 &&
                   GATE_UNEVEN == 5 && GATE_COUNT == 6 && GATE_LOCK_NEXT == 7 && GATE_LOCK_SERVED == 8 &&
                   GATE_CLOSED == 9 && GATE_LOCAL == 10 && GATE_WORDS == 16,
               "the words of a gate record");
_Static_assert(GATE_UP_ABSENT == 1 && GATE_UP_STUCK == 2, "why the gate gave up");
_Static_assert(GATE_STATE_IN == 1 && GATE_STATE_AT == 2, "the states of a group");
_Static_assert(ORDER_NONE == 0 && ORDER_FIRST == 1 && ORDER_LAST == 2 && ORDER_REVERSE == 3 && ORDER_RANDOM == 4 &&
                   ORDER_OCCUPANCY == 5,
               "the orders");

/* What the context of a work-item holds: the difference between the ids of the group that this one stands for and its
 * own, as it is added to the latter. Work-items use no memory for it: the first barrier hands out what the one lane
 * found, and the second keeps that a value which compilers for CPUs know to be the same for all work-items, so that
 * they still turn the loop over them into vector code.
 *
 * Definitions are `static` where the language has that: several sources of a program may hold this text. */
#define DEFINITIONS                                                                                                  \
  "#ifdef __OPENCL_C_VERSION__\n"                                                                                    \
  "#define CLTC_GATE_VERSION __OPENCL_C_VERSION__\n"                                                                 \
  "#else\n"                                                                                                          \
  "#define CLTC_GATE_VERSION 100\n"                                                                                  \
  "#endif\n"                                                                                                         \
  "#if CLTC_GATE_VERSION >= 120\n"                                                                                   \
  "#define CLTC_GATE_STATIC static\n"                                                                                \
  "#else\n"                                                                                                          \
  "#define CLTC_GATE_STATIC\n"                                                                                       \
  "#endif\n"                                                                                                         \
  "#if CLTC_GATE_VERSION >= 200\n"                                                                                   \
  "#define CLTC_GATE_FULL(d) get_enqueued_local_size(d)\n"                                                           \
  "#else\n"                                                                                                          \
  "#define CLTC_GATE_FULL(d) get_local_size(d)\n"                                                                    \
  "#endif\n"                                                                                                         \
  "#if CLTC_GATE_VERSION == 200 || (CLTC_GATE_VERSION >= 300 && defined(__opencl_c_atomic_scope_device) && \\\n"     \
  "                                 defined(__opencl_c_atomic_order_acq_rel))\n"                                     \
  "#define CLTC_GATE_FENCE \\\n"                                                                                     \
  "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"                     \
  "#else\n"                                                                                                          \
  "#define CLTC_GATE_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);\n"                                                       \
  "#endif\n"                                                                                                         \
  "#define CLTC_GATE_RECORD ((volatile __global uint *)cltc_slots)\n"                                                \
  "#define CLTC_GATE_FIRST_LANE ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0)\n"                      \
  "#define CLTC_GATE_LAST_LANE \\\n"                                                                                 \
  "  (((get_local_size(0) - 1 - get_local_id(0)) | (get_local_size(1) - 1 - get_local_id(1)) | \\\n"                 \
  "    (get_local_size(2) - 1 - get_local_id(2))) == 0)\n"                                                           \
  "#define CLTC_GATE_SIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))\n"                     \
  "CLTC_GATE_STATIC ulong cltc_gate_own(void) {\n"                                                                   \
  "  return ((ulong)get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);\n" \
  "}\n"                                                                                                              \
  "typedef struct {\n"                                                                                               \
  "  size_t delta0, delta1, delta2;\n"                                                                               \
  "  uint counts;\n"                                                                                                 \
  "#ifdef CLTC_WATCH\n"                                                                                              \
  "  volatile __global uint *state;\n"                                                                               \
  "#endif\n"                                                                                                         \
  "} cltc_gate_place;\n"                                                                                             \
  "#define CLTC_GATE_FIELDS cltc_gate_place gate;\n"

/* As schedule.c has it. */
#define PERMUTATION                                                                               \
  "CLTC_GATE_STATIC uint cltc_gate_scramble(uint value, uint seed, uint round) {\n"               \
  "  uint x = value + seed * 0x9E3779B9u + round * 0x7F4A7C15u;\n"                                \
  "  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;\n"                                                        \
  "  x = (x ^ (x >> 13)) * 0xC2B2AE35u;\n"                                                        \
  "  return x ^ (x >> 16);\n"                                                                     \
  "}\n"                                                                                           \
  "CLTC_GATE_STATIC uint cltc_gate_permute(uint seed, uint groups, uint value, uint back) {\n"    \
  "  uint half_bits = 0u;\n"                                                                      \
  "  while ((1UL << (2u * half_bits)) < groups) {\n"                                              \
  "    half_bits++;\n"                                                                            \
  "  }\n"                                                                                         \
  "  const uint mask = (1u << half_bits) - 1u;\n"                                                 \
  "  do {\n"                                                                                      \
  "    uint left = value >> half_bits, right = value & mask;\n"                                   \
  "    for (uint round = 0u; round < 4u; round++) {\n"                                            \
  "      const uint kept = back ? left : right;\n"                                                \
  "      const uint made = (back ? right : left) ^\n"                                             \
  "                        (cltc_gate_scramble(kept, seed, back ? 3u - round : round) & mask);\n" \
  "      left = back ? made : kept;\n"                                                            \
  "      right = back ? kept : made;\n"                                                           \
  "    }\n"                                                                                       \
  "    value = (left << half_bits) | right;\n"                                                    \
  "  } while (value >= groups);\n"                                                                \
  "  return value;\n"                                                                             \
  "}\n"

/* The group at a position or, `back`, the position of a group. Where one group is first or last, the others move up. */
#define POSITIONS                                                                                           \
  "CLTC_GATE_STATIC uint cltc_gate_exchange(uint order, uint target, uint seed, uint groups, uint value,\n" \
  "                                         uint back) {\n"                                                 \
  "  if (order == 3u) {\n"                                                                                  \
  "    return groups - 1u - value;\n"                                                                       \
  "  } else if (order == 4u) {\n"                                                                           \
  "    return cltc_gate_permute(seed, groups, value, back);\n"                                              \
  "  }\n"                                                                                                   \
  "  const uint place = order == 1u ? 0u : groups - 1u;\n"                                                  \
  "  const uint from = back ? target : place, to = back ? place : target;\n"                                \
  "  const uint moved = value - (value > from ? 1u : 0u);\n"                                                \
  "  return value == from ? to : moved + (moved >= to ? 1u : 0u);\n"                                        \
  "}\n"

/* Waiting. Between two looks at the record the lane computes for a while, up to some hundred cycles, so that it leaves
 * memory to the groups that run; the result goes into the number of looks, once in 2^32, or compilers would drop it.
 *
 * Every 1024th look is an atomic, for devices that keep what `volatile` reads in a cache.
 *
 * That nobody runs proves nothing under the ticket gate: between taking its ticket and being counted, a group may be
 * interrupted for any time. Under the hardware gate so may a group whose turn it is, before it gets here; 2^20 looks
 * are a tenth of a second at least, which is more than an operating system takes to give each thread its turn. */
#define WAITING                                                                                        \
  "CLTC_GATE_STATIC uint cltc_gate_look(volatile __global uint *word, uint looks) {\n"                 \
  "  return (looks & 1023u) == 1023u ? atomic_or(word, 0u) : *word;\n"                                 \
  "}\n"                                                                                                \
  "CLTC_GATE_STATIC uint cltc_gate_pause(uint looks) {\n"                                              \
  "  uint x = looks;\n"                                                                                \
  "  for (uint turn = 0u; turn < min(looks, 64u); turn++) {\n"                                         \
  "    x = x * 0x19660Du + 0x3C6EF35Fu;\n"                                                             \
  "  }\n"                                                                                              \
  "  return x == 0x5EED5EEDu ? 2u : 1u;\n"                                                             \
  "}\n"                                                                                                \
  "CLTC_GATE_STATIC void cltc_gate_give_up(volatile __global uint *record, uint why) {\n"              \
  "  (void)atomic_cmpxchg(&record[3], 0u, why);\n"                                                     \
  "}\n"                                                                                                \
  "CLTC_GATE_STATIC void cltc_gate_wait(volatile __global uint *record, uint need, uint hardware) {\n" \
  "  uint looks = 0u, started = 0u, done = 0u;\n"                                                      \
  "  while (done < need && cltc_gate_look(&record[3], looks) == 0u) {\n"                               \
  "    const uint started_now = cltc_gate_look(&record[1], looks);\n"                                  \
  "    const uint done_now = cltc_gate_look(&record[2], looks);\n"                                     \
  "    looks = started_now == started && done_now == done ? looks : 0u;\n"                             \
  "    started = started_now;\n"                                                                       \
  "    done = done_now;\n"                                                                             \
  "    if (hardware != 0u && started == done && done < need && looks >= 1u << 20) {\n"                 \
  "      cltc_gate_give_up(record, 1u);\n"                                                             \
  "    } else if (looks >= 0xfffffffeu) {\n"                                                           \
  "      cltc_gate_give_up(record, 2u);\n"                                                             \
  "    }\n"                                                                                            \
  "    looks += cltc_gate_pause(looks);\n"                                                             \
  "  }\n"                                                                                              \
  "}\n"

/* How many groups are in flight together: the discovery protocol of Sorensen, Donaldson, Batty, Gopalakrishnan and
 * Rakamaric (OOPSLA 2016). A group that comes while the poll is open is counted, and none that was counted goes on
 * before the poll is closed. Here groups linger while the count still grows, and then for some hundredths of a second
 * unless all are there: threads of a busy machine start late. */
#define OCCUPANCY                                                                                        \
  "CLTC_GATE_STATIC void cltc_gate_lock(volatile __global uint *record) {\n"                             \
  "  const uint ticket = atomic_inc(&record[7]);\n"                                                      \
  "  uint looks = 0u;\n"                                                                                 \
  "  while (cltc_gate_look(&record[8], looks) != ticket && cltc_gate_look(&record[3], looks) == 0u) {\n" \
  "    looks += cltc_gate_pause(looks);\n"                                                               \
  "    if (looks >= 0xfffffffeu) {\n"                                                                    \
  "      cltc_gate_give_up(record, 2u);\n"                                                               \
  "    }\n"                                                                                              \
  "  }\n"                                                                                                \
  "  CLTC_GATE_FENCE\n"                                                                                  \
  "}\n"                                                                                                  \
  "CLTC_GATE_STATIC void cltc_gate_unlock(volatile __global uint *record) {\n"                           \
  "  CLTC_GATE_FENCE\n"                                                                                  \
  "  (void)atomic_inc(&record[8]);\n"                                                                    \
  "}\n"                                                                                                  \
  "CLTC_GATE_STATIC void cltc_gate_linger(volatile __global uint *record, ulong groups) {\n"             \
  "  uint count = 0u, looks = 0u;\n"                                                                     \
  "  while (cltc_gate_look(&record[9], looks) == 0u && count < groups && looks < 1u << 17) {\n"          \
  "    const uint now = cltc_gate_look(&record[6], looks);\n"                                            \
  "    looks = now == count ? looks : 0u;\n"                                                             \
  "    count = now;\n"                                                                                   \
  "    looks += cltc_gate_pause(looks);\n"                                                               \
  "  }\n"                                                                                                \
  "}\n"                                                                                                  \
  "CLTC_GATE_STATIC void cltc_gate_discover(volatile __global uint *record, ulong groups) {\n"           \
  "  if (record[9] != 0u) {\n"                                                                           \
  "    return;\n"                                                                                        \
  "  }\n"                                                                                                \
  "  cltc_gate_lock(record);\n"                                                                          \
  "  const uint open = atomic_or(&record[9], 0u) == 0u ? 1u : 0u;\n"                                     \
  "  (void)atomic_add(&record[6], open);\n"                                                              \
  "  cltc_gate_unlock(record);\n"                                                                        \
  "  if (open != 0u) {\n"                                                                                \
  "    cltc_gate_linger(record, groups);\n"                                                              \
  "    cltc_gate_lock(record);\n"                                                                        \
  "    (void)atomic_or(&record[9], 1u);\n"                                                               \
  "    cltc_gate_unlock(record);\n"                                                                      \
  "  }\n"                                                                                                \
  "}\n"

/* The one lane's way in. An order applies where one group can stand for another and the target exists. */
#define ENTERING                                                                                                 \
  "CLTC_GATE_STATIC void cltc_gate_stand_for(__local uint *gate, uint group) {\n"                                \
  "  const uint across = (uint)get_num_groups(0), down = (uint)get_num_groups(1);\n"                             \
  "  gate[0] = group % across - (uint)get_group_id(0);\n"                                                        \
  "  gate[1] = group / across % down - (uint)get_group_id(1);\n"                                                 \
  "  gate[2] = group / across / down - (uint)get_group_id(2);\n"                                                 \
  "}\n"                                                                                                          \
  "CLTC_GATE_STATIC uint cltc_gate_take_turn(__local uint *gate, volatile __global uint *record, ulong first,\n" \
  "                                          uint groups, uint own) {\n"                                         \
  "  const uint target = (uint)first, order = (uint)(first >> 32) & 7u, hardware = (uint)(first >> 35) & 1u;\n"  \
  "  const uint seed = (uint)(first >> 36) & 0xffffffu;\n"                                                       \
  "  const uint value = hardware != 0u ? own : atomic_inc(&record[0]);\n"                                        \
  "  const uint other = cltc_gate_exchange(order, target, seed, groups, value, hardware);\n"                     \
  "  const uint position = hardware != 0u ? other : value, group = hardware != 0u ? own : other;\n"              \
  "  const uint last = position == groups - 1u ? 1u : 0u;\n"                                                     \
  "  const uint counts = order == 1u ? (position == 0u ? 1u : 0u) : order == 2u ? 1u - last : 1u;\n"             \
  "  const uint need = order == 1u ? 1u - counts : order == 2u ? last * (groups - 1u) : position;\n"             \
  "  cltc_gate_wait(record, need, hardware);\n"                                                                  \
  "  if (counts != 0u) {\n"                                                                                      \
  "    (void)atomic_inc(&record[1]);\n"                                                                          \
  "  }\n"                                                                                                        \
  "  CLTC_GATE_FENCE\n"                                                                                          \
  "  cltc_gate_stand_for(gate, group);\n"                                                                        \
  "  gate[3] = counts;\n"                                                                                        \
  "  return group;\n"                                                                                            \
  "}\n"                                                                                                          \
  "CLTC_GATE_STATIC uint cltc_gate_uneven(uint d) {\n"                                                           \
  "  return CLTC_GATE_FULL(d) * get_num_groups(d) != get_global_size(d) ? 1u : 0u;\n"                            \
  "}\n"                                                                                                          \
  "CLTC_GATE_STATIC void cltc_gate_enter(__local uint *gate, volatile __global uint *record, ulong first) {\n"   \
  "  const ulong groups = (ulong)get_num_groups(0) * get_num_groups(1) * get_num_groups(2);\n"                   \
  "  const ulong own = cltc_gate_own();\n"                                                                       \
  "  const uint order = (uint)(first >> 32) & 7u;\n"                                                             \
  "  const uint uneven = cltc_gate_uneven(0u) | cltc_gate_uneven(1u) | cltc_gate_uneven(2u);\n"                  \
  "  const uint even = uneven == 0u && groups < 0x80000000UL ? 1u : 0u;\n"                                       \
  "  const uint exists = order > 2u || (uint)first < groups ? 1u : 0u;\n"                                        \
  "  ulong group = own;\n"                                                                                       \
  "  gate[0] = gate[1] = gate[2] = gate[3] = gate[4] = 0u;\n"                                                    \
  "  if (own == 0UL) {\n"                                                                                        \
  "    record[4] = (uint)groups;\n"                                                                              \
  "    record[5] = uneven;\n"                                                                                    \
  "    record[10] = (uint)(CLTC_GATE_FULL(0) * CLTC_GATE_FULL(1) * CLTC_GATE_FULL(2));\n"                        \
  "  }\n"                                                                                                        \
  "  if (order == 5u) {\n"                                                                                       \
  "    cltc_gate_discover(record, groups);\n"                                                                    \
  "  } else if (order >= 1u && order <= 4u && (even & exists) != 0u) {\n"                                        \
  "    group = cltc_gate_take_turn(gate, record, first, (uint)groups, (uint)own);\n"                             \
  "  }\n"                                                                                                        \
  "#ifdef CLTC_WATCH\n"                                                                                          \
  "  record[16 + group] = 1u;\n"                                                                                 \
  "#endif\n"                                                                                                     \
  "}\n"                                                                                                          \
  "#define CLTC_GATE_ENTER \\\n"                                                                                 \
  "  if (CLTC_GATE_FIRST_LANE) { cltc_gate_enter(cltc_gate, CLTC_GATE_RECORD, cltc_first); } \\\n"               \
  "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); \\\n"                                                  \
  "  const int cltc_gate_0 = (int)cltc_gate[0], cltc_gate_1 = (int)cltc_gate[1]; \\\n"                           \
  "  const int cltc_gate_2 = (int)cltc_gate[2]; \\\n"                                                            \
  "  const uint cltc_gate_counts = cltc_gate[3]; \\\n"                                                           \
  "  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                            \
  "#define CLTC_GATE_BEGIN \\\n"                                                                                 \
  "  cltc->gate.delta0 = (size_t)(long)cltc_gate_0; \\\n"                                                        \
  "  cltc->gate.delta1 = (size_t)(long)cltc_gate_1; \\\n"                                                        \
  "  cltc->gate.delta2 = (size_t)(long)cltc_gate_2; \\\n"                                                        \
  "  cltc->gate.counts = cltc_gate_counts; CLTC_GATE_STATE\n"

/* Where all work-items meet all barriers of the kernel, if it has any, they meet one more, and one lane tells that the
 * group has ended; another lane than the first, whose test compilers for CPUs would else keep for each work-item.
 * Elsewhere each work-item counts itself, and the last one finds that it is. What the others then do, as nothing may
 * branch, is an addition to a word that nobody reads: best one of the group's own, lest groups contend for it. */
#define LEAVING                                                                                                \
  "#define CLTC_GATE_LEAVE \\\n"                                                                               \
  "  barrier(CLK_GLOBAL_MEM_FENCE); \\\n"                                                                      \
  "  if (CLTC_GATE_LAST_LANE) { \\\n"                                                                          \
  "    CLTC_GATE_END \\\n"                                                                                     \
  "    if (cltc->gate.counts != 0u) { \\\n"                                                                    \
  "      CLTC_GATE_FENCE \\\n"                                                                                 \
  "      (void)atomic_inc(&CLTC_GATE_RECORD[2]); \\\n"                                                         \
  "    } \\\n"                                                                                                 \
  "  }\n"                                                                                                      \
  "#define CLTC_GATE_LEAVE_EVENLY { \\\n"                                                                      \
  "  CLTC_GATE_FENCE \\\n"                                                                                     \
  "  const uint cltc_ended = atomic_inc(&cltc_gate[4]) + 1u == CLTC_GATE_SIZE ? 1u : 0u; \\\n"                 \
  "  CLTC_GATE_FENCE \\\n"                                                                                     \
  "  CLTC_GATE_END_EVENLY \\\n"                                                                                \
  "  (void)atomic_inc((cltc_ended & cltc->gate.counts) != 0u ? &CLTC_GATE_RECORD[2] : CLTC_GATE_SPARE); }\n"   \
  "#ifdef CLTC_BARE\n"                                                                                         \
  "#define CLTC_GATE_SPARE \\\n"                                                                               \
  "  ((volatile __global uint *)cltc_planes + min(16UL * cltc_gate_own(), (ulong)cltc_capacity))\n"            \
  "#else\n"                                                                                                    \
  "#define CLTC_GATE_SPARE ((volatile __global uint *)cltc_planes + 3)\n"                                      \
  "#endif\n"                                                                                                   \
  "#ifdef CLTC_WATCH\n"                                                                                        \
  "#define CLTC_GATE_STATE \\\n"                                                                               \
  "  cltc->gate.state = CLTC_GATE_RECORD + 16 + cltc_get_group_id(cltc, 0) + \\\n"                             \
  "      get_num_groups(0) * (cltc_get_group_id(cltc, 1) + get_num_groups(1) * cltc_get_group_id(cltc, 2));\n" \
  "#define CLTC_GATE_SEEN(site) *cltc->gate.state = 2u + (site),\n"                                            \
  "#define CLTC_GATE_END *cltc->gate.state = 0xffffffffu;\n"                                                   \
  "#define CLTC_GATE_END_EVENLY (void)atomic_max(cltc->gate.state, 0u - cltc_ended);\n"                        \
  "#else\n"                                                                                                    \
  "#define CLTC_GATE_STATE\n"                                                                                  \
  "#define CLTC_GATE_SEEN(site)\n"                                                                             \
  "#define CLTC_GATE_END\n"                                                                                    \
  "#define CLTC_GATE_END_EVENLY\n"                                                                             \
  "#endif\n"

#define RENAMING                                                                                    \
  "CLTC_GATE_STATIC size_t cltc_gate_delta(__private const cltc_gate_place *place, uint d) {\n"     \
  "  return d == 0u ? place->delta0 : d == 1u ? place->delta1 : d == 2u ? place->delta2 : 0;\n"     \
  "}\n"                                                                                             \
  "CLTC_GATE_STATIC size_t cltc_gate_group_id(__private const cltc_gate_place *place, uint d) {\n"  \
  "  return get_group_id(d) + cltc_gate_delta(place, d);\n"                                         \
  "}\n"                                                                                             \
  "CLTC_GATE_STATIC size_t cltc_gate_global_id(__private const cltc_gate_place *place, uint d) {\n" \
  "  return get_global_id(d) + cltc_gate_delta(place, d) * get_local_size(d);\n"                    \
  "}\n"                                                                                             \
  "#define cltc_get_group_id(cltc, d) cltc_gate_group_id(&(cltc)->gate, d)\n"                       \
  "#define cltc_get_global_id(cltc, d) cltc_gate_global_id(&(cltc)->gate, d)\n"                     \
  "#define cltc_get_global_linear_id(cltc) \\\n"                                                    \
  "  (get_global_linear_id() + (cltc)->gate.delta0 * get_local_size(0) + get_global_size(0) * \\\n" \
  "      ((cltc)->gate.delta1 * get_local_size(1) + \\\n"                                           \
  "       get_global_size(1) * (cltc)->gate.delta2 * get_local_size(2)))\n"

const char gate_text[] =
    "#define CLTC_GATE_LOCALS 5\n" DEFINITIONS PERMUTATION POSITIONS WAITING OCCUPANCY ENTERING LEAVING RENAMING;
