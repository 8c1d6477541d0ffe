// Bounds: every access is held against the object that its pointer was made from.
//
// A handle goes with each pointer, and says what it was made from:
//   .x  address of the object's first byte
//   .y  bits 0..47 its bytes, 48..51 what must not be done with it (CLTC_NO_READ, …), 52..63 its number
// docs/memory.md has the rules.
//
// With CLTC_BRIEF a kernel says only whether anything was wrong: a bit in private memory, which each work-item stores once at
// its end, so that compilers go on making vectors of work-items. What is done about an access is the same.

#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ < 120
#define CLTC_OWN // such programs are not linked with others
#else
#define CLTC_OWN static
#endif

#define CLTC_NO_READ (1ul << 48)
#define CLTC_NO_WRITE (2ul << 48)
#define CLTC_MAPPED (4ul << 48)
#define CLTC_WATCHED (8ul << 48)
#define CLTC_SIZE(h) ((h).y & 0xfffffffffffful)
#define CLTC_NUMBER(h) ((uint)((h).y >> 52))
#define CLTC_NOWHERE_NUMBER 0xffeu
#define CLTC_UNKNOWN_NUMBER 0xfffu
#define CLTC_NOWHERE ((ulong2)(0ul, (ulong)CLTC_NOWHERE_NUMBER << 52))
#define CLTC_UNKNOWN ((ulong2)(0ul, (ulong)CLTC_UNKNOWN_NUMBER << 52))
#define CLTC_OBJECT(base, number, bytes) ((ulong2)((ulong)(base), (ulong)(number) << 52 | (ulong)(bytes)))

#define CLTC_SLOTS_AT 4u
#define CLTC_SLOT_WORDS 16u
#define CLTC_SLOT_COUNT 64u
#define CLTC_OUTSIDE 1u
#define CLTC_NULL 2u
#define CLTC_MISALIGNED 3u
#define CLTC_READ_ONLY 4u
#define CLTC_WRITE_ONLY 5u
#define CLTC_IS_MAPPED 6u
#define CLTC_UNWRITTEN 7u
#define CLTC_NOT_AWAITED 8u

typedef struct {
  volatile __global uint *records;
  uint launch, wrong, filling;
#ifdef CLTC_COPIES
  uint copies, copies_since, copy_what; // how many nobody has waited for, at least; since there were none; the last one
  ulong copy_at, copy_path;
  ulong2 copy_to;
#endif
#ifdef CLTC_LOOKS_UP
  ulong2 globals[CLTC_GLOBALS], locals[CLTC_LOCALS];
#endif
} cltc_context;

// Bytes of the object where the access may begin.
CLTC_OWN ulong cltc_room(ulong2 h, ulong against, ulong bytes) {
  return (h.y & against) != 0ul || CLTC_SIZE(h) < bytes ? 0ul : CLTC_SIZE(h) - bytes + 1ul;
}
#define CLTC_AGAINST_1 (CLTC_NO_READ | CLTC_MAPPED | CLTC_WATCHED)
#define CLTC_AGAINST_2 (CLTC_NO_WRITE | CLTC_MAPPED)
#define CLTC_AGAINST_3 (CLTC_NO_READ | CLTC_NO_WRITE | CLTC_MAPPED | CLTC_WATCHED)
// `kind`: 1 reads, 2 writes, 3 does both. `what`: the kind, 4 of what is not global, and the number of the access << 4.
// CLTC_IN_LOOP: the same, for an access in a loop.
#ifdef CLTC_BRIEF
#define CLTC_IN(h, off, bytes, kind, what) cltc_is_in(cltc, h, off, bytes, CLTC_AGAINST_##kind, what, 0)
#define CLTC_IN_LOOP(h, off, bytes, kind, what) cltc_is_in(cltc, h, off, bytes, CLTC_AGAINST_##kind, what, 1)
#define CLTC_IN_ALIGNED(h, off, bytes, kind, what, align) \
  cltc_is_in_aligned(cltc, h, off, bytes, CLTC_AGAINST_##kind, what, align)
#else
#define CLTC_IN_LOOP CLTC_IN
#define CLTC_IN(h, off, bytes, kind, what) \
  ((off) < cltc_room(h, CLTC_AGAINST_##kind, bytes) || cltc_miss(cltc, h, off, bytes, what, cltc_path))
#define CLTC_IN_ALIGNED(h, off, bytes, kind, what, align)                                             \
  (((off) < cltc_room(h, CLTC_AGAINST_##kind, bytes) && (((h).x + (off)) & ((align) - 1u)) == 0ul) || \
   cltc_miss_aligned(cltc, h, off, bytes, what, cltc_path, align))
#endif

#ifdef CLTC_BRIEF
CLTC_OWN void cltc_report(__private cltc_context *c, uint rule, ulong2 h, ulong off, uint what, ulong path, uint depth) {
  c->wrong |= 1u;
}
#else
__attribute__((noinline)) CLTC_OWN void cltc_report(__private cltc_context *c, uint rule, ulong2 h, ulong off, uint what,
                                                    ulong path, uint depth) {
  const uint key = rule << 28 | CLTC_NUMBER(h) << 12 | what >> 4;
  uint n = (key * 0x9E3779B1u) >> 26;
  for (uint i = 0; i < CLTC_SLOT_COUNT; i++, n = (n + 1u) % CLTC_SLOT_COUNT) {
    volatile __global uint *at = c->records + CLTC_SLOTS_AT + n * CLTC_SLOT_WORDS;
    const uint old = atomic_cmpxchg(at, 0u, key);
    if (old != 0u && old != key) {
      continue;
    }
    if (atomic_inc(at + 1) == 0u) {
      const ulong size = CLTC_SIZE(h);
      at[2] = c->launch;
      at[3] = (uint)off;
      at[4] = (uint)(off >> 32);
      at[5] = (uint)get_group_id(0);
      at[6] = (uint)get_group_id(1);
      at[7] = (uint)get_group_id(2);
      at[8] = (uint)get_local_id(0);
      at[9] = (uint)get_local_id(1);
      at[10] = (uint)get_local_id(2);
      at[11] = (uint)path;
      at[12] = (uint)(path >> 32);
      at[13] = depth;
      at[14] = (uint)size;
      at[15] = (uint)(size >> 32);
    }
    return;
  }
  atomic_inc(c->records);
}
#endif

// An access to memory of which nothing is known.
CLTC_OWN void cltc_pass(__private cltc_context *c) {
#ifdef CLTC_BRIEF
  c->wrong |= 2u;
#else
  c->records[1] = 1u;
#endif
}

// What the address leads to. Nothing is known of memory that is none of the kernel's objects.
CLTC_OWN ulong2 cltc_find(const __private cltc_context *c, ulong address) {
#ifdef CLTC_LOOKS_UP
  for (uint i = 0; i < CLTC_GLOBALS; i++) {
    if (address - c->globals[i].x < CLTC_SIZE(c->globals[i])) {
      return c->globals[i];
    }
  }
  for (uint i = 0; i < CLTC_LOCALS; i++) {
    if (address - c->locals[i].x < CLTC_SIZE(c->locals[i])) {
      return c->locals[i];
    }
  }
#endif
  return CLTC_UNKNOWN;
}

// Whether bytes of global memory still hold what the object was filled with.
CLTC_OWN int cltc_is_unwritten(const __private cltc_context *c, ulong address, uint bytes) {
  const __global uchar *at = (const __global uchar *)address;
  for (uint i = 0; i < bytes; i++) {
    if (at[i] != (uchar)c->filling) {
      return 0;
    }
  }
  return 1;
}

// An access that is not plainly right: says whether it is made all the same.
__attribute__((noinline)) CLTC_OWN int cltc_miss(__private cltc_context *c, ulong2 h, ulong off, uint bytes,
                                               uint what, ulong path) {
  if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
    const ulong address = h.x + off;
    if (address >= 4096ul || (what & 4u) != 0u) {
      h = cltc_find(c, address);
      if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
        cltc_pass(c);
        return 1;
      }
      off = address - h.x;
    } else {
      h = CLTC_NOWHERE;
    }
  }
  const ulong size = CLTC_SIZE(h);
  if (h.x == 0ul && size == 0ul) {
    cltc_report(c, CLTC_NULL, h, off, what, path, 0u);
    return 0;
  }
  if (off >= size || bytes > size - off) {
    cltc_report(c, CLTC_OUTSIDE, h, off, what, path, 0u);
    return 0;
  }
  if ((what & 2u) != 0u && (h.y & CLTC_NO_WRITE) != 0ul) {
    cltc_report(c, CLTC_READ_ONLY, h, off, what, path, 0u);
  } else if ((what & 1u) != 0u && (h.y & CLTC_NO_READ) != 0ul) {
    cltc_report(c, CLTC_WRITE_ONLY, h, off, what, path, 0u);
  } else if ((h.y & CLTC_MAPPED) != 0ul) {
    cltc_report(c, CLTC_IS_MAPPED, h, off, what, path, 0u);
  }
  if ((what & 1u) != 0u && (h.y & CLTC_WATCHED) != 0ul && cltc_is_unwritten(c, h.x + off, bytes)) {
    cltc_report(c, CLTC_UNWRITTEN, h, off, what, path, 0u);
  }
  return 1;
}

__attribute__((noinline)) CLTC_OWN int cltc_miss_aligned(__private cltc_context *c, ulong2 h, ulong off,
                                                       uint bytes, uint what, ulong path, uint align) {
  if (!cltc_miss(c, h, off, bytes, what, path)) {
    return 0;
  }
  if (((h.x + off) & (align - 1u)) != 0ul) {
    cltc_report(c, CLTC_MISALIGNED, h, off, what, path, align);
    return 0;
  }
  return 1;
}

#ifdef CLTC_BRIEF
// `branches`: one comparison where nothing is wrong, which is best for loops; else no branch, so that vectors can be made of
// work-items.
CLTC_OWN int cltc_is_in(__private cltc_context *c, ulong2 h, ulong off, uint bytes, ulong against, uint what,
                        int branches) {
#ifdef CLTC_LOOKS_UP
  if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
    return cltc_miss(c, h, off, bytes, what, 0ul);
  }
#endif
  if (branches && off < cltc_room(h, against, bytes)) {
    return 1;
  }
  const int in = off < cltc_room(h, 0ul, bytes);
  c->wrong |= in && (h.y & against) == 0ul ? 0u : 1u;
  return in;
}

CLTC_OWN int cltc_is_in_aligned(__private cltc_context *c, ulong2 h, ulong off, uint bytes, ulong against, uint what,
                                uint align) {
  const int in = cltc_is_in(c, h, off, bytes, against, what, 0), even = ((h.x + off) & (align - 1u)) == 0ul;
  c->wrong |= even ? 0u : 1u;
  return in && even;
}

#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
#define CLTC_LOCAL_SIZE(d) get_enqueued_local_size(d)
#else
#define CLTC_LOCAL_SIZE(d) get_local_size(d)
#endif
#ifdef CLTC_COPIES
#define CLTC_COPIES_END cltc->wrong |= cltc->copies != 0u ? 1u : 0u;
#else
#define CLTC_COPIES_END
#endif
#ifdef CLTC_DIRECT
#define CLTC_END CLTC_COPIES_END if (cltc->wrong) { atomic_or(cltc_flags, cltc->wrong); }
#else
#define CLTC_END                                                                                                    \
  CLTC_COPIES_END                                                                                                   \
  cltc_slots[cltc_first +                                                                                           \
             (((ulong)get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)) * \
                 ((ulong)CLTC_LOCAL_SIZE(0) * CLTC_LOCAL_SIZE(1) * CLTC_LOCAL_SIZE(2)) +                             \
             ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))] =       \
      (uchar)cltc->wrong;
#endif
#endif

#ifdef CLTC_COPIES
// How many elements of a copy by the work-group lie in their objects on both sides. One work-item tells of the rest.
CLTC_OWN ulong cltc_fits(__private cltc_context *c, ulong2 h, ulong off, uint bytes, ulong stride, ulong count,
                       uint what, ulong path, uint chained) {
  if ((what & 2u) != 0u) { // the side that is written stands for the copy; a chained one may have an earlier one's event
    c->copies_since = c->copies == 0u ? 1u : c->copies_since + 1u;
    c->copies = chained ? max(c->copies, 1u) : c->copies + 1u;
    c->copy_what = what;
    c->copy_at = off;
    c->copy_path = path;
    c->copy_to = h;
  }
  if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
    const ulong address = h.x + off;
    h = cltc_find(c, address);
    if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
      return count;
    }
    off = address - h.x;
  }
  const ulong room = cltc_room(h, 0ul, bytes);
  const ulong step = stride * bytes;
  const ulong most = off >= room ? 0ul : step == 0ul ? count : (room - 1ul - off) / step + 1ul;
  const int one = get_local_id(0) + get_local_id(1) + get_local_id(2) == 0;
  if (one && count > most) {
    (void)cltc_miss(c, h, off + most * step, bytes, what, path);
  } else if (one && count > 0ul) {
    (void)cltc_miss(c, h, off, bytes, what, path);
  }
  return min(count, most);
}

// The group has waited for so many events.
CLTC_OWN void cltc_awaited(__private cltc_context *c, uint events) { c->copies -= min(c->copies, events); }

#ifndef CLTC_BRIEF
CLTC_OWN void cltc_end_copies(__private cltc_context *c) {
  if (c->copies != 0u && get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) {
    cltc_report(c, CLTC_NOT_AWAITED, c->copy_to, c->copy_at, c->copy_what, c->copy_path, c->copies_since);
  }
}
#define CLTC_END cltc_end_copies(cltc);
#endif
#endif

// The address of what lies in local memory, as a number. Where it may be a constant it is hidden from compilers, which
// carry those of __local variables where PoCL cannot take them.
CLTC_OWN ulong cltc_local_address(const volatile __local void *p) {
  const volatile __local void *__private volatile hidden = p;
  return (ulong)hidden;
}

#ifdef CLTC_PIXELS
CLTC_OWN int cltc_pixel(__private cltc_context *c, long x, long y, long z, ulong width, ulong height, ulong depth,
                      uint number, uint what, ulong path) {
  if ((ulong)x < width && (ulong)y < height && (ulong)z < depth) {
    return 1;
  }
  cltc_report(c, CLTC_OUTSIDE, CLTC_OBJECT(0ul, number, width * height * depth),
              (ulong)((uint)x) | (ulong)((uint)y) << 32, what, path, (uint)z);
  return 0;
}
#endif

CLTC_OWN void cltc_begin(__private cltc_context *c, __global uint *records, uint launch) {
  c->records = records;
  c->launch = launch;
  c->wrong = 0u;
  c->filling = 0u;
#ifdef CLTC_COPIES
  c->copies = 0u;
#endif
#ifdef CLTC_LOOKS_UP
  for (uint i = 0; i < CLTC_GLOBALS; i++) {
    c->globals[i] = CLTC_UNKNOWN;
  }
  for (uint i = 0; i < CLTC_LOCALS; i++) {
    c->locals[i] = CLTC_UNKNOWN;
  }
#endif
}
