// The gate (gate.h). The build embeds it in the program; lines that begin with // stay here.
//
// One work-item of a group, the lane whose local ids are all 0, passes the gate for its group, between the start of the
// kernel and a barrier that all meet. What it learns lies in `cltc_gate`: how far the group is renamed in each
// dimension, whether others wait for it, and how many of its work-items have ended.

#define CLTC_GATE_LOCALS 5

// What the context of a work-item holds: the difference between the ids of the group that this one stands for and its
// own, as it is added to the latter. Work-items use no memory for it: the first barrier hands out what the one lane
// found, and the second keeps that a value which compilers for CPUs know to be the same for all work-items, so that
// they still turn the loop over them into vector code.
//
// Definitions are `static` where the language has that: several sources of a program may hold this text.
#ifdef __OPENCL_C_VERSION__
#define CLTC_GATE_VERSION __OPENCL_C_VERSION__
#else
#define CLTC_GATE_VERSION 100
#endif
#if CLTC_GATE_VERSION >= 120
#define CLTC_GATE_STATIC static
#else
#define CLTC_GATE_STATIC
#endif
#if CLTC_GATE_VERSION >= 200
#define CLTC_GATE_FULL(d) get_enqueued_local_size(d)
#else
#define CLTC_GATE_FULL(d) get_local_size(d)
#endif
#if CLTC_GATE_VERSION == 200 || (CLTC_GATE_VERSION >= 300 && defined(__opencl_c_atomic_scope_device) && \
                                 defined(__opencl_c_atomic_order_acq_rel))
#define CLTC_GATE_FENCE \
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#else
#define CLTC_GATE_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
#define CLTC_GATE_RECORD ((volatile __global uint *)cltc_slots)
#define CLTC_GATE_FIRST_LANE ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0)
#define CLTC_GATE_LAST_LANE \
  (((get_local_size(0) - 1 - get_local_id(0)) | (get_local_size(1) - 1 - get_local_id(1)) | \
    (get_local_size(2) - 1 - get_local_id(2))) == 0)
#define CLTC_GATE_SIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
CLTC_GATE_STATIC ulong cltc_gate_own(void) {
  return ((ulong)get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
}
typedef struct {
  size_t delta0, delta1, delta2;
  uint counts;
#ifdef CLTC_WATCH
  volatile __global uint *state;
#endif
} cltc_gate_place;
#define CLTC_GATE_FIELDS cltc_gate_place gate;

// As schedule.c has it.
CLTC_GATE_STATIC uint cltc_gate_scramble(uint value, uint seed, uint round) {
  uint x = value + seed * 0x9E3779B9u + round * 0x7F4A7C15u;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}
CLTC_GATE_STATIC uint cltc_gate_permute(uint seed, uint groups, uint value, uint back) {
  uint half_bits = 0u;
  while ((1UL << (2u * half_bits)) < groups) {
    half_bits++;
  }
  const uint mask = (1u << half_bits) - 1u;
  do {
    uint left = value >> half_bits, right = value & mask;
    for (uint round = 0u; round < 4u; round++) {
      const uint kept = back ? left : right;
      const uint made = (back ? right : left) ^
                        (cltc_gate_scramble(kept, seed, back ? 3u - round : round) & mask);
      left = back ? made : kept;
      right = back ? kept : made;
    }
    value = (left << half_bits) | right;
  } while (value >= groups);
  return value;
}

// The group at a position or, `back`, the position of a group. Where one group is first or last, the others move up.
CLTC_GATE_STATIC uint cltc_gate_exchange(uint order, uint target, uint seed, uint groups, uint value,
                                         uint back) {
  if (order == 3u) {
    return groups - 1u - value;
  } else if (order == 4u) {
    return cltc_gate_permute(seed, groups, value, back);
  } else if (order == 5u) {
    return value;
  }
  const uint place = order == 1u ? 0u : groups - 1u;
  const uint from = back ? target : place, to = back ? place : target;
  const uint moved = value - (value > from ? 1u : 0u);
  return value == from ? to : moved + (moved >= to ? 1u : 0u);
}

// Waiting. Between two looks at the record the lane computes for a while, up to some hundred cycles, so that it leaves
// memory to the groups that run; the result goes into the number of looks, once in 2^32, or compilers would drop it.
//
// Every 1024th look is an atomic, for devices that keep what `volatile` reads in a cache.
//
// That nobody runs proves nothing under the ticket gate: between taking its ticket and being counted, a group may be
// interrupted for any time. Under the hardware gate so may a group whose turn it is, before it gets here; 2^20 looks
// are a tenth of a second at least, which is more than an operating system takes to give each thread its turn.
CLTC_GATE_STATIC uint cltc_gate_look(volatile __global uint *word, uint looks) {
  return (looks & 1023u) == 1023u ? atomic_or(word, 0u) : *word;
}
CLTC_GATE_STATIC uint cltc_gate_pause(uint looks) {
  uint x = looks;
  for (uint turn = 0u; turn < min(looks, 64u); turn++) {
    x = x * 0x19660Du + 0x3C6EF35Fu;
  }
  return x == 0x5EED5EEDu ? 2u : 1u;
}
CLTC_GATE_STATIC void cltc_gate_give_up(volatile __global uint *record, uint why) {
  (void)atomic_cmpxchg(&record[3], 0u, why);
}
CLTC_GATE_STATIC void cltc_gate_wait(volatile __global uint *record, uint need, uint hardware) {
  uint looks = 0u, started = 0u, done = 0u;
  while (done < need && cltc_gate_look(&record[3], looks) == 0u) {
    const uint started_now = cltc_gate_look(&record[1], looks);
    const uint done_now = cltc_gate_look(&record[2], looks);
    looks = started_now == started && done_now == done ? looks : 0u;
    started = started_now;
    done = done_now;
    if (hardware != 0u && started == done && done < need && looks >= 1u << 20) {
      cltc_gate_give_up(record, 1u);
    } else if (looks >= 0xfffffffeu) {
      cltc_gate_give_up(record, 2u);
    }
    looks += cltc_gate_pause(looks);
  }
}

// How many groups are in flight together: the discovery protocol of Sorensen, Donaldson, Batty, Gopalakrishnan and
// Rakamaric (OOPSLA 2016). A group that comes while the poll is open is counted, and none that was counted goes on
// before the poll is closed. Here groups linger while the count still grows, and then for some hundredths of a second
// unless all are there: threads of a busy machine start late.
CLTC_GATE_STATIC void cltc_gate_lock(volatile __global uint *record) {
  const uint ticket = atomic_inc(&record[7]);
  uint looks = 0u;
  while (cltc_gate_look(&record[8], looks) != ticket && cltc_gate_look(&record[3], looks) == 0u) {
    looks += cltc_gate_pause(looks);
    if (looks >= 0xfffffffeu) {
      cltc_gate_give_up(record, 2u);
    }
  }
  CLTC_GATE_FENCE
}
CLTC_GATE_STATIC void cltc_gate_unlock(volatile __global uint *record) {
  CLTC_GATE_FENCE
  (void)atomic_inc(&record[8]);
}
CLTC_GATE_STATIC void cltc_gate_linger(volatile __global uint *record, ulong groups) {
  uint count = 0u, looks = 0u;
  while (cltc_gate_look(&record[9], looks) == 0u && count < groups && looks < 1u << 17) {
    const uint now = cltc_gate_look(&record[6], looks);
    looks = now == count ? looks : 0u;
    count = now;
    looks += cltc_gate_pause(looks);
  }
}
CLTC_GATE_STATIC void cltc_gate_discover(volatile __global uint *record, ulong groups) {
  if (record[9] != 0u) {
    return;
  }
  cltc_gate_lock(record);
  const uint open = atomic_or(&record[9], 0u) == 0u ? 1u : 0u;
  (void)atomic_add(&record[6], open);
  cltc_gate_unlock(record);
  if (open != 0u) {
    cltc_gate_linger(record, groups);
    cltc_gate_lock(record);
    (void)atomic_or(&record[9], 1u);
    cltc_gate_unlock(record);
  }
}

// The one lane's way in. An order applies where one group can stand for another and the target exists.
CLTC_GATE_STATIC void cltc_gate_stand_for(__local uint *gate, uint group) {
  const uint across = (uint)get_num_groups(0), down = (uint)get_num_groups(1);
  gate[0] = group % across - (uint)get_group_id(0);
  gate[1] = group / across % down - (uint)get_group_id(1);
  gate[2] = group / across / down - (uint)get_group_id(2);
}
CLTC_GATE_STATIC uint cltc_gate_take_turn(__local uint *gate, volatile __global uint *record, ulong first,
                                          uint groups, uint own) {
  const uint target = (uint)first, order = (uint)(first >> 32) & 7u, hardware = (uint)(first >> 35) & 1u;
  const uint seed = (uint)(first >> 36) & 0xffffffu;
  const uint value = hardware != 0u ? own : atomic_inc(&record[0]);
  const uint other = cltc_gate_exchange(order, target, seed, groups, value, hardware);
  const uint position = hardware != 0u ? other : value, group = hardware != 0u ? own : other;
  const uint last = position == groups - 1u ? 1u : 0u;
  const uint counts = order == 1u ? (position == 0u ? 1u : 0u) : order == 2u ? 1u - last : 1u;
  const uint need = order == 1u ? 1u - counts : order == 2u ? last * (groups - 1u) : position;
  cltc_gate_wait(record, need, hardware);
  if (counts != 0u) {
    (void)atomic_inc(&record[1]);
  }
  CLTC_GATE_FENCE
  cltc_gate_stand_for(gate, group);
  gate[3] = counts;
  return group;
}
CLTC_GATE_STATIC uint cltc_gate_uneven(uint d) {
  return CLTC_GATE_FULL(d) * get_num_groups(d) != get_global_size(d) ? 1u : 0u;
}
CLTC_GATE_STATIC void cltc_gate_enter(__local uint *gate, volatile __global uint *record, ulong first) {
  const ulong groups = (ulong)get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
  const ulong own = cltc_gate_own();
  const uint order = (uint)(first >> 32) & 7u;
  const uint uneven = cltc_gate_uneven(0u) | cltc_gate_uneven(1u) | cltc_gate_uneven(2u);
  const uint even = uneven == 0u && groups < 0x80000000UL ? 1u : 0u;
  const uint exists = order > 2u || (uint)first < groups ? 1u : 0u;
  ulong group = own;
  gate[0] = gate[1] = gate[2] = gate[3] = gate[4] = 0u;
  if (own == 0UL) {
    record[4] = (uint)groups;
    record[5] = uneven;
    record[10] = (uint)(CLTC_GATE_FULL(0) * CLTC_GATE_FULL(1) * CLTC_GATE_FULL(2));
  }
  if (order == 6u) {
    cltc_gate_discover(record, groups);
  } else if (order >= 1u && order <= 5u && (even & exists) != 0u) {
    group = cltc_gate_take_turn(gate, record, first, (uint)groups, (uint)own);
  }
#ifdef CLTC_WATCH
  record[16 + group] = 1u;
#endif
}
#define CLTC_GATE_ENTER \
  if (CLTC_GATE_FIRST_LANE) { cltc_gate_enter(cltc_gate, CLTC_GATE_RECORD, cltc_first); } \
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); \
  const int cltc_gate_0 = (int)cltc_gate[0], cltc_gate_1 = (int)cltc_gate[1]; \
  const int cltc_gate_2 = (int)cltc_gate[2]; \
  const uint cltc_gate_counts = cltc_gate[3]; \
  barrier(CLK_LOCAL_MEM_FENCE);
#define CLTC_GATE_BEGIN \
  cltc->gate.delta0 = (size_t)(long)cltc_gate_0; \
  cltc->gate.delta1 = (size_t)(long)cltc_gate_1; \
  cltc->gate.delta2 = (size_t)(long)cltc_gate_2; \
  cltc->gate.counts = cltc_gate_counts; CLTC_GATE_STATE

// Where all work-items meet all barriers of the kernel, if it has any, they meet one more, and one lane tells that the
// group has ended; another lane than the first, whose test compilers for CPUs would else keep for each work-item.
// Elsewhere each work-item counts itself, and the last one finds that it is. What the others then do, as nothing may
// branch, is an addition to a word that nobody reads: best one of the group's own, lest groups contend for it.
#define CLTC_GATE_LEAVE \
  barrier(CLK_GLOBAL_MEM_FENCE); \
  if (CLTC_GATE_LAST_LANE) { \
    CLTC_GATE_END \
    if (cltc->gate.counts != 0u) { \
      CLTC_GATE_FENCE \
      (void)atomic_inc(&CLTC_GATE_RECORD[2]); \
    } \
  }
#define CLTC_GATE_LEAVE_EVENLY { \
  CLTC_GATE_FENCE \
  const uint cltc_ended = atomic_inc(&cltc_gate[4]) + 1u == CLTC_GATE_SIZE ? 1u : 0u; \
  CLTC_GATE_FENCE \
  CLTC_GATE_END_EVENLY \
  (void)atomic_inc((cltc_ended & cltc->gate.counts) != 0u ? &CLTC_GATE_RECORD[2] : CLTC_GATE_SPARE); }
#ifdef CLTC_BARE
#define CLTC_GATE_SPARE \
  ((volatile __global uint *)cltc_planes + min(16UL * cltc_gate_own(), (ulong)cltc_capacity))
#else
#define CLTC_GATE_SPARE ((volatile __global uint *)cltc_planes + 3)
#endif
#ifdef CLTC_WATCH
#define CLTC_GATE_STATE \
  cltc->gate.state = CLTC_GATE_RECORD + 16 + cltc_get_group_id(cltc, 0) + \
      get_num_groups(0) * (cltc_get_group_id(cltc, 1) + get_num_groups(1) * cltc_get_group_id(cltc, 2));
#define CLTC_GATE_SEEN(site) *cltc->gate.state = 2u + (site),
#define CLTC_GATE_END *cltc->gate.state = 0xffffffffu;
#define CLTC_GATE_END_EVENLY (void)atomic_max(cltc->gate.state, 0u - cltc_ended);
#else
#define CLTC_GATE_STATE
#define CLTC_GATE_SEEN(site)
#define CLTC_GATE_END
#define CLTC_GATE_END_EVENLY
#endif

CLTC_GATE_STATIC size_t cltc_gate_delta(__private const cltc_gate_place *place, uint d) {
  return d == 0u ? place->delta0 : d == 1u ? place->delta1 : d == 2u ? place->delta2 : 0;
}
CLTC_GATE_STATIC size_t cltc_gate_group_id(__private const cltc_gate_place *place, uint d) {
  return get_group_id(d) + cltc_gate_delta(place, d);
}
CLTC_GATE_STATIC size_t cltc_gate_global_id(__private const cltc_gate_place *place, uint d) {
  return get_global_id(d) + cltc_gate_delta(place, d) * get_local_size(d);
}
#define cltc_get_group_id(cltc, d) cltc_gate_group_id(&(cltc)->gate, d)
#define cltc_get_global_id(cltc, d) cltc_gate_global_id(&(cltc)->gate, d)
#define cltc_get_global_linear_id(cltc) \
  (get_global_linear_id() + (cltc)->gate.delta0 * get_local_size(0) + get_global_size(0) * \
      ((cltc)->gate.delta1 * get_local_size(1) + \
       get_global_size(1) * (cltc)->gate.delta2 * get_local_size(2)))
