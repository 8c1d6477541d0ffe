/* Matching runs of tokens: files are cut into runs, long runs are found by their first tokens and laid down first;
 * short ones, and those around holes, beside them. */

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "home/home.h"

/* Shorter runs are only looked for next to runs that were found. */
#define HOME_SEED 6

enum {
  MOST_PLACES = 64,
  MOST_SKIPPED = 8,
  LONGEST_VALUE = 64,
  LONGEST_INSERT = 512,
  LEAST_ELSEWHERE = 4,
  FURTHEST = 4096
};

/* --- the source -------------------------------------------------------------------------------------------------- */

static uint32_t seed_hash(const home_token *t) {
  uint32_t hash = 0;
  for (int i = 0; i < HOME_SEED; i++) {
    hash = (hash ^ t[i].hash) * 0x9E3779B1u;
    hash ^= hash >> 15;
  }
  return hash;
}

home_target home_target_of(const char *text, size_t length) {
  home_target t = {.text = decode_nothing(text, length)};
  t.tokens = home_tokens_of(&t.text);
  size_t n = t.tokens.count;
  for (t.head_count = 64; t.head_count < n; t.head_count *= 2) {
  }
  t.heads = mem_calloc(t.head_count, sizeof *t.heads);
  t.next = mem_calloc(n + 1, sizeof *t.next);
  memset(t.heads, 0xff, t.head_count * sizeof *t.heads);
  for (size_t i = n < HOME_SEED ? 0 : n - HOME_SEED + 1; i-- > 0;) { /* places in a chain ascend */
    uint32_t *head = &t.heads[seed_hash(&t.tokens.items[i]) & (t.head_count - 1)];
    t.next[i] = *head;
    *head = (uint32_t)i;
  }
  return t;
}

void home_target_free(home_target *t) {
  decoded_free(&t->text);
  home_tokens_free(&t->tokens);
  free(t->heads);
  free(t->next);
  *t = (home_target){0};
}

/* --- matching ---------------------------------------------------------------------------------------------------- */

/* A run that stands at a place of the source. */
typedef struct place {
  uint32_t run, at, count;
} place;

typedef struct matcher {
  const home_target *t;
  const stream *s;
  home_claim *claims;
  uint64_t *steps;
  place *places;
  size_t count, capacity;
} matcher;

static bool stands_at(const matcher *m, const home_run *r, size_t at) {
  if (r->count > m->t->tokens.count - at || at > m->t->tokens.count) return false;
  for (size_t i = 0; i < r->count; i++) {
    *m->steps -= *m->steps > 0 ? 1 : 0;
    if (*m->steps == 0 ||
        !home_token_same(&m->t->text, &m->t->tokens.items[at + i], &m->s->text, &m->s->tokens.items[r->first + i]))
      return false;
  }
  return true;
}

static bool is_free(const matcher *m, size_t at, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (m->claims[at + i].token != HOME_NONE) return false;
  return true;
}

static void claim(matcher *m, uint32_t run, size_t at) {
  const home_run *r = &m->s->runs[run];
  for (uint32_t i = 0; i < r->count; i++) m->claims[at + i] = (home_claim){r->first + i, run};
}

static void find_places(matcher *m) {
  const home_target *t = m->t;
  for (size_t i = 0; i < m->s->run_count; i++) {
    const home_run *r = &m->s->runs[i];
    if (r->count < HOME_SEED) continue;
    uint32_t at = t->heads[seed_hash(&m->s->tokens.items[r->first]) & (t->head_count - 1)];
    for (size_t n = 0; at != HOME_NONE && n<MOST_PLACES && * m->steps> 0; at = t->next[at]) {
      if (stands_at(m, r, at)) {
        *ARRAY_ADD(m->places, m->count, m->capacity) = (place){(uint32_t)i, at, r->count};
        n++;
      }
    }
  }
}

/* Long ones first, then in order of the source, then of the stream. */
static int compare_places(const void *a, const void *b) {
  const place *x = a;
  const place *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  if (x->at != y->at) return x->at > y->at ? 1 : -1;
  return (x->run > y->run) - (x->run < y->run);
}

/* Tokens of the stream between two runs of it. */
static size_t left_out(const matcher *m, uint32_t from, uint32_t to) {
  size_t tokens = 0;
  for (uint32_t run = from + 1; run < to && tokens < FURTHEST; run++) tokens += m->s->runs[run].count;
  return tokens;
}

static size_t distance(size_t a, size_t b) { return a > b ? a - b : b - a; }

/* How much what is between a run and its neighbour differs from what is between them in the stream. */
static size_t distance_to_neighbour(const matcher *m, const place *p) {
  for (size_t i = p->at; i-- > 0 && p->at - i < FURTHEST;) {
    uint32_t run = m->claims[i].run;
    if (m->claims[i].token != HOME_NONE)
      return run < p->run ? distance(p->at - i - 1, left_out(m, run, p->run)) : FURTHEST + run - p->run;
  }
  for (size_t i = p->at + p->count; i < m->t->tokens.count && i - p->at < FURTHEST; i++) {
    uint32_t run = m->claims[i].run;
    if (m->claims[i].token != HOME_NONE)
      return run > p->run ? distance(i - p->at - p->count, left_out(m, p->run, run)) : FURTHEST + p->run - run;
  }
  return 0;
}

/* Of runs that are alike the one that is next to its neighbour's. */
static void claim_nearest(matcher *m, size_t first, size_t end) {
  size_t best = first, nearest = SIZE_MAX;
  for (size_t i = first; i < end; i++) {
    size_t d = distance_to_neighbour(m, &m->places[i]);
    if (d < nearest) {
      nearest = d;
      best = i;
    }
  }
  if (is_free(m, m->places[best].at, m->places[best].count)) claim(m, m->places[best].run, m->places[best].at);
}

static void claim_places(matcher *m) {
  if (m->count > 1) qsort(m->places, m->count, sizeof *m->places, compare_places);
  for (int alike = 0; alike < 2; alike++) { /* those of which there are several wait for their neighbours */
    for (size_t i = 0; i < m->count;) {
      size_t end = i + 1;
      while (end < m->count && m->places[end].at == m->places[i].at && m->places[end].count == m->places[i].count)
        end++;
      if ((end - i > 1) == (alike == 1)) claim_nearest(m, i, end);
      i = end;
    }
  }
}

/* --- beside what was found ---------------------------------------------------------------------------------------- */

static int nesting(const matcher *m, size_t token) {
  const home_token *t = &m->t->tokens.items[token];
  char c = t->end - t->begin == 1 ? m->t->text.text[t->begin] : ' ';
  return strchr("([{", c) != NULL ? 1 : strchr(")]}", c) != NULL ? -1 : 0;
}

/* The value of the hole before a run; one that goes over lines is generated text of its own. */
static void claim_value(matcher *m, uint32_t run, size_t from, size_t to) {
  const home_token *t = m->t->tokens.items;
  if (m->s->runs[run].hole == HOME_NONE || from >= to || to - from > LONGEST_VALUE ||
      memchr(m->t->text.text + t[from].begin, '\n', t[to - 1].end - t[from].begin) != NULL)
    return;
  for (size_t i = from; i < to; i++) m->claims[i] = (home_claim){m->s->runs[run].hole, run};
}

/* Where a run begins that comes after `from`, before `end`; HOME_NONE: nowhere. */
static size_t look_behind(const matcher *m, uint32_t run, size_t from, size_t end) {
  const home_run *r = &m->s->runs[run];
  bool hole = r->hole != HOME_NONE;
  size_t reach = hole ? LONGEST_INSERT : r->count >= LEAST_ELSEWHERE ? FURTHEST : 0;
  int depth = 0;
  for (size_t at = from; at + r->count <= end && at - from <= reach; at++) {
    if ((!hole || depth == 0) && stands_at(m, r, at)) return at;
    depth += nesting(m, at);
  }
  return HOME_NONE;
}

/* Goes on from where a run of the stream ends in the source, up to `end`, before run `stop`. */
static void go_forward(matcher *m, uint32_t run, size_t from, size_t end, uint32_t stop) {
  for (unsigned skipped = 0; ++run < stop && from < end && skipped < MOST_SKIPPED;) {
    size_t at = look_behind(m, run, from, end);
    if (at == HOME_NONE) {
      skipped++;
      continue;
    }
    claim_value(m, run, from, at);
    claim(m, run, at);
    from = at + m->s->runs[run].count;
    skipped = 0;
  }
}

/* Where a run begins that ends before `end`, and not before `from`. */
static size_t look_before(const matcher *m, uint32_t run, size_t from, size_t end) {
  const home_run *r = &m->s->runs[run];
  bool hole = run + 1 < m->s->run_count && m->s->runs[run + 1].hole != HOME_NONE;
  size_t reach = hole ? LONGEST_INSERT : r->count >= LEAST_ELSEWHERE ? FURTHEST : 0;
  int depth = 0;
  for (size_t away = 0; away <= reach && from + r->count + away <= end; away++) {
    size_t at = end - away - r->count;
    if ((!hole || depth == 0) && stands_at(m, r, at)) return at;
    depth += nesting(m, end - away - 1);
  }
  return HOME_NONE;
}

static void go_back(matcher *m, uint32_t run, size_t end, size_t from, uint32_t stop) {
  for (unsigned skipped = 0; run-- > stop && end > from && skipped < MOST_SKIPPED;) {
    size_t at = look_before(m, run, from, end);
    if (at == HOME_NONE) {
      skipped++;
      continue;
    }
    claim_value(m, run + 1, at + m->s->runs[run].count, end);
    claim(m, run, at);
    end = at;
    skipped = 0;
  }
}

/* Fills the tokens [begin, end) that nothing claims, from what is before them and from what is after them. */
static void fill(matcher *m, size_t begin, size_t end) {
  size_t n = m->t->tokens.count;
  uint32_t before = begin > 0 ? m->claims[begin - 1].run : HOME_NONE;
  uint32_t behind = end < n ? m->claims[end].run : HOME_NONE;
  bool in_order = before != HOME_NONE && behind != HOME_NONE && before < behind;
  if (before != HOME_NONE) go_forward(m, before, begin, end, in_order ? behind : (uint32_t)m->s->run_count);
  if (in_order && behind == before + 1) claim_value(m, behind, begin, end);
  size_t from = end;
  while (from > begin && m->claims[from - 1].token == HOME_NONE) from--;
  if (behind != HOME_NONE && from < end) {
    uint32_t last = from > 0 && from > begin ? m->claims[from - 1].run : before;
    bool ordered = last != HOME_NONE && last < behind;
    go_back(m, behind, end, from, ordered ? last + 1 : 0);
    if (ordered && last + 1 == behind && m->claims[end - 1].token == HOME_NONE) claim_value(m, behind, from, end);
  }
}

static void fill_gaps(matcher *m) {
  size_t n = m->t->tokens.count;
  for (size_t i = 0; i < n;) {
    size_t end = i;
    while (end < n && m->claims[end].token == HOME_NONE) end++;
    if (end > i) fill(m, i, end);
    i = end + 1;
  }
}

/* --- all of a format, or nothing ---------------------------------------------------------------------------------- */

/* After the tokens from i on that belong to one run. */
static size_t claim_end(const matcher *m, size_t i) {
  size_t end = i + 1;
  uint32_t run = m->claims[i].run;
  while (end < m->t->tokens.count && m->claims[end].token != HOME_NONE && m->claims[end].run == run) end++;
  return end;
}

/* After the runs of one format, from token i on; `*whole` is whether all of them are there. */
static size_t format_end(const matcher *m, size_t i, bool *whole) {
  uint32_t run = m->claims[i].run;
  size_t end = claim_end(m, i);
  *whole = !m->s->runs[run].joined;
  while (++run < m->s->run_count && m->s->runs[run].joined) {
    size_t next = end;
    while (next < m->t->tokens.count && m->claims[next].token == HOME_NONE) next++;
    if (next == m->t->tokens.count || m->claims[next].run != run) {
      *whole = false;
      break;
    }
    end = claim_end(m, next);
  }
  return end;
}

static void drop_parts(matcher *m) {
  size_t n = m->t->tokens.count;
  for (size_t i = 0; i < n;) {
    if (m->claims[i].token == HOME_NONE) {
      i++;
      continue;
    }
    bool whole = true;
    size_t end = format_end(m, i, &whole);
    for (size_t k = i; k < end && !whole; k++) m->claims[k] = (home_claim){HOME_NONE, HOME_NONE};
    i = end;
  }
}

/* --- what stands together ----------------------------------------------------------------------------------------- */

/* A run in the source. */
typedef struct segment {
  uint32_t run;
  size_t begin, end;
} segment;

typedef struct segments {
  segment *items;
  size_t count, capacity;
  uint32_t *places; /* of each run of the stream: in how many segments it is */
} segments;

static void drop(matcher *m, const segment *s) {
  for (size_t i = s->begin; i < s->end; i++) m->claims[i] = (home_claim){HOME_NONE, HOME_NONE};
}

static segments list_segments(const matcher *m) {
  segments l = {.places = mem_calloc(m->s->run_count + 1, sizeof *l.places)};
  for (size_t i = 0; i < m->t->tokens.count;) {
    size_t end = i + 1;
    if (m->claims[i].token != HOME_NONE) {
      end = claim_end(m, i);
      *ARRAY_ADD(l.items, l.count, l.capacity) = (segment){m->claims[i].run, i, end};
      l.places[m->claims[i].run]++;
    }
    i = end;
  }
  return l;
}

static bool follows(const segment *a, const segment *b) {
  return b->begin == a->end && (b->run == a->run + 1 || b->run == a->run);
}

/* A line that is in the source several times is written where its neighbours are. */
static void drop_strays(matcher *m, segments *l) {
  size_t kept = 0;
  for (size_t i = 0; i < l->count; i++) {
    const segment *s = &l->items[i];
    bool alone = (kept == 0 || !follows(&l->items[kept - 1], s)) && (i + 1 == l->count || !follows(s, s + 1));
    if (l->places[s->run] > 1 && alone && s->end - s->begin < HOME_ENOUGH)
      drop(m, s);
    else
      l->items[kept++] = *s;
  }
  l->count = kept;
}

/* The end of an island: segments in the order of the file, with little between them, here and there. `*tokens` is how
 * many it has, without values in holes. */
static size_t island_end(const matcher *m, const segments *l, size_t first, size_t *tokens) {
  size_t i = first;
  *tokens = m->s->runs[l->items[i].run].count;
  for (i++; i < l->count; i++) {
    const segment *s = &l->items[i];
    size_t most = 16 + *tokens / 2;
    bool again = s->begin == s[-1].end && s->run == s[-1].run;
    bool next = s->run > s[-1].run && s->begin - s[-1].end <= most && left_out(m, s[-1].run, s->run) <= most;
    if (!again && !next) break;
    *tokens += m->s->runs[s->run].count;
  }
  return i;
}

/* Marks islands that are large, and have more than there is between them. */
static bool *large_islands(const matcher *m, const segments *l) {
  bool *kept = mem_calloc(l->count + 1, sizeof *kept);
  for (size_t i = 0; i < l->count;) {
    size_t tokens = 0;
    size_t end = island_end(m, l, i, &tokens);
    size_t extent = l->items[end - 1].end - l->items[i].begin;
    bool enough = tokens >= HOME_ENOUGH || tokens * 4 >= m->t->tokens.count * 3;
    for (; i < end; i++) kept[i] = enough && tokens * 2 >= extent;
  }
  return kept;
}

/* What is too little to say that it is written here goes, unless it is right beside what is enough. */
static void drop_islands(matcher *m, const segments *l) {
  scoped bool *kept = large_islands(m, l);
  for (size_t i = 0; i < l->count; i++) {
    const segment *s = &l->items[i];
    bool beside =
        (i > 0 && kept[i - 1] && s[-1].end == s->begin) || (i + 1 < l->count && kept[i + 1] && s[1].begin == s->end);
    if (!kept[i] && (!beside || s->end - s->begin < HOME_SEED)) drop(m, s);
  }
}

static void drop_chance(matcher *m) {
  segments l = list_segments(m);
  drop_strays(m, &l);
  drop_islands(m, &l);
  free(l.items);
  free(l.places);
}

size_t home_match(const home_target *t, const stream *s, home_claim *claims, uint64_t *steps) {
  matcher m = {.t = t, .s = s, .claims = claims, .steps = steps};
  for (size_t i = 0; i < t->tokens.count; i++) claims[i] = (home_claim){HOME_NONE, HOME_NONE};
  find_places(&m);
  if (m.count > 0) claim_places(&m);
  if (m.count > 0 && !s->apart) {
    fill_gaps(&m);
    drop_parts(&m);
  }
  drop_chance(&m);
  free(m.places);
  size_t total = 0;
  for (size_t i = 0; i < t->tokens.count; i++)
    total += claims[i].token != HOME_NONE && s->tokens.items[claims[i].token].kind != HOME_HOLE ? 1 : 0;
  return total;
}

/* Cutting files into runs. */

#define NO_HOLE UINT32_MAX

static bool is(const stream *s, size_t token, char c) {
  const home_token *t = &s->tokens.items[token];
  return t->end == t->begin + 1 && s->text.text[t->begin] == c;
}

static bool is_word(const stream *s, size_t token, const char *word) {
  const home_token *t = &s->tokens.items[token];
  return t->end - t->begin == strlen(word) && memcmp(s->text.text + t->begin, word, strlen(word)) == 0;
}

static void add_run(stream *s, size_t first, size_t end, uint32_t hole) {
  if (end > first) {
    *ARRAY_ADD(s->runs, s->run_count, s->run_capacity) =
        (home_run){.first = (uint32_t)first, .count = (uint32_t)(end - first), .hole = hole};
  }
}

static bool is_in_format(const stream *s, size_t i) {
  const home_token *t = &s->tokens.items[i];
  return t->kind == HOME_HOLE && memchr(s->text.text + t->begin, DECODED_VALUE, t->end - t->begin) == NULL;
}

/* Holes and breaks end runs. */
static void cut_at_holes(stream *s) {
  size_t first = 0;
  uint32_t hole = NO_HOLE;
  bool joined = false;
  for (size_t i = 0; i <= s->tokens.count; i++) {
    bool end = i == s->tokens.count;
    home_token_kind kind = end ? HOME_BREAK : s->tokens.items[i].kind;
    if (kind != HOME_HOLE && kind != HOME_BREAK) continue;
    if (i > first) {
      add_run(s, first, i, hole);
      s->runs[s->run_count - 1].joined = joined;
      joined = true;
    }
    joined = joined && !end && is_in_format(s, i);
    hole = kind == HOME_HOLE ? (uint32_t)i : NO_HOLE;
    first = i + 1;
  }
}

/* --- sources ----------------------------------------------------------------------------------------------------- */

static bool is_include(const stream *s, size_t i) {
  return is(s, i, '#') && s->tokens.items[i].directive && i + 1 < s->tokens.count && is_word(s, i + 1, "include");
}

/* Tokens of one directive are on one line; another directive begins with its #. */
static size_t directive_end(const stream *s, size_t i) {
  for (i++; i < s->tokens.count && s->tokens.items[i].directive && !is(s, i, '#'); i++) {
  }
  return i;
}

static void cut_at_includes(stream *s) {
  size_t first = 0;
  for (size_t i = 0; i < s->tokens.count; i++) {
    if (is_include(s, i)) {
      add_run(s, first, i, NO_HOLE);
      first = directive_end(s, i);
      i = first - 1;
    }
  }
  add_run(s, first, s->tokens.count, NO_HOLE);
}

/* A declaration ends with a semicolon or a closing brace outside of all others. */
static void cut_at_declarations(stream *s) {
  size_t first = 0;
  int depth = 0;
  for (size_t i = 0; i < s->tokens.count; i++) {
    if (s->tokens.items[i].directive && is(s, i, '#') && depth == 0) {
      add_run(s, first, i, NO_HOLE);
      first = directive_end(s, i);
      add_run(s, i, first, NO_HOLE);
      i = first - 1;
      continue;
    }
    depth += is(s, i, '{') ? 1 : is(s, i, '}') ? -1 : 0;
    bool body = is(s, i, '}') && !(i + 1 < s->tokens.count && is(s, i + 1, ';'));
    if (depth <= 0 && (is(s, i, ';') || body)) {
      add_run(s, first, i + 1, NO_HOLE);
      first = i + 1;
      depth = 0;
    }
  }
  add_run(s, first, s->tokens.count, NO_HOLE);
}

/* --- macros ------------------------------------------------------------------------------------------------------ */

/* Arguments of ordinary calls hold neither statements nor blocks. */
static void add_arguments(stream *s, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    if (is(s, i, ';') || is(s, i, '{')) {
      add_run(s, first, end, NO_HOLE);
      return;
    }
  }
}

/* NAME(arguments): all of them, and what is after the first one. Macros in macros are looked at as well. */
static void cut_at_calls(stream *s) {
  s->apart = true;
  scoped size_t *open = NULL;
  scoped size_t *comma = NULL;
  size_t depth = 0, capacity = 0, comma_capacity = 0;
  for (size_t i = 0; i < s->tokens.count; i++) {
    if (is(s, i, '(')) {
      size_t count = depth;
      *ARRAY_ADD(comma, count, comma_capacity) = 0;
      *ARRAY_ADD(open, depth, capacity) = i;
    } else if (is(s, i, ',') && depth > 0 && comma[depth - 1] == 0) {
      comma[depth - 1] = i;
    } else if (is(s, i, ')') && depth > 0) {
      size_t first = open[--depth];
      bool called = first > 0 && s->tokens.items[first - 1].kind == HOME_WORD && !is_word(s, first - 1, "for");
      if (called) {
        add_arguments(s, first + 1, i);
        add_arguments(s, comma[depth] == 0 ? i : comma[depth] + 1, i);
      }
    }
  }
}

/* --- kinds ------------------------------------------------------------------------------------------------------- */

static decoded decode(stream_kind kind, const char *text, size_t length, const language *l) {
  if (kind == STREAM_STRINGS || kind == STREAM_PERCENTS || kind == STREAM_BRACES) {
    return decode_literals(text, length, l,
                           kind == STREAM_PERCENTS ? DECODE_PERCENTS
                           : kind == STREAM_BRACES ? DECODE_BRACES
                                                   : DECODE_PLAIN);
  }
  return kind == STREAM_MACROS ? decode_arguments(text, length) : decode_nothing(text, length);
}

static bool makes_sense(stream_kind kind, const language *l) {
  if (kind == STREAM_INCLUDES || kind == STREAM_PARTS) return l->kernels;
  return kind != STREAM_MACROS || l->macros;
}

bool stream_make(stream_kind kind, const char *text, size_t length, const language *l, stream *out) {
  *out = (stream){0};
  if (!makes_sense(kind, l)) return false;
  out->text = decode(kind, text, length, l);
  bool differs = kind == STREAM_PERCENTS ? out->text.percents : kind != STREAM_BRACES || out->text.braces;
  out->tokens = differs ? home_tokens_of(&out->text) : (home_tokens){0};
  switch (kind) {
    case STREAM_INCLUDES: cut_at_includes(out); break;
    case STREAM_PARTS: cut_at_declarations(out); break;
    case STREAM_MACROS: cut_at_calls(out); break;
    default: cut_at_holes(out);
  }
  if (!differs || out->run_count == 0) {
    stream_free(out);
    return false;
  }
  return true;
}

void stream_free(stream *s) {
  decoded_free(&s->text);
  home_tokens_free(&s->tokens);
  free(s->runs);
  *s = (stream){0};
}
