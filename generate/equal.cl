// In place of what a schema of mutants counts (mutate/schema.cl): the mutant CLTC_EQUAL is compared at its place with what the user
// wrote, and another value writes past the end of an array.
#line 1 "cltc_reached"
uint cltc_reached(void); uint cltc_reached(void) { uint t[1] = {0u}; t[get_work_dim() + 1u] = 1u; return t[0]; }
#define CLTC_INLINE __attribute__((always_inline))
#define CLTC_K(number, word, bit) cltc, CLTC_EQUAL - number##u
#define CLTC_AT(word, bit)
#define CLTC_MARK(word, bit)
#define CLTC_BEGIN cltc_context cltc_c = {0}; __private cltc_context *const cltc = &cltc_c;
#define CLTC_BEGIN_EVENLY CLTC_BEGIN
#define CLTC_KEEP(word)
#define CLTC_KEEP_EVENLY(word)
#define CLTC_KEEP_WORDS(first, end)
#define CLTC_END
#define CLTC_END_EVENLY
#define cltc_turn(context, c) (c)
#define cltc_divided(context) ((void)cltc_reached())
#define cltc_divided_own(context) ((void)0)
