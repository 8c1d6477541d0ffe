// Shadow memory: every access to global and local memory is held against what other work-items did to the same bytes.
//
// A granule of memory (1, 4, 8 or 16 bytes) has three words of 64 bits in `cells`: its last write, its reads, and what was
// written last (cltc_value_word). A word of the first two:
//   bits 59..63 tag of the launch, so that nothing needs to be cleared between launches
//   bits 56..58 what the word stands for (CLTC_ONE, …)
//   bits 44..55 the access, as a number in the program
//   bits 32..43 the barrier interval: how many barriers for this memory (global, local, images) the work-item had passed
//   bits 0..31  the work-item: its group's number, shifted left by `bits`, and its own in the group; all ones in the
//               low bits is none of them but a copy by the whole group
// Words of local memory count for the group alone that wrote them: groups may share cells, one after another.
//
// docs/races.md has the rules. Words change by compare-and-exchange: no compiler may make vectors of such loops.

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ < 120
#define CLTC_OWN // such programs are not linked with others
#else
#define CLTC_OWN static
#endif

// Work-groups in the opposite order, where the device begins them in ascending order and all of them are full.
#ifdef CLTC_REVERSED
CLTC_OWN size_t cltc_group_id(uint d) {
  const size_t groups = get_num_groups(d);
  return groups * get_local_size(d) == get_global_size(d) ? groups - 1 - get_group_id(d) : get_group_id(d);
}
CLTC_OWN size_t cltc_global_id(uint d) {
  return get_global_id(d) + (cltc_group_id(d) - get_group_id(d)) * get_local_size(d);
}
#define get_group_id cltc_group_id
#define get_global_id cltc_global_id
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
CLTC_OWN size_t cltc_place_of(uint d) { return get_global_id(d) - get_global_offset(d); }
CLTC_OWN size_t cltc_global_linear_id(void) {
  return (cltc_place_of(2) * get_global_size(1) + cltc_place_of(1)) * get_global_size(0) + cltc_place_of(0);
}
#define get_global_linear_id cltc_global_linear_id
#endif
#endif

#define CLTC_READ 0u
#define CLTC_WRITE 1u
#define CLTC_ATOMIC 2u
#define CLTC_LOOK 3u
#define CLTC_UPDATE 4u
#define CLTC_KIND 7u
#define CLTC_ORDERED 8u // with a memory order of its own
#define CLTC_OF_GROUP 16u // atomic for the own group alone
#define CLTC_PIXEL 32u // of an image: there is no address
#define CLTC_READ_WRITE 64u // of one that the kernel may read and write

// Words of writes: one work-item wrote, or one, several of a group, several groups did so by atomic functions; EARLIER:
// and in an earlier interval the group wrote without. Words of reads: one, several of a group, several groups.
#define CLTC_ONE 0u
#define CLTC_ONE_ATOMIC 1u
#define CLTC_MANY 2u
#define CLTC_GROUPS 3u
#define CLTC_EARLIER 4u

#define CLTC_LAST_INTERVAL 4095u
#define CLTC_IMAGE_FENCE 4u // CLK_IMAGE_MEM_FENCE
#define CLTC_NO_CELLS (~0ul)
#define CLTC_OFF 31u
#define CLTC_COPY_BITS 32u
#define CLTC_SYNC_AT 8u
#define CLTC_SYNC 512u
#define CLTC_SLOTS_AT (CLTC_SYNC_AT + 4u * CLTC_SYNC)
#define CLTC_SLOT_WORDS 22u
#define CLTC_SLOT_COUNT 128u

typedef struct {
  volatile __global ulong *cells;
  volatile __global uint *records;
  uint me, bits, launch;
  uint global_interval, local_interval, image_interval;
  uint copies, awaited; // async copies that were begun; a bit for each of the last ones
#ifdef CLTC_COPIES
  uint events, of_event[CLTC_COPY_BITS]; // events that there were; of each of the last ones its copies
#endif
  uint fenced, valued; // valued: `value` is what the next write stores
  ulong first, area;
  ulong value, pixel;
#ifdef CLTC_LOOKS_UP
  uint globals, locals;
  ulong global_base[CLTC_GLOBALS], local_base[CLTC_LOCALS];
  ulong2 global_cells[CLTC_GLOBALS], local_cells[CLTC_LOCALS];
#endif
} cltc_context;

typedef struct {
  uint site, kind, interval, who, object;
  ulong where; // byte in the object
  uint bytes;
  int local_memory, of_group;
  uint value, valued; // what a write stores, where that is known
} cltc_access;

#define CLTC_TAG (31ul << 59)
#define CLTC_INTERVAL (4095ul << 32)

// The number in a group that stands for a copy by all of it.
CLTC_OWN uint cltc_copy_of(const __private cltc_context *c) { return (1u << c->bits) - 1u; }

CLTC_OWN uint cltc_state(ulong w) { return (uint)(w >> 56) & 7u; }

CLTC_OWN int cltc_same_group(const __private cltc_context *c, ulong w) { return ((uint)w >> c->bits) == (c->me >> c->bits); }

// Whether the copy of this number was not waited for. Of one that many others came after nothing is known.
CLTC_OWN int cltc_under_way(const __private cltc_context *c, uint number) {
  const uint after = (c->copies + 1u - number) & 4095u;
  return after == 0u || (after < CLTC_COPY_BITS && !(c->awaited >> (number & (CLTC_COPY_BITS - 1u)) & 1u));
}

// Whether the word is of the running barrier interval; of a copy: whether this work-item has not waited for it.
CLTC_OWN int cltc_now(const __private cltc_context *c, ulong w, uint interval) {
  const uint of = (uint)(w >> 32) & 4095u;
  return (((uint)w & cltc_copy_of(c)) == cltc_copy_of(c)) ? cltc_under_way(c, of) : of == interval && of != CLTC_LAST_INTERVAL;
}

// Whether what the word stands for is by another work-item than the access, or by another copy, and not ordered by
// barriers.
CLTC_OWN int cltc_unordered(const __private cltc_context *c, ulong w, const __private cltc_access *a) {
  const uint state = cltc_state(w) & 3u;
  if (state == CLTC_GROUPS || !cltc_same_group(c, w)) {
    return 1;
  }
#ifdef CLTC_SUB_GROUPS // barriers of sub-groups order accesses of a group, and are not followed
  return 0;
#endif
  if (!cltc_now(c, w, a->interval)) {
    return 0;
  }
  return state == CLTC_MANY || (uint)w != a->who ||
         ((a->who & cltc_copy_of(c)) == cltc_copy_of(c) && ((uint)(w >> 44) & 0xfffu) != a->site);
}

// Which atomic variables a group used after a fence, and which ones it used at all: 24 bits of a filter each, with the
// launch above them.
CLTC_OWN void cltc_note(volatile __global uint *at, uint launch, uint bits) {
  uint old = *at;
  for (;;) {
    const uint now = (old >> 24) == (launch & 255u) ? old | bits : ((launch & 255u) << 24) | bits;
    if (now == old) {
      return;
    }
    const uint seen = atomic_cmpxchg(at, old, now);
    if (seen == old) {
      return;
    }
    old = seen;
  }
}

CLTC_OWN uint cltc_noted(volatile __global uint *at, uint launch) {
  const uint value = *at;
  return (value >> 24) == (launch & 255u) ? value & 0xffffffu : 0u;
}

CLTC_OWN volatile __global uint *cltc_sync(const __private cltc_context *c, uint table, uint item) {
  return c->records + CLTC_SYNC_AT + table * CLTC_SYNC + ((item >> c->bits) & (CLTC_SYNC - 1u));
}

// The highest interval of a launch that was released, and one more.
CLTC_OWN void cltc_release(volatile __global uint *at, uint launch, uint interval) {
  const uint own = ((launch & 255u) << 16) | (interval + 1u);
  if ((*at >> 16) != (launch & 255u)) {
    atomic_xchg(at, own);
  } else {
    atomic_max(at, own);
  }
}

CLTC_OWN int cltc_is_released(volatile __global uint *at, uint launch, uint interval) {
  const uint value = *at;
  return (value >> 16) == (launch & 255u) && (value & 0xffffu) > interval;
}

CLTC_OWN volatile __global uint *cltc_own(const __private cltc_context *c, uint item) {
  return c->records + CLTC_SYNC_AT + 3u * CLTC_SYNC + ((item * 0x9E3779B1u) >> 23);
}

// A fence: what the work-item did until now is released by the next atomic function of its group.
CLTC_OWN void cltc_fence(__private cltc_context *c) {
#ifdef CLTC_ATOMICS // else nothing acquires
  c->fenced = 1u;
  cltc_release(cltc_own(c, c->me), c->launch, c->global_interval);
#endif
}

// An atomic function on global memory. After a fence, or by its own memory order (`ordered`), it releases what the
// work-item did, and what others of the group did before the last barrier. It may always acquire.
CLTC_OWN void cltc_synchronise(__private cltc_context *c, ulong address, int writes, int ordered) {
  const uint bit = 1u << (uint)(((address >> 2) * 0x9E3779B97F4A7C15ul >> 32) % 24u);
  if (ordered) {
    cltc_fence(c);
  }
  if (writes && c->fenced) {
    cltc_release(cltc_sync(c, 2u, c->me), c->launch, c->global_interval);
    cltc_note(cltc_sync(c, 0u, c->me), c->launch, bit);
  }
  cltc_note(cltc_sync(c, 1u, c->me), c->launch, bit);
}

// Whether a release of the word's group and an acquire of this one may order the two accesses.
CLTC_OWN int cltc_released(const __private cltc_context *c, ulong w) {
#ifdef CLTC_STRICT
  return 0;
#else
  const uint released = cltc_noted(cltc_sync(c, 0u, (uint)w), c->launch);
  const uint acquired = cltc_noted(cltc_sync(c, 1u, c->me), c->launch);
  const uint interval = (uint)(w >> 32) & 4095u;
  return (released & acquired) != 0u && (cltc_is_released(cltc_sync(c, 2u, (uint)w), c->launch, interval + 1u) ||
                                         cltc_is_released(cltc_own(c, (uint)w), c->launch, interval));
#endif
}

CLTC_OWN volatile __global uint *cltc_slot(const __private cltc_context *c, uint key) {
  uint n = (key * 0x9E3779B1u) >> 25;
  for (uint i = 0; i < CLTC_SLOT_COUNT; i++, n = (n + 1u) % CLTC_SLOT_COUNT) {
    volatile __global uint *at = c->records + CLTC_SLOTS_AT + n * CLTC_SLOT_WORDS;
    const uint old = atomic_cmpxchg(at, 0u, key);
    if (old == 0u || old == key) {
      return at;
    }
  }
  atomic_inc(c->records + 1);
  return 0;
}

// Where it is asked whether all executions are alike: something says that they may not be.
CLTC_OWN void cltc_missed(const __private cltc_context *c) {
#ifdef CLTC_BOUNDS
  c->records[4] = 1u;
#endif
}

// What a granule got by the last write:
//   bits 59..63 tag of the launch
//   bits 34..58 a digest of launch, interval and work-item
//   bit 33      1; 0 in a word of cltc_hidden
//   bit 32      in this interval it also stored something else, or something that is not known
//   bits 0..31  the value, or a digest of it, and of which part of it lies here; with bit 32: 0
#define CLTC_VARIED (1ul << 32)

CLTC_OWN ulong cltc_writer(ulong w) {
  const ulong who = w & (CLTC_TAG | CLTC_INTERVAL | 0xfffffffful);
  return (w & CLTC_TAG) | (((who * 0x9E3779B97F4A7C15ul) >> 5 | 1ul << 33) & ~(CLTC_TAG | 0x1fffffffful));
}

// Words of cltc_hidden: their writer's digest is in bits 46..58, that of the value in bits 34..45.
CLTC_OWN int cltc_is_hidden(ulong stored) { return (stored & 1ul << 33) == 0ul && (stored & 1ul << 31) != 0ul; }

CLTC_OWN ulong cltc_fold(uint value) { return (ulong)((value * 0x9E3779B1u) >> 20) << 34; }

CLTC_OWN int cltc_is_value(ulong stored, uint value) {
  return cltc_is_hidden(stored) ? (stored & 0xffful << 34) == cltc_fold(value) : (uint)stored == value;
}

CLTC_OWN int cltc_is_of(ulong stored, ulong writer) {
  return ((stored ^ writer) >> (cltc_is_hidden(stored) ? 46 : 33)) == 0ul;
}

CLTC_OWN ulong cltc_value_word(ulong before, ulong own, uint value, uint valued, uint part) {
  const ulong writer = cltc_writer(own);
  const uint here = value ^ part * 0x9E3779B1u;
  const int varied =
      !valued || (cltc_is_of(before, writer) && ((before & CLTC_VARIED) != 0ul || !cltc_is_value(before, here)));
  return writer | (varied ? CLTC_VARIED : here);
}

// A write that another one of its group replaces, in order, by another value: other groups race with it, too. The word of
// values then has its access and work-item in bits 0..30, access << 19 | number in the group, until another group writes.
CLTC_OWN ulong cltc_hidden(ulong before, ulong stored, ulong w, ulong own, ulong group) {
  const ulong key = CLTC_TAG | CLTC_INTERVAL | 0xfffffffful, values = CLTC_VARIED | 0xfffffffful;
  if (((w ^ own) & group) != 0ul || (cltc_state(w) & 3u) != CLTC_ONE || !cltc_is_of(before, cltc_writer(w))) {
    return stored;
  }
  const int again = cltc_is_hidden(before);
  if (!again &&
      (((w ^ own) & key) == 0ul || (((before ^ stored) & values) == 0ul && (before & CLTC_VARIED) == 0ul))) {
    return stored;
  }
  const ulong first = again ? before & 0x7ffffffful : (w >> 44 & 0xffful) << 19 | (w & ~group & 0x7fffful);
  return (stored & (CLTC_TAG | 0x1ffful << 46 | CLTC_VARIED)) | cltc_fold((uint)stored) | 1ul << 31 | first;
}

// What the writer of `w` stored; 0: that is not known. `before` is what this write, which stores `mine`, has replaced. Where a
// third writer came between, that is the third one's value, and it stands for the writer of `w`: each write is held against
// the one that it replaces.
CLTC_OWN ulong cltc_stored_by(const __private cltc_context *c, ulong w, ulong before, ulong after, ulong mine,
                            int local_memory) {
  const ulong writer = cltc_writer(w);
  const ulong later = cltc_is_of(after, writer) ? after : 0ul;
  const int third = !cltc_is_of(before, writer) && !local_memory && ((before ^ c->first) & CLTC_TAG) == 0ul;
  const ulong found = cltc_is_of(before, writer)                     ? before
                      : third && ((before & CLTC_VARIED) != 0ul ||
                                  !cltc_is_value(before, (uint)mine) || !later) ? before
                                                                     : later;
  const int known = (found & CLTC_VARIED) == 0ul && (!cltc_is_hidden(found) || cltc_is_value(found, (uint)mine));
  return !known ? 0ul : cltc_is_hidden(found) ? mine : found; // of another value a digest says that it is another one
}

// `other`, `mine`: what the two accesses stored, where both are writes and that is known, else 0.
__attribute__((noinline)) CLTC_OWN void cltc_report(__private cltc_context *c, const __private cltc_access *a, ulong w,
                                                  int reads, uint earlier, ulong other, ulong mine) {
  if (!a->local_memory && cltc_released(c, w)) {
    cltc_missed(c); // maybe not in another run
    return;
  }
  // of several readers the last one is known, which may be this work-item
  const int unknown = earlier || (reads && cltc_state(w) == CLTC_MANY && (uint)w == a->who);
  const uint before = unknown ? 0xfffu : (uint)(w >> 44) & 0xfffu;
  volatile __global uint *at = cltc_slot(c, 1u + before * 4096u + a->site);
  atomic_inc(c->records);
  if (at == 0) {
    return;
  }
  if (atomic_inc(at + 1) == 0u) {
    at[3] = c->launch;
    at[4] = (uint)w;
    at[5] = ((uint)(w >> 32) & 0xfffu) | cltc_state(w) << 12 | (reads ? 1u << 15 : 0u);
    at[6] = a->who;
    at[7] = a->interval;
    at[8] = a->object;
    at[9] = (uint)a->where;
    at[10] = (uint)(a->where >> 32);
    at[11] = c->bits;
    at[20] = (uint)c->pixel;
    at[21] = (uint)(c->pixel >> 32);
    at[19] = 1u;
  }
  if (other == 0ul || mine == 0ul) {
    return;
  }
  if ((uint)other == (uint)mine) {
    atomic_inc(at + 2);
  } else if (a->bytes <= 4u && atomic_xchg(at + 17, 1u) == 0u) {
    at[12] = (uint)other;
    at[13] = 0u;
    at[14] = (uint)mine;
    at[15] = 0u;
    at[16] = a->bytes;
  }
}

CLTC_OWN ulong cltc_enter(volatile __global ulong *at, ulong old, ulong now) { return atom_cmpxchg(at, old, now); }

// What it replaces.
CLTC_OWN ulong cltc_swap(volatile __global ulong *at, ulong now) {
  ulong old = *at;
  for (ulong seen = cltc_enter(at, old, now); seen != old; seen = cltc_enter(at, old, now)) {
    old = seen;
  }
  return old;
}

// Enters a read and gives the word of writes.
CLTC_OWN void cltc_read(__private cltc_context *c, volatile __global ulong *cell, ulong own,
                      const __private cltc_access *a) {
  ulong r = cell[1];
  for (;;) {
    ulong now = own;
    if (((r ^ c->first) & CLTC_TAG) == 0ul && (!a->local_memory || cltc_same_group(c, r))) {
      if (cltc_state(r) == CLTC_GROUPS) {
        break;
      }
      if (!cltc_same_group(c, r)) {
        // after a release by the group that has read before, this read stands for both
        const int behind = cltc_state(r) == CLTC_ONE && cltc_released(c, r);
        now = behind ? own : own | (ulong)CLTC_GROUPS << 56;
      } else if (cltc_now(c, r, a->interval)) {
        if ((uint)r == a->who || cltc_state(r) == CLTC_MANY) {
          break;
        }
        now = own | (ulong)CLTC_MANY << 56;
      }
    }
    const ulong seen = cltc_enter(cell + 1, r, now);
    if (seen == r) {
      break;
    }
    r = seen;
  }
  const ulong w = cell[0];
  if (((w ^ c->first) & CLTC_TAG) == 0ul && (!a->local_memory || cltc_same_group(c, w)) &&
      cltc_unordered(c, w, a)) {
    cltc_report(c, a, w, 0, 0u, 0ul, 0ul);
  }
}

// What a word of writes becomes by an atomic access; itself: it stays.
CLTC_OWN ulong cltc_with_atomic(const __private cltc_context *c, ulong w, ulong own, const __private cltc_access *a) {
  const uint state = cltc_state(w) & 3u;
  const ulong earlier = w & ((ulong)CLTC_EARLIER << 56);
  const ulong one = own | (ulong)CLTC_ONE_ATOMIC << 56;
  if (((w ^ c->first) & CLTC_TAG) != 0ul || (a->local_memory && !cltc_same_group(c, w))) {
    return one;
  }
  if (state == CLTC_ONE) {
    const int mine = cltc_same_group(c, w);
    return mine && cltc_now(c, w, a->interval) && (uint)w == a->who ? w
           : mine                                                   ? one | (ulong)CLTC_EARLIER << 56
                                                                    : one;
  }
  if (state == CLTC_GROUPS) {
    return w;
  }
  if (!cltc_same_group(c, w)) {
    return own | (ulong)CLTC_GROUPS << 56 | earlier;
  }
  if (!cltc_now(c, w, a->interval)) {
    return one | earlier;
  }
  return (uint)w == a->who || state == CLTC_MANY ? w : own | (ulong)CLTC_MANY << 56 | earlier;
}

// `part`: which granule of the access it is.
CLTC_OWN void cltc_write(__private cltc_context *c, volatile __global ulong *cell, ulong own,
                       const __private cltc_access *a, uint part) {
  const ulong group = CLTC_TAG | (0xfffffffful & ~(ulong)cltc_copy_of(c));
  const ulong plain = cltc_value_word(cell[2], own, a->value, a->valued, part);
  const ulong mine = (plain & CLTC_VARIED) != 0ul ? 0ul : plain;
  const ulong stored = a->local_memory || a->kind == CLTC_ATOMIC ? plain : cltc_hidden(cell[2], plain, cell[0], own, group);
  const ulong before = cltc_swap(cell + 2, stored); // first: who finds the write finds its value
  ulong w = cell[0];
  for (;;) {
    const ulong now = a->kind == CLTC_ATOMIC ? cltc_with_atomic(c, w, own, a) : own;
    if (now == w) {
      break;
    }
    const ulong seen = cltc_enter(cell, w, now);
    if (seen == w) {
      break;
    }
    w = seen;
  }
  if (((w ^ c->first) & CLTC_TAG) == 0ul && (!a->local_memory || cltc_same_group(c, w))) {
    const int atomics = a->kind == CLTC_ATOMIC && (cltc_state(w) & 3u) != CLTC_ONE &&
                        (!a->of_group || a->local_memory || cltc_same_group(c, w));
    const int hidden = !a->local_memory && !cltc_same_group(c, w) && cltc_is_of(before, cltc_writer(w)) &&
                       cltc_is_hidden(before);
    if (hidden) {
      const ulong first = (w & (group | CLTC_INTERVAL)) | (before >> 19 & 0xffful) << 44 | (before & 0x7fffful & ~group);
      cltc_report(c, a, first, 0, 0u, 0ul, 0ul);
    } else if (!atomics && cltc_unordered(c, w, a)) {
      cltc_report(c, a, w, 0, 0u, cltc_stored_by(c, w, before, cell[2], mine, a->local_memory), mine);
    } else if (atomics && (cltc_state(w) & CLTC_EARLIER) && !cltc_same_group(c, w)) {
      cltc_report(c, a, w, 0, 1u, 0ul, 0ul);
    }
  }
  const ulong r = cell[1];
  if (((r ^ c->first) & CLTC_TAG) == 0ul && (!a->local_memory || cltc_same_group(c, r)) &&
      cltc_unordered(c, r, a)) {
    cltc_report(c, a, r, 1, 0u, 0ul, 0ul);
  }
}

// An atomic load: no write may be unordered with it.
CLTC_OWN void cltc_look(__private cltc_context *c, volatile __global ulong *cell, const __private cltc_access *a) {
  const ulong w = cell[0];
  if (((w ^ c->first) & CLTC_TAG) == 0ul && (!a->local_memory || cltc_same_group(c, w)) && (cltc_state(w) & 3u) == CLTC_ONE &&
      cltc_unordered(c, w, a)) {
    cltc_report(c, a, w, 0, 0u, 0ul, 0ul);
  }
}

// The logarithm of a granule's bytes: 1, 4, 8 or 16 of them.
CLTC_OWN uint cltc_shift(ulong2 cells) {
  const uint code = (uint)(cells.x >> 62);
  return code == 0u ? 0u : code + 1u;
}

// Nothing is known there: after the object's end, or of a launch that is too large or has no cells for local memory.
CLTC_OWN int cltc_beyond(const __private cltc_context *c, ulong2 cells, ulong where, uint bytes, int local_memory) {
  return cells.x == CLTC_NO_CELLS || c->bits == CLTC_OFF || where >= cells.y || bytes > cells.y - where ||
         (local_memory && c->area == CLTC_NO_CELLS);
}

// `cells`: .x the object's first cell, and above it the size of its granules; .y its bytes.
__attribute__((noinline)) CLTC_OWN void cltc_touch(__private cltc_context *c, ulong2 cells, __private cltc_access *a) {
  if (cltc_beyond(c, cells, a->where, a->bytes, a->local_memory)) {
    return;
  }
  const uint shift = cltc_shift(cells);
  const ulong first = (cells.x & ~(3ul << 62)) + (a->local_memory ? c->area : 0ul);
  const ulong last = (a->where + a->bytes - 1ul) >> shift;
  const ulong own = (c->first & CLTC_TAG) | (ulong)a->site << 44 | (ulong)(a->interval & 4095u) << 32 | a->who;
  for (ulong g = a->where >> shift; g <= last; g++) {
    volatile __global ulong *cell = c->cells + 3ul * (first + g);
    if (a->kind == CLTC_READ) {
      cltc_read(c, cell, own, a);
    } else if (a->kind == CLTC_LOOK) {
      cltc_look(c, cell, a);
    } else {
      cltc_write(c, cell, own, a, (uint)(g - (a->where >> shift)));
    }
  }
}

// A copy is entered with its number in the place of the interval.
CLTC_OWN void cltc_copy_touch(__private cltc_context *c, ulong2 cells, __private cltc_access *a) {
  if (cltc_beyond(c, cells, a->where, a->bytes, a->local_memory)) {
    return;
  }
  const uint shift = cltc_shift(cells);
  const ulong first = (cells.x & ~(3ul << 62)) + (a->local_memory ? c->area : 0ul);
  const ulong last = (a->where + a->bytes - 1ul) >> shift;
  const ulong own = (c->first & CLTC_TAG) | (ulong)a->site << 44 | (ulong)((c->copies + 1u) & 4095u) << 32 | a->who;
  for (ulong g = a->where >> shift; g <= last; g++) {
    volatile __global ulong *cell = c->cells + 3ul * (first + g);
    if (a->kind == CLTC_READ) {
      cltc_read(c, cell, own, a);
    } else {
      cltc_write(c, cell, own, a, (uint)(g - (a->where >> shift)));
    }
  }
}

#ifndef CLTC_COPIES
// What most accesses are: nothing of this barrier interval is against them, and what they leave in the granule's words is
// simple. False: cltc_touch has to look. Not for programs with copies, in whose words the interval stands for something
// else. `of_launch`: the bits by which a word counts here; `key`: this work-item in this interval.
CLTC_OWN int cltc_fast_write_is_fine(ulong w, ulong key, ulong of_launch, ulong group) {
  const ulong x = w ^ key;
  return (x & of_launch) != 0ul ||
         ((cltc_state(w) & 3u) <= CLTC_ONE_ATOMIC && (((x & group) == 0ul && (x & CLTC_INTERVAL) != 0ul) ||
                                                      (x & (CLTC_TAG | CLTC_INTERVAL | 0xfffffffful)) == 0ul));
}

CLTC_OWN int cltc_fast_read(volatile __global ulong *cell, ulong key, ulong own, ulong of_launch, ulong group) {
  const ulong r = cell[1];
  const ulong x = r ^ key;
  const uint state = cltc_state(r);
  if ((x & of_launch) != 0ul || (state != CLTC_GROUPS && (x & group) == 0ul && (x & CLTC_INTERVAL) != 0ul)) {
    if (cltc_enter(cell + 1, r, own) != r) {
      return 0;
    }
  } else if (state == CLTC_ONE && (x & (group | CLTC_INTERVAL)) == 0ul) {
    if ((x & 0xfffffffful) != 0ul && cltc_enter(cell + 1, r, own | (ulong)CLTC_MANY << 56) != r) {
      return 0;
    }
  } else if (state != CLTC_GROUPS && (state != CLTC_MANY || (x & (group | CLTC_INTERVAL)) != 0ul)) {
    return 0;
  }
  return cltc_fast_write_is_fine(cell[0], key, of_launch, group);
}

CLTC_OWN int cltc_fast_write(volatile __global ulong *cell, ulong key, ulong own, ulong of_launch, ulong group,
                             int local_memory, uint value, uint valued, uint part) {
  const ulong w = cell[0], r = cell[1];
  const ulong x = r ^ key;
  const int read_is_fine =
      (x & of_launch) != 0ul ||
      (cltc_state(r) != CLTC_GROUPS && (x & group) == 0ul && (x & CLTC_INTERVAL) != 0ul) ||
      (cltc_state(r) == CLTC_ONE && (x & (CLTC_TAG | CLTC_INTERVAL | 0xfffffffful)) == 0ul);
  if (!read_is_fine || !cltc_fast_write_is_fine(w, key, of_launch, group)) {
    return 0;
  }
  const ulong before = cell[2];
  const ulong plain = cltc_value_word(before, own, value, valued, part);
  const ulong stored = local_memory ? plain : cltc_hidden(before, plain, w, own, group);
  cell[2] = stored;
  if (w == own || cltc_enter(cell, w, own) == w) {
    return cell[1] == r;
  }
  cltc_enter(cell + 2, stored, before); // another writer was faster: its value may be what was there
  return 0;
}
#endif

CLTC_OWN int cltc_fast(const __private cltc_context *c, ulong2 cells, ulong where, uint bytes, uint site, uint kind,
                     uint interval, int local_memory, uint value, uint valued) {
#ifdef CLTC_COPIES
  return 0;
#else
  const uint shift = cltc_shift(cells);
  if ((kind != CLTC_READ && kind != CLTC_WRITE && kind != CLTC_UPDATE) || interval == CLTC_LAST_INTERVAL ||
      cltc_beyond(c, cells, where, bytes, local_memory)) {
    return 0;
  }
  const ulong key = (c->first & CLTC_TAG) | (ulong)interval << 32 | c->me;
  const ulong own = key | (ulong)site << 44;
  const ulong group = CLTC_TAG | (0xfffffffful & ~(ulong)cltc_copy_of(c));
  const ulong of_launch = local_memory ? group : CLTC_TAG;
  const ulong first = (cells.x & ~(3ul << 62)) + (local_memory ? c->area : 0ul);
  const ulong last = first + ((where + bytes - 1ul) >> shift);
  for (ulong g = first + (where >> shift); g <= last; g++) {
    volatile __global ulong *cell = c->cells + 3ul * g;
    if (!(kind == CLTC_READ ? cltc_fast_read(cell, key, own, of_launch, group)
                            : cltc_fast_write(cell, key, own, of_launch, group, local_memory, value, valued,
                                              (uint)(g - first - (where >> shift))))) {
      return 0;
    }
  }
  return 1;
#endif
}

// An access that leads to no object, or beyond its end.
CLTC_OWN void cltc_bounds(const __private cltc_context *c, ulong2 cells, ulong where, uint bytes) {
#ifdef CLTC_BOUNDS
  if (where >= cells.y || bytes > cells.y - where) {
    cltc_missed(c);
  }
#endif
}

// The same for a read of local memory that its group has not written in this launch: it may hold anything.
CLTC_OWN void cltc_unwritten(const __private cltc_context *c, ulong2 cells, ulong where, uint bytes, uint kind) {
#ifdef CLTC_BOUNDS
  if (kind == CLTC_WRITE || cltc_beyond(c, cells, where, bytes, 1)) {
    return;
  }
  const uint shift = cltc_shift(cells);
  const ulong first = (cells.x & ~(3ul << 62)) + c->area;
  for (ulong g = where >> shift; g <= (where + bytes - 1ul) >> shift; g++) {
    const ulong w = c->cells[3ul * (first + g)];
    if (((w ^ c->first) & CLTC_TAG) != 0ul || !cltc_same_group(c, w)) {
      cltc_missed(c);
    }
  }
#endif
}

#define CLTC_CHECKS(space, memory, interval_of, is_local)                                                              \
  __attribute__((noinline)) CLTC_OWN void cltc_slow_##memory(                                                            \
      __private cltc_context *c, ulong where, ulong2 cells, uint object, uint bytes, uint site, uint kind, uint value, \
      uint valued) {                                                                                                   \
    __private cltc_access a = {.site = site, .kind = kind & CLTC_KIND, .interval = interval_of, .who = c->me, .object = object,\
                               .where = where, .bytes = bytes, .local_memory = is_local,                               \
                               .of_group = (kind & CLTC_OF_GROUP) != 0u, .value = value, .valued = valued};            \
    cltc_touch(c, cells, &a);                                                                                          \
  }                                                                                                                    \
  CLTC_OWN void cltc_check_##memory(__private cltc_context *c, const volatile space void *p, ulong base, ulong2 cells,   \
                                  uint object, ulong skip, uint bytes, uint site, uint kind) {                         \
    const uint plain = kind & CLTC_KIND;                                                                               \
    const uint valued = plain == CLTC_WRITE ? c->valued : 0u;                                                          \
    const uint value = !valued ? 0u : bytes > 4u ? (uint)((c->value * 0x9E3779B97F4A7C15ul) >> 32)                     \
                       : (uint)c->value & (0xffffffffu >> (32u - 8u * bytes));                                         \
    c->valued = plain == CLTC_WRITE ? 0u : c->valued;                                                                  \
    if ((plain == CLTC_ATOMIC || plain == CLTC_LOOK) && !is_local && !(kind & CLTC_OF_GROUP)) {                        \
      cltc_synchronise(c, (ulong)p, plain == CLTC_ATOMIC, (kind & CLTC_ORDERED) != 0u);                                \
    } else if (plain == CLTC_WRITE && !is_local) {                                                                     \
      c->fenced = 0u;                                                                                                  \
    }                                                                                                                  \
    const ulong where = (ulong)p - base + skip;                                                                        \
    cltc_bounds(c, cells, where, bytes);                                                                               \
    if (is_local) {                                                                                                    \
      cltc_unwritten(c, cells, where, bytes, plain);                                                                   \
    }                                                                                                                  \
    if (cells.x == CLTC_NO_CELLS) {                                                                                    \
      return;                                                                                                          \
    }                                                                                                                  \
    if (cltc_fast(c, cells, where, bytes, site, kind, interval_of, is_local, value, valued)) {                         \
      return;                                                                                                          \
    }                                                                                                                  \
    __private cltc_context copy = *c;                                                                                  \
    cltc_slow_##memory(&copy, where, cells, object, bytes, site, kind, value, valued);                                 \
  }                                                                                                                    \
  CLTC_OWN space void *cltc_##memory(__private cltc_context *c, const volatile space void *p, ulong base,                \
                                   ulong2 cells, uint object, ulong skip, uint bytes, uint site, uint kind) {           \
    cltc_check_##memory(c, p, base, cells, object, skip, bytes, site, kind);                                           \
    return (space void *)p;                                                                                            \
  }

#ifdef CLTC_LOOKS_UP
#define CLTC_LOOK_UPS(space, memory, interval_of, is_local)                                                            \
  CLTC_OWN space void *cltc_##memory##_any(__private cltc_context *c, const volatile space void *p, uint skip,           \
                                         uint bytes, uint site, uint kind) {                                           \
    for (uint i = 0; i < c->memory##s; i++) {                                                                          \
      if ((ulong)p - c->memory##_base[i] < c->memory##_cells[i].y) {                                                   \
        cltc_check_##memory(c, p, c->memory##_base[i], c->memory##_cells[i], i, skip, bytes, site, kind);              \
        return (space void *)p;                                                                                        \
      }                                                                                                                \
    }                                                                                                                  \
    cltc_bounds(c, (ulong2)(0ul), 0ul, bytes);                                                                         \
    return (space void *)p;                                                                                            \
  }                                                                                                                    \
  CLTC_OWN void cltc_copy_##memory(__private cltc_context *c, const volatile space void *p, ulong count,                 \
                                 ulong stride, uint bytes, uint site, uint kind) {                                     \
    if ((c->me & cltc_copy_of(c)) != 0u) {                                                                             \
      return;                                                                                                          \
    }                                                                                                                  \
    for (uint i = 0; i < c->memory##s; i++) {                                                                          \
      if ((ulong)p - c->memory##_base[i] < c->memory##_cells[i].y) {                                                   \
        for (ulong n = 0; n < count; n++) {                                                                            \
          __private cltc_access a = {.site = site, .kind = kind, .interval = interval_of,                              \
                                     .who = c->me | cltc_copy_of(c), .object = i,                                      \
                                     .where = (ulong)p - c->memory##_base[i] + n * stride * bytes,                     \
                                     .bytes = bytes, .local_memory = is_local};                                        \
          cltc_bounds(c, c->memory##_cells[i], a.where, bytes);                                                        \
          if (is_local) {                                                                                              \
            cltc_unwritten(c, c->memory##_cells[i], a.where, bytes, kind);                                             \
          }                                                                                                            \
          cltc_copy_touch(c, c->memory##_cells[i], &a);                                                                \
        }                                                                                                              \
        return;                                                                                                        \
      }                                                                                                                \
    }                                                                                                                  \
    cltc_bounds(c, (ulong2)(0ul), 0ul, bytes);                                                                         \
  }

#endif

CLTC_CHECKS(__global, global, c->global_interval, 0)
CLTC_CHECKS(__local, local, c->local_interval, 1)
#ifdef CLTC_LOOKS_UP
CLTC_LOOK_UPS(__global, global, c->global_interval, 0)
CLTC_LOOK_UPS(__local, local, c->local_interval, 1)
#endif

// At an address that may be a constant: compilers carry those of __local variables into functions and into differences,
// where PoCL cannot take them. The base is hidden from them, too (checked_text.c).
CLTC_OWN __local void *cltc_local_fixed(__private cltc_context *c, const volatile __local void *p, ulong base,
                                      ulong2 cells, uint object, ulong skip, uint bytes, uint site, uint kind) {
  const volatile __local void *__private volatile hidden = p;
  cltc_check_local(c, hidden, base, cells, object, skip, bytes, site, kind);
  return (__local void *)p;
}

// Reads through parameters that nothing writes through. With CLTC_APART no other argument leads to their memory.
CLTC_OWN __global void *cltc_apart(__private cltc_context *c, const volatile __global void *p, ulong base, ulong2 cells,
                                 uint object, ulong skip, uint bytes, uint site, uint kind) {
#ifndef CLTC_APART
  cltc_check_global(c, p, base, cells, object, skip, bytes, site, kind);
#endif
  return (__global void *)p;
}
#ifdef CLTC_LOOKS_UP
CLTC_OWN __global void *cltc_apart_any(__private cltc_context *c, const volatile __global void *p, uint skip, uint bytes,
                                     uint site, uint kind) {
#ifdef CLTC_APART
  return (__global void *)p;
#else
  return cltc_global_any(c, p, skip, bytes, site, kind);
#endif
}
#endif

// What a write stores whose value has no integer of its bits.
CLTC_OWN ulong cltc_digest(const __private void *p, uint bytes) {
  const __private uchar *at = (const __private uchar *)p;
  ulong hash = 14695981039346656037ul;
  for (uint i = 0; i < bytes; i++) {
    hash = (hash ^ at[i]) * 1099511628211ul;
  }
  return hash;
}

CLTC_OWN void cltc_valued(__private cltc_context *c, ulong value) {
  c->value = value;
  c->valued = 1u;
}

CLTC_OWN void cltc_passed(__private cltc_context *c, uint flags) {
  if (flags & CLK_GLOBAL_MEM_FENCE) {
    c->fenced = 1u;
    c->global_interval = min(c->global_interval + 1u, CLTC_LAST_INTERVAL);
  }
  if (flags & CLK_LOCAL_MEM_FENCE) {
    c->local_interval = min(c->local_interval + 1u, CLTC_LAST_INTERVAL);
  }
  if (flags & CLTC_IMAGE_FENCE) {
    c->image_interval = min(c->image_interval + 1u, CLTC_LAST_INTERVAL);
  }
  if (max(max(c->global_interval, c->local_interval), c->image_interval) == CLTC_LAST_INTERVAL) {
    c->records[2] = 1u;
  }
}

// A pixel of an image, which is an object of one byte for each. What lies outside is not written. Images that are read
// and written came with OpenCL C 2.0 and a flag of their own; others are global memory to a barrier, too.
CLTC_OWN void cltc_pixel(__private cltc_context *c, ulong x, ulong y, ulong z, ulong width, ulong height, ulong depth,
                       ulong2 cells, uint object, uint site, uint kind) {
  if (x < width && y < height && z < depth) {
    const uint of_buffers = c->global_interval;
    c->global_interval =
        min(c->image_interval + (kind & CLTC_READ_WRITE ? 0u : of_buffers), CLTC_LAST_INTERVAL);
    c->pixel = x | y << 32 | z << 48;
    cltc_check_global(c, 0, 0ul, cells, object, (z * height + y) * width + x, 1u, site, kind | CLTC_PIXEL);
    c->global_interval = of_buffers;
  }
}

CLTC_OWN void cltc_begin(__private cltc_context *c, __global uint *records, __global uchar *cells, ulong first,
                       uint launch, ulong2 areas) {
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
  const ulong size = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
#else
  const ulong size = get_local_size(0) * get_local_size(1) * get_local_size(2);
#endif
  const ulong group =
      ((ulong)get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
  const ulong lane =
      (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
  const ulong groups = (ulong)get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
  c->records = records;
  c->cells = (volatile __global ulong *)cells;
  c->bits = 32u - clz((uint)size);
  c->me = (uint)(group << c->bits | lane);
  c->first = first;
  c->launch = launch;
  c->area = areas.y != 0ul ? (first & ((1ul << 59) - 1ul)) + group % areas.y * areas.x : CLTC_NO_CELLS;
  c->global_interval = c->local_interval = c->image_interval = c->copies = c->awaited = c->fenced = c->valued = 0u;
  c->value = 0ul;
  c->pixel = 0ul;
#ifdef CLTC_COPIES
  c->events = 0u;
  for (uint i = 0; i < CLTC_COPY_BITS; i++) {
    c->of_event[i] = 0u;
  }
#endif
  if (areas.x != 0ul && areas.y < groups) { // groups share cells of local memory
    cltc_missed(c);
  }
  if (groups > (0xfffffffful >> c->bits)) {
    c->records[3] = 1u;
    c->bits = CLTC_OFF;
  }
}

// Events are numbers; a copy that is given one shares it. What is real is over at once.
#ifdef CLTC_COPIES
typedef __global const uchar *cltc_event;

CLTC_OWN cltc_event cltc_begun(__private cltc_context *c, cltc_event given, event_t real) {
  const uint bit = 1u << (++c->copies & (CLTC_COPY_BITS - 1u));
  const uint event = given != 0 ? (uint)(size_t)given : ++c->events;
  __private uint *copies = &c->of_event[event & (CLTC_COPY_BITS - 1u)];
  wait_group_events(1, &real);
  c->awaited &= ~bit;
  *copies = given != 0 ? *copies | bit : bit;
  return (cltc_event)(size_t)event;
}

CLTC_OWN void cltc_wait(__private cltc_context *c, int count, const cltc_event *list) {
  for (int i = 0; i < count; i++) {
    c->awaited |= c->of_event[(uint)(size_t)list[i] & (CLTC_COPY_BITS - 1u)];
  }
}

#define event_t cltc_event
#endif
