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
#define CLTC_SLOT_COUNT 256u
#define CLTC_OUTSIDE 1u
#define CLTC_NULL 2u
#define CLTC_MISALIGNED 3u
#define CLTC_READ_ONLY 4u
#define CLTC_WRITE_ONLY 5u
#define CLTC_IS_MAPPED 6u
#define CLTC_UNWRITTEN 7u
#define CLTC_NOT_AWAITED 8u
#define CLTC_UNDER_WAY 9u
#define CLTC_PASSED 10u

#ifdef CLTC_COPIES
// A copy that has been started and whose event has not been awaited. Sides: the number of the object, the first byte in it,
// bytes from one element to the next.
#define CLTC_FLIGHTS 6u
typedef struct {
  ulong event; // where its event is kept, 0: not known
  uint with;   // copies that share an event have the same number
#ifdef CLTC_BRIEF
  ulong reads, writes; // as near_reads
} cltc_flight;
#else
  uint what;   // that of the access that is its writing side
  uint count, bytes; // elements, bytes of one
  uint to, from;     // CLTC_UNKNOWN_NUMBER: not known
  ulong to_at, to_step, from_at, from_step;
} cltc_flight;
#endif
#endif

typedef struct {
  volatile __global uint *records;
  uint launch, wrong, filling;
#ifndef CLTC_BRIEF
  uint8 who;
#endif
#ifdef CLTC_FUEL
  uint missed; // accesses that did not lie in their objects
#endif
#ifdef CLTC_COPIES
  uint copies, copies_since, copy_what; // how many nobody has waited for, at least; since there were none; the last one
  ulong copy_at, copy_path;
  ulong2 copy_to;
  uint flying, flights; // of these so many are under way, and so many have been
  cltc_flight next, flight[CLTC_FLIGHTS];
#ifdef CLTC_BRIEF
  ulong near_reads, near_writes; // where reads and writes may meet one: a bit for each 64 bytes of an object
#endif
#endif
#ifdef CLTC_LOOKS_UP
  ulong2 globals[CLTC_GLOBALS], locals[CLTC_LOCALS];
#endif
} cltc_context;

#ifdef CLTC_FUEL
#define CLTC_MISSED(c, in) (c)->missed += (in) ? 0u : 1u;
#ifdef CLTC_BRIEF
#define CLTC_LEFT 0
#else
#define CLTC_LEFT 2
#endif
// Whether a loop goes on. Once a work-item has left its loops, later ones leave theirs soon.
CLTC_OWN int cltc_goes_on(__private cltc_context *c) {
  if (c->missed < CLTC_FUEL) {
    return 1;
  }
  atomic_or(c->records + CLTC_LEFT, 8u);
  return 0;
}
#else
#define CLTC_MISSED(c, in)
#endif

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

// The access lies in its object, and is made; it is told where it meets a copy that is under way.
#ifdef CLTC_BRIEF
#define CLTC_APART(in, h, off, bytes, what) cltc_near(cltc, in, h, off, bytes, what)
#else
#define CLTC_APART(in, h, off, bytes, what) \
  ((in) && (cltc->flying == 0u || cltc_apart(cltc, h, off, bytes, 1ul, 1ul, what, cltc_path)))
#endif

#ifdef CLTC_BRIEF
CLTC_OWN void cltc_report(__private cltc_context *c, uint rule, ulong2 h, ulong off, uint what, ulong path, uint depth) {
  c->wrong |= 1u;
}
#else
// Of a kernel's text this is the most, as compilers copy it into each access: no loop, no branch. Three places of the table are
// tried; where a record is there already, what is stored goes to a place that nobody reads.
CLTC_OWN void cltc_report(__private cltc_context *c, uint rule, ulong2 h, ulong off, uint what, ulong path, uint depth) {
  const uint key = rule << 28 | CLTC_NUMBER(h) << 12 | what >> 4, spread = key * 0x9E3779B1u;
  volatile __global uint *const slots = c->records + CLTC_SLOTS_AT;
  uint n = spread >> 24, old = atomic_cmpxchg(slots + n * CLTC_SLOT_WORDS, 0u, key);
  n = old == 0u || old == key ? n : spread >> 16 & 0xffu;
  old = atomic_cmpxchg(slots + n * CLTC_SLOT_WORDS, 0u, key);
  n = old == 0u || old == key ? n : spread >> 8 & 0xffu;
  old = atomic_cmpxchg(slots + n * CLTC_SLOT_WORDS, 0u, key);
  n = old == 0u || old == key ? n : CLTC_SLOT_COUNT;
  n = atomic_inc(slots + n * CLTC_SLOT_WORDS + 1) == 0u ? n : CLTC_SLOT_COUNT;
  __global uint *const at = (__global uint *)slots + n * CLTC_SLOT_WORDS;
  vstore8((uint8)(c->who.s0123, c->who.s456, depth), 0, at + 8);
  vstore4((uint4)((uint)off, (uint)(off >> 32), (uint)CLTC_SIZE(h), (uint)(CLTC_SIZE(h) >> 32)), 0, at + 2);
  vstore2((uint2)((uint)path, (uint)(path >> 32)), 0, at + 6);
}
#endif

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
CLTC_OWN int cltc_same(const __private cltc_context *c, ulong address, uint bytes) {
  const __global uchar *at = (const __global uchar *)address;
#pragma unroll 1
  for (uint i = 0; i < bytes; i++) {
    if (at[i] != (uchar)c->filling) {
      return 0;
    }
  }
  return 1;
}

// Of vectors and structures a part is enough that is used (pass_handles.c).
CLTC_OWN int cltc_is_unwritten(const __private cltc_context *c, ulong address, uint bytes, uint number) {
  switch (number) {
    CLTC_PARTS
    default: return cltc_same(c, address, bytes);
  }
}

// An access that is not plainly right: says whether it is made all the same.
__attribute__((noinline)) CLTC_OWN int cltc_miss(__private cltc_context *c, ulong2 h, ulong off, uint bytes,
                                               uint what, ulong path) {
  if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
    const ulong address = h.x + off;
    if (address >= 4096ul || (what & 4u) != 0u) {
      h = cltc_find(c, address);
      if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
#ifdef CLTC_BRIEF
        c->wrong |= 2u;
#else
        cltc_report(c, CLTC_PASSED, h, off, what, path, 0u);
#endif
        return 1;
      }
      off = address - h.x;
    } else {
      h = CLTC_NOWHERE;
    }
  }
  const ulong size = CLTC_SIZE(h);
  const int in = off < size && bytes <= size - off;
  const uint rule = h.x == 0ul && size == 0ul                                      ? CLTC_NULL
                    : !in                                                          ? CLTC_OUTSIDE
                    : (what & 1u) != 0u && (h.y & CLTC_WATCHED) != 0ul &&
                            cltc_is_unwritten(c, h.x + off, bytes, what >> 4)      ? CLTC_UNWRITTEN
                    : (what & 2u) != 0u && (h.y & CLTC_NO_WRITE) != 0ul            ? CLTC_READ_ONLY
                    : (what & 1u) != 0u && (h.y & CLTC_NO_READ) != 0ul             ? CLTC_WRITE_ONLY
                    : (h.y & CLTC_MAPPED) != 0ul                                   ? CLTC_IS_MAPPED
                                                                                   : 0u;
  CLTC_MISSED(c, in)
  if (rule != 0u) {
    cltc_report(c, rule, h, off, what, path, 0u);
  }
  return in;
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
  CLTC_MISSED(c, in)
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
#ifndef CLTC_BRIEF
// Whether one of `count` pieces, `step` bytes apart, lies in bytes [first, first + bytes).
CLTC_OWN int cltc_lies_in(ulong at, ulong step, ulong count, ulong piece, ulong first, ulong bytes) {
  const ulong k = first < at + piece ? 0ul : (first - at - piece) / max(step, 1ul) + 1ul; // the first that ends in or after them
  return k < count && at + k * step < first + bytes;
}

// An access to `count` pieces. What a copy writes must be let alone until it has been awaited, what it reads may be read.
// Always 1: it is made all the same.
__attribute__((noinline)) CLTC_OWN int cltc_apart(__private cltc_context *c, ulong2 h, ulong off, uint bytes, ulong step,
                                                  ulong count, uint what, ulong path) {
  if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
    const ulong address = h.x + off;
    h = cltc_find(c, address);
    off = address - h.x;
  }
  const uint number = CLTC_NUMBER(h);
  for (uint i = 0; i < c->flying && number < CLTC_NOWHERE_NUMBER; i++) {
    const __private cltc_flight *f = &c->flight[i];
    int met = 0;
    for (ulong k = 0; k < count && !met; k++) {
      const ulong first = off + k * step;
      met = (f->to == number && cltc_lies_in(f->to_at, f->to_step, f->count, f->bytes, first, bytes)) ||
            ((what & 2u) != 0u && f->from == number &&
             cltc_lies_in(f->from_at, f->from_step, f->count, f->bytes, first, bytes));
    }
    if (met) {
      cltc_report(c, CLTC_UNDER_WAY, h, off, what, path, f->what >> 4);
      break;
    }
  }
  return 1;
}

#else
#define CLTC_CHUNK(number, at) (((ulong)(number) * 5ul + ((at) >> 6)) & 63ul)

// The access may meet a copy that is under way: many places share a bit. Without a branch, so that vectors can be made of
// work-items.
CLTC_OWN int cltc_near(__private cltc_context *c, int in, ulong2 h, ulong off, uint bytes, uint what) {
  const ulong near = (what & 2u) != 0u ? c->near_writes : c->near_reads, number = CLTC_NUMBER(h), last = off + bytes - 1ul;
  const ulong middle = bytes > 64u ? near >> CLTC_CHUNK(number, off + 64ul) : 0ul;
  const ulong met = (near >> CLTC_CHUNK(number, off)) | (near >> CLTC_CHUNK(number, last)) | middle;
  c->wrong |= number == CLTC_UNKNOWN_NUMBER ? (near != 0ul ? 4u : 0u) : (uint)(met & 1ul) << 2;
  return in;
}

CLTC_OWN ulong cltc_chunks(uint number, ulong at, ulong step, uint count, uint bytes) {
  const ulong span = (ulong)(count - 1u) * step + bytes, chunks = ((at + span - 1ul) >> 6) - (at >> 6) + 1ul;
  const ulong bits = chunks >= 64ul ? ~0ul : (1ul << chunks) - 1ul, first = CLTC_CHUNK(number, at);
  return count == 0u || number >= CLTC_NOWHERE_NUMBER ? 0ul : first == 0ul ? bits : bits << first | bits >> (64ul - first);
}
#endif

// A copy begins: of `next` all is known but its event. `event`: where that will be kept; `given`: where the one is that it gets.
CLTC_OWN void cltc_fly(__private cltc_context *c, uint chained, ulong event, ulong given) {
  cltc_flight f = c->next;
  f.event = event;
  f.with = ++c->flights;
  for (uint i = 0; chained && i < c->flying; i++) {
    f.with = given != 0ul && c->flight[i].event == given ? c->flight[i].with : f.with;
  }
  for (uint i = 0; event != 0ul && i < c->flying; i++) { // what was kept there is lost, if it is another one
    if (c->flight[i].event == event && c->flight[i].with != f.with) {
      c->flight[i].event = 1ul;
    }
  }
  if (c->flying < CLTC_FLIGHTS) {
    c->flight[c->flying++] = f;
#ifdef CLTC_BRIEF
    c->near_reads |= f.reads;
    c->near_writes |= f.writes;
#endif
  }
}

// How many elements of a copy by the work-group lie in their objects on both sides. One work-item tells of the rest. The side
// that is read comes first.
CLTC_OWN ulong cltc_fits(__private cltc_context *c, ulong2 h, ulong off, uint bytes, ulong stride, ulong count,
                       uint what, ulong path, uint chained, ulong event, ulong given) {
  const int writes = (what & 2u) != 0u;
  if (writes) { // the side that is written stands for the copy; a chained one may have an earlier one's event
    c->copies_since = c->copies == 0u ? 1u : c->copies_since + 1u;
    c->copies = chained ? max(c->copies, 1u) : c->copies + 1u;
    c->copy_what = what;
    c->copy_at = off;
    c->copy_path = path;
    c->copy_to = h;
  }
  if (CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER) {
    const ulong address = h.x + off;
    const ulong2 found = cltc_find(c, address);
    off = CLTC_NUMBER(found) == CLTC_UNKNOWN_NUMBER ? off : address - found.x;
    h = CLTC_NUMBER(found) == CLTC_UNKNOWN_NUMBER ? h : found;
  }
  const int known = CLTC_NUMBER(h) != CLTC_UNKNOWN_NUMBER;
  const ulong room = cltc_room(h, 0ul, bytes);
  const ulong step = stride * bytes;
  const ulong most = !known ? count : off >= room ? 0ul : step == 0ul ? count : (room - 1ul - off) / step + 1ul;
  const ulong fit = min(count, most);
  const int one = get_local_id(0) + get_local_id(1) + get_local_id(2) == 0;
  if (known && one && count > most) {
    (void)cltc_miss(c, h, off + most * step, bytes, what, path);
  } else if (known && one && count > 0ul) {
    (void)cltc_miss(c, h, off, bytes, what, path);
  }
#ifdef CLTC_BRIEF
  const ulong bits = cltc_chunks(CLTC_NUMBER(h), off, step, (uint)fit, bytes);
  c->wrong |= (bits & (writes ? c->near_writes : c->near_reads)) != 0ul ? 4u : 0u;
  if (writes) {
    c->next.reads = bits;
    c->next.writes |= bits;
    cltc_fly(c, chained, event, given);
    c->next.writes = 0ul;
  } else {
    c->next.writes = bits;
  }
#else
  if (c->flying != 0u && one && fit > 0ul) {
    (void)cltc_apart(c, h, off, stride == 1ul ? fit * bytes : bytes, step, stride == 1ul ? 1ul : fit, what, path);
  }
  if (writes) {
    c->next.to = CLTC_NUMBER(h);
    c->next.to_at = off;
    c->next.to_step = step;
    c->next.what = what;
    c->next.count = (uint)fit;
    c->next.bytes = bytes;
    cltc_fly(c, chained, event, given);
    c->next.from = CLTC_UNKNOWN_NUMBER;
  } else {
    c->next.from = CLTC_NUMBER(h);
    c->next.from_at = off;
    c->next.from_step = step;
  }
#endif
  return fit;
}

// The copies of these events are over, and those whose event is not known. Where an event is none of a known copy, all are.
CLTC_OWN void cltc_land(__private cltc_context *c, uint events, ulong list) {
  uint kept = 0u;
#ifndef CLTC_VAGUE
  uint hit = 0u, known = 0u; // the copies of these events, a bit each; how many of the events are theirs
  for (uint i = 0; list != 0ul && i < c->flying; i++) {
    const ulong event = c->flight[i].event;
    if (event >= list && event - list < events * sizeof(event_t)) {
      uint first = 1u;
      for (uint k = 0; k < i; k++) {
        first = c->flight[k].event == event ? 0u : first;
      }
      known += first;
      hit |= 1u << i;
    }
  }
  uint over = hit;
  for (uint i = 0; known >= events && i < c->flying; i++) {
    over |= c->flight[i].event == 0ul ? 1u << i : 0u;
    for (uint k = 0; k < c->flying; k++) {
      over |= (hit >> k & 1u) != 0u && c->flight[k].with == c->flight[i].with ? 1u << i : 0u;
    }
  }
  for (uint i = 0; known >= events && i < c->flying; i++) {
    if ((over >> i & 1u) == 0u) {
      c->flight[kept++] = c->flight[i];
    }
  }
#endif
  c->flying = kept;
#ifdef CLTC_BRIEF
  c->near_reads = c->near_writes = 0ul;
  for (uint i = 0; i < kept; i++) {
    c->near_reads |= c->flight[i].reads;
    c->near_writes |= c->flight[i].writes;
  }
#endif
}

// The group has waited for so many events, which begin at an address; 0: that is not known.
CLTC_OWN void cltc_awaited(__private cltc_context *c, uint events, ulong list) {
  c->copies -= min(c->copies, events);
  if (c->flying != 0u) {
    cltc_land(c, events, list);
  }
}

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
// The handle of an image: .x its width and above bit 32 its height, the bytes of .y its depth, or how many images it holds.
CLTC_OWN int cltc_pixel(__private cltc_context *c, long x, long y, long z, ulong2 h, uint what, ulong path) {
  const ulong width = h.x & 0xfffffffful, height = h.x >> 32;
  const int in = CLTC_NUMBER(h) == CLTC_UNKNOWN_NUMBER ||
                 ((ulong)x < width && (ulong)y < height && (ulong)z < CLTC_SIZE(h));
  const uint rule = !in                                                 ? CLTC_OUTSIDE
                    : (what & 2u) != 0u && (h.y & CLTC_NO_WRITE) != 0ul ? CLTC_READ_ONLY
                    : (what & 1u) != 0u && (h.y & CLTC_NO_READ) != 0ul  ? CLTC_WRITE_ONLY
                                                                        : 0u;
  if ((what & 1u) != 0u && (h.y & CLTC_WATCHED) != 0ul) {
    cltc_report(c, CLTC_UNWRITTEN, h, 0ul, what, path, 0x80000000u);
  }
  if (rule != 0u) {
    cltc_report(c, rule, CLTC_OBJECT(0ul, CLTC_NUMBER(h), width * height * CLTC_SIZE(h)),
                (ulong)((uint)x) | (ulong)((uint)y) << 32, what, path, (uint)z);
  }
  return in;
}

// A read with a sampler, which says what lies outside: of which pixel is not told.
CLTC_OWN int cltc_sampled(__private cltc_context *c, ulong2 h, uint what, ulong path) {
  if ((h.y & (CLTC_NO_READ | CLTC_WATCHED)) != 0ul) {
    cltc_report(c, (h.y & CLTC_NO_READ) != 0ul ? CLTC_WRITE_ONLY : CLTC_UNWRITTEN, h, 0ul, what, path, 0x80000000u);
  }
  return 1;
}
#endif

CLTC_OWN void cltc_begin(__private cltc_context *c, __global uint *records, uint launch) {
  c->records = records;
  c->launch = launch;
  c->wrong = 0u;
  c->filling = 0u;
#ifdef CLTC_FUEL
  c->missed = (c->records[CLTC_LEFT] & 8u) != 0u ? CLTC_FUEL - 100u : 0u;
#endif
#ifndef CLTC_BRIEF
  c->who = (uint8)(launch, (uint)get_group_id(0), (uint)get_group_id(1), (uint)get_group_id(2), (uint)get_local_id(0),
                   (uint)get_local_id(1), (uint)get_local_id(2), 0u);
#endif
#ifdef CLTC_COPIES
  c->copies = 0u;
  c->flying = 0u;
  c->flights = 0u;
#ifdef CLTC_BRIEF
  c->near_reads = c->near_writes = c->next.writes = 0ul;
#else
  c->next.from = CLTC_UNKNOWN_NUMBER;
#endif
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
