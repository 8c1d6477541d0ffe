// In place of what coverage records: an outcome that is taken writes past the end of an array. It is the one of the bits
// CLTC_REACH_BITS of a word of the context, which has been given the type ulong. What is recorded without a macro is seen at the kernel's end, in the
// packed word CLTC_REACH_ROW and the next one. Where loops are entered
// once (CLTC_REACH_ONCE), they count at the pace of their own variables, which is easier to prove things of.
#line 1 "cltc_reached"
uint cltc_reached(void); uint cltc_reached(void) { uint t[1] = {0u}; t[get_work_dim() + 1u] = 1u; return t[0]; }
#define CLTC_HIT(word, bits) \
  ((void)(sizeof(word) == sizeof(ulong) && ((bits) & (CLTC_REACH_BITS)) != 0u ? cltc_reached() : 0u))
#define CLTC_BRANCH(word, yes, no, c) ((c) != 0 ? (CLTC_HIT(word, yes), 1) : (CLTC_HIT(word, no), 0))
#define CLTC_HIDDEN(word, yes, no, c) CLTC_BRANCH(word, yes, no, c)
#define CLTC_SPLIT(word, yes, no, c) CLTC_BRANCH(word, yes, no, c)
#define CLTC_GUARD(h, word, yes, no, c) CLTC_BRANCH(word, yes, no, c)
#define CLTC_SEEN(path, by, c) ((c) != 0 ? ((path) <<= (by), 1) : 0)
#define CLTC_SEEN_HIDDEN(path, by, c) CLTC_SEEN(path, by, c)
#define CLTC_PATH(word, path, first, yes, c) \
  ((path) = (first), (void)(c), CLTC_HIT(word, path), ((path) & (yes)) != 0u)
#define CLTC_PATH_HIDDEN(word, path, first, yes, c) CLTC_PATH(word, path, first, yes, c)
#define CLTC_PATH_KEPT(word, path, first, yes, c) CLTC_PATH(word, path, first, yes, c)
#define CLTC_PATH_ONLY(word, path, first, yes, c) ((path) = (first), (void)(c), CLTC_HIT(word, path), (path) == (yes))
#define CLTC_PATH_BUT(word, path, first, no, c) ((path) = (first), (void)(c), CLTC_HIT(word, path), (path) != (no))
#define CLTC_BESIDE(word, way, c) (CLTC_HIT(word, way), (c) != 0)
#define CLTC_BESIDE_HIDDEN(word, way, c) CLTC_BESIDE(word, way, c)
#define CLTC_COUNT(n) ((n) == 0u ? 1u : (n) == 1u ? 2u : 4u)
#ifdef CLTC_REACH_ONCE
#define CLTC_LOOP(word, shift, n, c) \
  (++n, (c) != 0 ? 1 : (CLTC_HIT(word, (8u | CLTC_COUNT(n - 1u)) << (shift)), 0))
#define CLTC_DO(word, shift, n, c) (++n, (c) != 0 ? 1 : (CLTC_HIT(word, (8u | CLTC_COUNT(n)) << (shift)), 0))
#else
#define CLTC_LOOP(word, shift, n, c) \
  ((c) != 0 ? (++n, 1) : (CLTC_HIT(word, (8u | CLTC_COUNT(n)) << (shift)), n = 0u, 0))
#define CLTC_DO(word, shift, n, c) \
  ((c) != 0 ? (++n, 1) : (CLTC_HIT(word, (8u | CLTC_COUNT(n + 1u)) << (shift)), n = 0u, 0))
#endif
#define CLTC_LEAVE(word, shift, n) (CLTC_HIT(word, CLTC_COUNT(n) << (shift)), n = 0u)
#define CLTC_LEAVE_DO(word, shift, n) (CLTC_HIT(word, CLTC_COUNT(n + 1u) << (shift)), n = 0u)
#define CLTC_LABEL(bits, n) (bits)[(n) >> 5] |= 1u << ((n) & 31u);
#define CLTC_HASH(h, value) ((void)(value))
#define CLTC_ALIKE(h, value) ((void)(value))
#define CLTC_VOTE(h, c) ((c) != 0)
#define CLTC_ROW(words)
#define CLTC_STORE4(words, w, v) \
  if (((w) == CLTC_REACH_ROW && ((v) & CLTC_REACH_LOW) != 0u) || ((w) == CLTC_REACH_ROW + 1 && ((v) & CLTC_REACH_HIGH) != 0u)) { (void)cltc_reached(); }
#define CLTC_STORE1(v) CLTC_STORE4(1, 0, v)
#define CLTC_STORE2(v) CLTC_STORE4(1, 0, v)
#define CLTC_KEEP1(v) CLTC_STORE4(1, 0, v)
#define CLTC_KEEP2(v) CLTC_STORE4(1, 0, v)
#define CLTC_KEEP4(words, w, v) CLTC_STORE4(words, w, v)
#define CLTC_PLANES(n, stores)
#define CLTC_SETTLED(n, stores)
