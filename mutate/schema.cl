// After the definition of cltc_context. `fuel` is signed and only ever counts down: a turn is granted while it is
// above zero, so that compilers still find the trip count; below zero a loop was ended. Nothing here branches at the
// end of a kernel with barriers (EVENLY): PoCL 3.1 is known to translate branches after a conditional barrier wrongly.
// There word 1 takes the stores that say nothing. Once a work-item had no fuel left, later ones get none (but where
// they meet at barriers): the launch is a timeout, whatever they do.
// CLTC_COMPARE: only to be compared with another kernel, with nothing in it but what the kernel computes.

#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 120
#define CLTC_INLINE static inline __attribute__((always_inline))
#else
#define CLTC_INLINE __attribute__((always_inline))
#endif
#define CLTC_IS(number) (CLTC_M == number##u)
#define CLTC_IS_NOT(number) (CLTC_M != number##u)
#define CLTC_FUEL ((cltc_first >> 32) == 0xffffffffUL ? 0x7fffffffffffffffL : (long)(cltc_first >> 32))
#define CLTC_CONTEXT cltc_context cltc_c = {0}; __private cltc_context *const cltc = &cltc_c;
#ifdef CLTC_COMPARE
#define CLTC_BEGIN CLTC_CONTEXT
#define CLTC_BEGIN_EVENLY CLTC_CONTEXT
#else
#define CLTC_BEGIN \
  CLTC_CONTEXT cltc->m = (uint)cltc_first; cltc->fuel = (cltc_flags[0] & 2u) != 0u ? 0 : CLTC_FUEL;
#define CLTC_BEGIN_EVENLY CLTC_CONTEXT cltc->m = (uint)cltc_first; cltc->fuel = CLTC_FUEL;
#endif
#define CLTC_EVENTS (cltc->events | (uint)((cltc->fuel < 0) & ((cltc->events & 1u) == 0u)) * 2u)
#ifdef CLTC_REACH
#define CLTC_AT(word, bit) cltc->r[word] |= bit##u,
#define CLTC_MARK(word, bit) cltc->r[word] |= bit##u;
#define CLTC_K(number, word, bit) (cltc->r[word] |= bit##u, cltc), CLTC_M - number##u
#define CLTC_TURNS (CLTC_FUEL - cltc->fuel)
#define CLTC_USED ((uint)(CLTC_TURNS > 0xffffffffL ? 0xffffffffL : CLTC_TURNS))
#define CLTC_KEEP(word) \
  if (cltc->r[word] & ~cltc_flags[2 + word]) { atomic_or(&cltc_flags[2 + word], cltc->r[word]); }
#define CLTC_KEEP_EVENLY(word) atomic_or(&cltc_flags[2 + word], cltc->r[word]);
#define CLTC_KEEP_WORDS(first, end) \
  for (uint cltc_w = first##u; cltc_w < end##u; cltc_w++) { CLTC_KEEP(cltc_w) }
#define CLTC_END \
  if (CLTC_EVENTS) { atomic_or(&cltc_flags[0], CLTC_EVENTS); } \
  if (CLTC_USED > cltc_flags[1]) { atomic_max(&cltc_flags[1], CLTC_USED); }
#define CLTC_END_EVENLY \
  atomic_or(&cltc_flags[0], CLTC_EVENTS); atomic_max(&cltc_flags[1], CLTC_USED);
#else
#define CLTC_AT(word, bit)
#define CLTC_MARK(word, bit)
#define CLTC_K(number, word, bit) cltc, CLTC_M - number##u
#define CLTC_KEEP(word)
#define CLTC_KEEP_EVENLY(word)
#define CLTC_KEEP_WORDS(first, end)
#ifdef CLTC_COMPARE
#define CLTC_END
#define CLTC_END_EVENLY
#else
#define CLTC_END if (CLTC_EVENTS) { atomic_or(&cltc_flags[0], CLTC_EVENTS); }
#define CLTC_END_EVENLY cltc_flags[CLTC_EVENTS != 0u ? 0 : 1] = CLTC_EVENTS;
#endif
#endif
#ifdef CLTC_COMPARE
CLTC_INLINE int cltc_turn(__private cltc_context *cltc, int c) {
  return c & 1;
}
CLTC_INLINE void cltc_divided(__private cltc_context *cltc) {
  __builtin_trap();
}
CLTC_INLINE void cltc_divided_own(__private cltc_context *cltc) {
  __builtin_trap();
}
#else
CLTC_INLINE int cltc_turn(__private cltc_context *cltc, int c) {
  const int go = c & (int)(cltc->fuel > 0);
  cltc->fuel -= c;
  return go;
}
CLTC_INLINE void cltc_divided(__private cltc_context *cltc) {
  cltc->events |= 1u;
  cltc->fuel = -1;
}
// The user's own: without a mutant it may divide by zero, too, and go on.
CLTC_INLINE void cltc_divided_own(__private cltc_context *cltc) {
  cltc->events |= 4u;
}
#endif
