// What a work-item has seen lives in private memory, in one struct that helpers get by pointer; `t` is scratch. Loops
// count in a local variable n: 0, 1 or more turns become the outcomes zero, one, many (bits 0 to 2 of four), a
// condition seen false the boundary (bit 3).
//
// Where a condition joins tests of several variables, and everywhere in functions with barriers, the branch is taken on
// the record of the decision, in a form that the compiler cannot see through (`zero` is 0, but only at run time): LLVM
// would else split the work-item loop by parts of the condition and lose the vector code of the user's own kernel, or
// join branches in ways that PoCL 3.1 translates wrongly between barriers.
//
// A decision made of && and || keeps the way through it as one bit that its conditions shift; the decision's value is
// read from that bit. The way through a range check of one variable stands beside it (range_check.c).
//
// A decision that guards a barrier is recorded by arithmetic before the branch, because divergent control flow around a
// barrier is undefined: on a CPU device all work-items may follow the first one. The value goes through volatile `v` so
// that no compiler can move the record after the branch.

#define CLTC_BRANCH(word, yes, no, c) ((c) != 0 ? ((word) |= (yes), 1) : ((word) |= (no), 0))
#define CLTC_HIDDEN(word, yes, no, c) \
  (cltc->t = (c) != 0 ? (yes) : (no), (word) |= cltc->t, cltc->t == ((yes) | cltc->zero))
#define CLTC_SEEN(path, by, c) ((c) != 0 ? ((path) <<= (by), 1) : 0)
#define CLTC_SEEN_HIDDEN(path, by, c) \
  (cltc->t = (c) != 0 ? (by) : 0u, (path) <<= cltc->t, cltc->t != cltc->zero)
#define CLTC_PATH(word, path, first, yes, c) \
  ((path) = (first), (void)(c), (word) |= (path), ((path) & (yes)) != 0u)
#define CLTC_PATH_HIDDEN(word, path, first, yes, c) \
  ((path) = (first), (void)(c), (word) |= (path), ((path) & ((yes) | cltc->zero)) != 0u)
#define CLTC_PATH_ONLY(word, path, first, yes, c) \
  ((path) = (first), (void)(c), (word) |= (path), (path) == ((yes) | cltc->zero))
#define CLTC_PATH_BUT(word, path, first, no, c) \
  ((path) = (first), (void)(c), (word) |= (path), (path) != ((no) | cltc->zero))
#define CLTC_BESIDE(word, way, c) ((word) |= (way), (c) != 0)
#define CLTC_BESIDE_HIDDEN(word, way, c) \
  ((word) |= (way), cltc->t = (c) != 0 ? 1u : 0u, cltc->t != cltc->zero)
#define CLTC_COUNT(n) ((n) == 0u ? 1u : (n) == 1u ? 2u : 4u)
#define CLTC_LOOP(word, shift, n, c) \
  ((c) != 0 ? (++n, 1) : ((word) |= (8u | CLTC_COUNT(n)) << (shift), n = 0u, 0))
#define CLTC_DO(word, shift, n, c) \
  ((c) != 0 ? (++n, 1) : ((word) |= (8u | CLTC_COUNT(n + 1u)) << (shift), n = 0u, 0))
#define CLTC_LEAVE(word, shift, n) ((word) |= CLTC_COUNT(n) << (shift), n = 0u)
#define CLTC_LEAVE_DO(word, shift, n) ((word) |= CLTC_COUNT(n + 1u) << (shift), n = 0u)
#define CLTC_LABEL(bits, n) (bits)[(n) >> 5] |= 1u << ((n) & 31u);
#define CLTC_HASH(h, value) (cltc->v = (value), (h) = (h) * 0x9E3779B1u + 1u + cltc->v)
#define CLTC_ALIKE(h, value) CLTC_HASH(h, (uint)(value) ^ (uint)((ulong)(value) >> 32) * 0x85EBCA6Bu)
#define CLTC_VOTE(h, c) (CLTC_HASH(h, (c) != 0 ? 1u : 0u), cltc->v != 0u)
#define CLTC_PATH_KEPT(word, path, first, yes, c) \
  ((path) = (first), (void)(c), cltc->v = (path), (word) |= cltc->v, (cltc->v & (yes)) != 0u)
#define CLTC_SPLIT(word, yes, no, c) \
  (cltc->v = (c) != 0 ? 1u : 0u, (word) |= cltc->v != 0u ? (yes) : (no), cltc->v != 0u)
#define CLTC_GUARD(h, word, yes, no, c) \
  (CLTC_HASH(h, (c) != 0 ? 1u : 0u), (word) |= cltc->v != 0u ? (yes) : (no), cltc->v != 0u)
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
#define CLTC_LOCAL(d) get_enqueued_local_size(d)
#else
#define CLTC_LOCAL(d) get_local_size(d)
#endif
#define CLTC_SIZE ((ulong)CLTC_LOCAL(0) * CLTC_LOCAL(1) * CLTC_LOCAL(2))
#define CLTC_GROUP \
  (((ulong)get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0))
#define CLTC_LANE \
  ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define CLTC_OR(w, v) if ((v) & ~cltc_flags[w]) { atomic_or(&cltc_flags[w], (v)); }
#ifdef CLTC_DIRECT
#define CLTC_STORE1(v) CLTC_OR(0, v)
#define CLTC_STORE2(v) CLTC_OR(0, v)
#define CLTC_ROW(words)
#define CLTC_STORE4(words, w, v) CLTC_OR(w, v)
#define CLTC_KEEP1(v) atomic_or(&cltc_flags[0], (v));
#define CLTC_KEEP2(v) atomic_or(&cltc_flags[0], (v));
#define CLTC_KEEP4(words, w, v) atomic_or(&cltc_flags[w], (v));
#else
#define CLTC_ITEM (cltc_first + CLTC_GROUP * CLTC_SIZE + CLTC_LANE)
#define CLTC_STORE1(v) cltc_slots[CLTC_ITEM] = (uchar)(v);
#define CLTC_STORE2(v) ((__global ushort *)cltc_slots)[CLTC_ITEM] = (ushort)(v);
#define CLTC_ROW(words) __global uint *const cltc_row = (__global uint *)cltc_slots + CLTC_ITEM * (words);
#define CLTC_STORE4(words, w, v) cltc_row[w] = (v);
#define CLTC_KEEP1(v) CLTC_STORE1(v)
#define CLTC_KEEP2(v) CLTC_STORE2(v)
#define CLTC_KEEP4(words, w, v) CLTC_STORE4(words, w, v)
#endif
