// EXPECT: race
// OPTS: -t 10
// WHY: no barrier orders the zeros that work-items of a group put into bins and what the others count there.
#define LINES 0
#define BLANKS 1
#define DASHES 2
#define DIGITS 3
#define OTHERS 4
#define CLASSES 5

#define FOR_EACH_CLASS(c) for (int c = get_local_id(0); c < CLASSES; c += get_local_size(0))

static void count_character(const uchar c, __local int *bins) {
  switch (c) {
    case '\n':
      atomic_inc(bins + LINES);
      /* falls through: the end of a line is a blank too */
    case ' ':
    case '\t':
      atomic_inc(bins + BLANKS);
      break;
    case '-':
      atomic_inc(bins + DASHES);
      break;
    default:
      if (c >= '0' && c <= '9')
        atomic_inc(bins + DIGITS);
      else
        atomic_inc(bins + OTHERS);
  }
}

/* Each work-group counts in local memory and adds what it found to the `counts` of all. */
__kernel void count(const int n, __global const uchar *text, __global int *counts) {
  __local int bins[CLASSES];
  FOR_EACH_CLASS(c) bins[c] = 0;

  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    count_character(text[i], bins);
  barrier(CLK_LOCAL_MEM_FENCE);
  FOR_EACH_CLASS(c) {
    if (bins[c] > 0)
      atomic_add(&counts[c], bins[c]);
  }
}
