/* Intervals for shares.
 *
 * Of an endless population: Wilson's (Probable inference, the law of succession, and statistical inference, 1927). Of
 * one that has an end: all shares with which a draw like the one that was made, or one that lies further away on the
 * same side, has a probability of more than 2.5 % (the hypergeometric distribution). */
#include "base/interval.h"

#include <math.h>
#include <stdbool.h>

#define NORMAL_95 1.959964 /* 95 % of a normal distribution lie within so many standard deviations */
#define TAIL 0.025
#define NEGLIGIBLE 1e-12 /* of a tail's largest term */

static interval of_endless(size_t hits, size_t drawn) {
  const double share = (double)hits / (double)drawn;
  const double z = NORMAL_95 * NORMAL_95 / (double)drawn;
  const double middle = (share + z / 2) / (1 + z);
  const double half = sqrt(z * share * (1 - share) + z * z / 4) / (1 + z);
  return (interval){middle - half < 0 ? 0 : middle - half, middle + half > 1 ? 1 : middle + half};
}

static double log_choose(double n, double k) { return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1); }

/* Probability of `hits` or more (`up`), or of `hits` or fewer, in a draw of `drawn` of `all`, of which `with` count. */
static double tail_of(size_t hits, size_t drawn, size_t all, size_t with, bool up) {
  const double n = (double)drawn, total = (double)all, k = (double)with;
  const double least = n + k > total ? n + k - total : 0, most = n < k ? n : k;
  double x = (double)hits;
  if (x < least || x > most) return (x < least) == up ? 1 : 0;
  double term = exp(log_choose(k, x) + log_choose(total - k, n - x) - log_choose(total, n));
  double sum = term, largest = term;
  while ((up ? x < most : x > least) && (term >= largest || term > NEGLIGIBLE * largest)) {
    term *= up ? (k - x) * (n - x) / ((x + 1) * (total - k - n + x + 1))
               : x * (total - k - n + x) / ((k - x + 1) * (n - x + 1));
    x += up ? 1 : -1;
    sum += term;
    largest = term > largest ? term : largest;
  }
  return sum;
}

/* Between what is known to count and what may: the least, or the most, that makes the draw likely enough. */
static size_t end_of(size_t hits, size_t drawn, size_t all, bool low) {
  size_t from = hits, to = hits + (all - drawn);
  while (from < to) {
    const size_t middle = from + (to - from + (low ? 0 : 1)) / 2;
    const bool likely = tail_of(hits, drawn, all, middle, low) > TAIL;
    if (low)
      *(likely ? &to : &from) = likely ? middle : middle + 1;
    else
      *(likely ? &from : &to) = likely ? middle : middle - 1;
  }
  return from;
}

interval interval_of(size_t hits, size_t drawn, size_t all) {
  if (all == 0) return of_endless(hits, drawn);
  return (interval){(double)end_of(hits, drawn, all, true) / (double)all,
                    (double)end_of(hits, drawn, all, false) / (double)all};
}
