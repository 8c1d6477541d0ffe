/* Values that nobody wrote: runs with other bytes in memory that nobody has written tell for certain whether what the host
 * reads depends on it. Which object that is, further runs say, in which only some of them hold other bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "detectors/fills/decoder.h"
#include "detectors/fills/record.h"
#include "detectors/memory/decoder.h"
#include "runner/measure/look.h"

#define LEAST_LEFT 0.01 /* seconds */

enum { MOST_BUFFERS = 128, MOST_FINDINGS = 8, PATIENCE = 30, MOST_PATIENCE = 120, RUNS = 100 };

/* What is known while a test case is looked at. */
typedef struct unwritten {
  measuring *m;
  const experiment_test *test;
  int64_t test_case;
  program_options options;
  result_reads zero; /* of the run in which all of it is 0 */
  int status;
  double until;
  size_t variables; /* objects are numbered: these, then buffers, */
  size_t end;       /* up to here */
  bool interrupted;
} unwritten;

/* The number of detectors/fills/record.h. */
static uint32_t number_of(const unwritten *u, size_t object) {
  return object < u->variables ? (uint32_t)object : FILLING_BUFFERS + (uint32_t)(object - u->variables);
}

/* --- one run ------------------------------------------------------------------------------------------------------- */

typedef struct filled_run {
  result_reads reads;
  int status;
  bool late; /* it was ended for its time */
} filled_run;

/* With other bytes in the objects from `first` to before `end`. */
static int run_filled(unwritten *u, uint32_t packed, filled_run *out, error *e) {
  program_options options = u->options;
  program_end h = {0};
  const double left = u->m->until > 0 ? u->m->until - clock_now() : options.timeout;
  options.timeout = left < LEAST_LEFT ? LEAST_LEFT : left < options.timeout ? left : options.timeout;
  options.form = FORM_FILLED;
  options.child.filling = packed;
  options.child.observe = "contents";
  session_begin_test_case(u->m->filled, u->test_case, u->test->argv);
  const int result = program_run(u->m->filled, u->m->db, &options, &h, e);
  *out = (filled_run){session_take_reads(u->m->filled), h.status, h.timed_out};
  u->interrupted = u->interrupted || h.interrupted;
  u->m->out->common.interrupted = u->m->out->common.interrupted || h.interrupted;
  return result;
}

static uint32_t pack_objects(const unwritten *u, filling_kind kind, size_t first, size_t end) {
  return filling_pack(kind, first == end ? 0 : number_of(u, first), first == end ? 0 : number_of(u, end - 1) + 1);
}

/* --- comparing ----------------------------------------------------------------------------------------------------- */

/* The element of the parameter that memory was given as last. */
typedef struct element {
  size_t size, data; /* `data`: bytes of it that hold data; 0: not known, or a structure */
} element;

static element element_of(const session *s, const result_read *r) {
  element of;
  session_element(s, r->kernel, r->argument, &of.size, &of.data);
  return of;
}

/* How a byte that the host reads differs. */
typedef enum difference {
  ALIKE,
  HANDED_ON, /* it may be the byte itself that the run puts into an object */
  COMPUTED
} difference;

static bool may_be_filling(unsigned char byte, filling_kind kind) {
  const unsigned first = kind == FILLING_HIGH ? FILLING_HIGH_FIRST : kind == FILLING_LOW ? 1 : 0xff;
  return byte >= first && (kind == FILLING_NAN || byte < first + FILLING_BYTES ||
                           (kind == FILLING_LOW && byte < FILLING_LOW_FIRST + FILLING_BYTES));
}

/* Bytes of a vector of three that hold nothing. */
static bool is_empty(const element *of, size_t at) { return of->size > 0 && of->data > 0 && at % of->size >= of->data; }

/* `own`: bytes of the memory itself that nobody has written are nobody's fault. */
static difference difference_at(const result_read *zero, const result_read *other, size_t at, uint32_t packed,
                                const element *of) {
  const unsigned char before = zero->bytes[at], now = other->bytes[at];
  if (before == now || is_empty(of, at) || (before == 0 && now == filling_byte(packed, zero->memory))) return ALIKE;
  return before == 0 && may_be_filling(now, (filling_kind)(packed & 3)) ? HANDED_ON : COMPUTED;
}

static bool is_same_read(const result_read *a, const result_read *b) {
  return a->size == b->size && a->memory == b->memory;
}

static bool comparable(const result_reads *a, const result_reads *b) {
  bool all = a->count == b->count && !a->unordered && !b->unordered;
  for (size_t i = 0; i < a->count && all; i++) all = is_same_read(&a->items[i], &b->items[i]);
  return all;
}

/* Of a run in which one object, or several, hold other bytes. */
typedef struct verdict {
  bool differs;   /* anything that is not alike */
  bool otherwise; /* the program did something else: it read other memory, or ended in another way */
} verdict;

static bool read_differs(const unwritten *u, size_t number, const result_read *other, uint32_t packed) {
  const result_read *zero = &u->zero.items[number];
  const element of = element_of(u->m->filled, zero);
  bool differs = false;
  for (size_t i = 0; zero->known && other->known && i < zero->size && !differs; i++) {
    const difference d = difference_at(zero, other, i, packed, &of);
    differs = d == COMPUTED || (d == HANDED_ON && !zero->copied);
  }
  return differs;
}

/* Programs that look at their results end otherwise, or read no more, when these are others: the reads before that count. */
static verdict judge_run(const unwritten *u, const filled_run *r, uint32_t packed) {
  verdict out = {0};
  const result_reads *a = &u->zero, *b = &r->reads;
  for (size_t i = 0; i < a->count && i < b->count && is_same_read(&a->items[i], &b->items[i]) && !out.differs; i++)
    out.differs = read_differs(u, i, &b->items[i], packed);
  out.otherwise = !out.differs && (!comparable(a, b) || r->status != u->status);
  out.differs = out.differs || out.otherwise;
  return out;
}

/* --- one object: in a run of each kind it alone held other bytes ------------------------------------------------------ */

enum { KINDS = 3 };
static const filling_kind kinds[KINDS] = {FILLING_LOW, FILLING_HIGH, FILLING_NAN};

typedef struct object_runs {
  filled_run of[KINDS];
  uint32_t number;
  size_t plain; /* so many bytes are a value that counts where it is handed on; 0: none does */
} object_runs;

/* Whether the byte is the object's own in each of them: LOW is not asked, as integers have several bytes then. */
static bool is_own_byte(const object_runs *o, const result_read *zero, size_t read, size_t at) {
  bool own = zero->bytes[at] == 0;
  for (size_t k = 1; k < KINDS && own; k++) {
    const result_reads *r = &o->of[k].reads;
    own = read >= r->count || !is_same_read(zero, &r->items[read]) || !r->items[read].known ||
          r->items[read].bytes[at] == filling_byte(filling_pack(kinds[k], o->number, o->number + 1), o->number);
  }
  return own;
}

/* Whether all data of the element around a byte are this object's. */
static bool is_whole(const object_runs *o, const result_read *zero, size_t read, size_t at) {
  const size_t begin = o->plain == 0 ? 0 : at / o->plain * o->plain;
  bool all = o->plain > 0 && begin + o->plain <= zero->size;
  for (size_t i = begin; i < begin + o->plain && all; i++) all = is_own_byte(o, zero, read, i);
  return all;
}

/* Whether something that was computed differs, or a whole value that was handed on. */
static bool byte_matters(const unwritten *u, const object_runs *o, size_t read, size_t at) {
  const result_read *zero = &u->zero.items[read];
  bool differs = false;
  for (size_t k = 0; k < KINDS && !differs; k++) {
    const result_reads *r = &o->of[k].reads;
    differs = read < r->count && is_same_read(zero, &r->items[read]) && r->items[read].known &&
              r->items[read].bytes[at] != zero->bytes[at];
  }
  if (!differs) return false;
  return !is_own_byte(o, zero, read, at) || (!zero->copied && zero->memory != o->number && is_whole(o, zero, read, at));
}

/* The read in which the object matters; the count of reads: there is none. */
static size_t find_read(const unwritten *u, const object_runs *o) {
  size_t read = 0;
  for (; read < u->zero.count; read++) {
    const result_read *zero = &u->zero.items[read];
    const element of = element_of(u->m->filled, zero);
    for (size_t i = 0; zero->known && i < zero->size; i++)
      if (!is_empty(&of, i) && byte_matters(u, o, read, i)) return read;
  }
  return read;
}

/* The read in which the host gets bytes of the object itself; the count of reads: there is none. */
static size_t find_own(const unwritten *u, const object_runs *o) {
  size_t read = 0;
  for (; read < u->zero.count; read++) {
    const result_read *zero = &u->zero.items[read];
    for (size_t i = 0; zero->known && zero->memory == o->number && i < zero->size; i++)
      if (is_own_byte(o, zero, read, i)) return read;
  }
  return read;
}

/* A run, and what it says. */
static int ask(unwritten *u, filling_kind kind, size_t first, size_t end, verdict *out, error *e) {
  filled_run r;
  const uint32_t packed = pack_objects(u, kind, first, end);
  const int result = run_filled(u, packed, &r, e);
  *out = judge_run(u, &r, packed);
  result_reads_free(&r.reads);
  return result;
}

/* --- which object -------------------------------------------------------------------------------------------------- */

static bool is_over(const unwritten *u) { return u->interrupted || clock_now() > u->until; }

/* The first object from `first` on that makes a difference; `end`: there is none. */
static int find_object(unwritten *u, filling_kind kind, size_t first, size_t end, size_t *out, error *e) {
  size_t low = first, high = end;
  int result = 0;
  while (high - low > 1 && result == 0 && !is_over(u)) {
    const size_t middle = low + (high - low) / 2;
    verdict v;
    result = ask(u, kind, first, middle, &v, e);
    if (v.differs)
      high = middle;
    else
      low = middle;
  }
  *out = high - 1;
  return result;
}

/* --- a finding ----------------------------------------------------------------------------------------------------- */

/* `at`: of a variable; else of memory whose bytes the host gets as they are, and then ends with this status. */
static int put_read(const unwritten *u, const filled_place *at, size_t read, int status, error *e) {
  const result_read *r = &u->zero.items[read];
  const bool variable = at->name != NULL;
  buffer argument = {0}, ends = {0}, same = {0};
  buffer_printf(&argument, "%u", (unsigned)r->argument + 1);
  buffer_printf(&ends, "%d and not %d", status, u->status);
  buffer_printf(&same, "end %s %u", r->kernel, (unsigned)r->argument);
  const db_witness witness[] = {{.what = "kernel", .value = r->kernel},
                                {.what = "argument", .value = buffer_text(&argument)},
                                {.what = "status", .value = buffer_text(&ends)}};
  const db_place place = {
      .role = "access", .access = "read", .how = "", .file = at->file, .line = at->line, .column = at->column};
  const db_finding row = {.of.run = u->m->run,
                          .of.test_case = u->test_case,
                          .of.program = at->program,
                          .of.kernel = at->kernel,
                          .rule = "uninitialized-read",
                          .detail = {.object = at->name,
                                     .space = at->local  ? "local"
                                              : variable ? "private"
                                                         : ""},
                          .places = &place,
                          .place_count = variable ? 1 : 0,
                          .witness = witness,
                          .witness_count = !variable              ? 3
                                           : r->kernel[0] != '\0' ? 2
                                                                  : 0,
                          .distinct = variable ? NULL : buffer_text(&same)};
  const int result = db_put_finding(u->m->db, &row, e);
  buffer_free(&argument);
  buffer_free(&ends);
  buffer_free(&same);
  return result;
}

/* Who reads bytes that nobody wrote, as they are, and ends otherwise for that, twice alike, has used them. */
static int look_at_end(unwritten *u, const object_runs *o, bool *seen, error *e) {
  const size_t read = find_own(u, o);
  int result = 0;
  for (size_t k = 0; k < KINDS && read < u->zero.count && result == 0 && !*seen && !is_over(u); k++) {
    filled_run again = {0};
    if (o->of[k].status != u->status && !o->of[k].late) {
      result = run_filled(u, filling_pack(kinds[k], o->number, o->number + 1), &again, e);
      *seen = result == 0 && again.status == o->of[k].status && !u->interrupted;
      result = *seen ? put_read(u, &(filled_place){0}, read, again.status, e) : result;
      result_reads_free(&again.reads);
    }
  }
  return result;
}

/* Kernels in the form that tells which reads find what this buffer was filled with. */
static int watch_buffer(unwritten *u, uint32_t number, bool *seen, error *e) {
  const unsigned before = session_summarise(u->m->further).findings;
  program_options options = u->options;
  program_end h = {0};
  options.form = FORM_MEMORY;
  options.child.filling = filling_pack(FILLING_HIGH, number, number + 1);
  options.child.observe = "1";
  session_begin_test_case(u->m->further, u->test_case, u->test->argv);
  const int result =
      program_run(u->m->further, u->m->db, &options, &h, e) == 0 ? session_end_memory(u->m->further, e) : -1;
  *seen = session_summarise(u->m->further).findings > before;
  return result;
}

static int look_at_object(unwritten *u, size_t object, size_t *found, error *e) {
  object_runs o = {.number = number_of(u, object)};
  filled_place at = {0};
  (void)session_filled(u->m->filled, o.number, &at);
  o.plain = object >= u->variables ? 4 : at.plain;
  int result = 0;
  for (size_t k = 0; k < KINDS && result == 0; k++)
    result = run_filled(u, pack_objects(u, kinds[k], object, object + 1), &o.of[k], e);
  const size_t read = result == 0 ? find_read(u, &o) : u->zero.count;
  if (read < u->zero.count && !is_over(u)) {
    bool seen = at.name != NULL;
    result = seen ? put_read(u, &at, read, 0, e) : watch_buffer(u, o.number, &seen, e);
    *found += seen ? 1 : 0;
  } else if (result == 0 && object >= u->variables) {
    bool seen = false;
    result = look_at_end(u, &o, &seen, e);
    *found += seen ? 1 : 0;
  }
  for (size_t k = 0; k < KINDS; k++) result_reads_free(&o.of[k].reads);
  return result;
}

/* --- a test case --------------------------------------------------------------------------------------------------- */

/* What differs in a run with all objects; their objects one after the other. `looked`: at which, in runs of any kind. */
static int look_for_objects(unwritten *u, filling_kind kind, bool *looked, size_t *found, error *e) {
  const size_t end = u->end;
  verdict all = {.differs = true};
  int result = 0;
  for (size_t first = 0; result == 0 && all.differs && first < end && *found < MOST_FINDINGS && !is_over(u);) {
    size_t object = end;
    result = find_object(u, kind, first, end, &object, e);
    if (result == 0 && !is_over(u) && !looked[object]) {
      result = look_at_object(u, object, found, e);
      looked[object] = true;
    }
    first = object + 1;
    if (result == 0 && first < end && !is_over(u)) result = ask(u, kind, first, end, &all, e);
  }
  return result;
}

/* Whether two runs with the same bytes show the same. */
static int is_steady(unwritten *u, bool *out, error *e) {
  filled_run again;
  const int result = run_filled(u, pack_objects(u, FILLING_LOW, 0, 0), &again, e);
  *out = comparable(&u->zero, &again.reads) && again.status == u->status;
  for (size_t i = 0; i < u->zero.count && *out; i++) {
    const result_read *a = &u->zero.items[i], *b = &again.reads.items[i];
    *out = a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0;
  }
  result_reads_free(&again.reads);
  return result;
}

static int look_in_program(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                           error *e) {
  unwritten u = {.m = m, .test = t, .test_case = test_case, .options = options};
  filled_run first;
  verdict of[KINDS] = {0};
  size_t found = 0;
  bool steady = false, differs = false, otherwise = false;
  const double began = clock_now();
  int result = run_filled(&u, pack_objects(&u, FILLING_LOW, 0, 0), &first, e);
  const double all = RUNS * (clock_now() - began);
  u.zero = first.reads;
  u.status = first.status;
  u.variables = session_filled(m->filled, 0, &(filled_place){0});
  u.until = clock_now() + (all < PATIENCE ? PATIENCE : all > MOST_PATIENCE ? MOST_PATIENCE : all);
  u.until = m->until > 0 && m->until < u.until ? m->until : u.until;
  u.end = u.variables + (u.zero.made < MOST_BUFFERS ? u.zero.made : MOST_BUFFERS);
  const bool bare = u.variables > 0 || u.zero.bare, looks = bare || u.zero.bare_host;
  for (size_t k = 0; k < KINDS && result == 0 && !u.interrupted && u.zero.count > 0 && looks; k++) {
    if (!bare && kinds[k] != FILLING_HIGH) /* what the host alone reads, is told by one */
      continue;
    result = ask(&u, kinds[k], 0, u.end, &of[k], e);
    differs = differs || of[k].differs;
    otherwise = otherwise || of[k].otherwise;
  }
  if (result == 0 && !u.interrupted && differs) result = is_steady(&u, &steady, e);
  bool diverges = false; /* then what is read follows from that */
  if (result == 0 && steady) {
    result = measuring_divergence(m, t, test_case, options, &diverges, e);
    steady = !diverges;
  }
  bool *looked = mem_calloc(u.end + 1, sizeof *looked);
  for (size_t k = 0; k < KINDS && result == 0 && steady; k++)
    result = of[k].differs ? look_for_objects(&u, kinds[k], looked, &found, e) : 0;
  if (steady && otherwise && found == 0) {
    measuring_note(m,
                   "%s does something else where memory that nobody has written holds other bytes: it reads other "
                   "results, or ends in another way; which memory that is was not looked for",
                   t->name);
  }
  free(looked);
  result_reads_free(&u.zero);
  return result;
}

/* --- without the program ------------------------------------------------------------------------------------------- */

/* Whether two replays read the same to the byte: then the host would have done the same. */
static bool is_same_to_the_byte(const result_reads *a, const result_reads *b) {
  bool all = comparable(a, b);
  for (size_t i = 0; i < a->count && all; i++) {
    const result_read *x = &a->items[i], *y = &b->items[i];
    all = x->known && y->known && (x->size == 0 || memcmp(x->bytes, y->bytes, x->size) == 0);
  }
  return all;
}

static int replay_filled(unwritten *u, filling_kind kind, size_t first, size_t end, filled_run *out, bool *whole,
                         error *e) {
  const int result = run_filled(u, pack_objects(u, kind, first, end), out, e);
  *whole = result == 0 && out->status == 0 && !out->late && !u->interrupted;
  return result;
}

/* `*nothing`: what the host reads depends on no such memory, nor on whether the host reads some itself. */
static int look_in_replays(unwritten *u, bool joined, bool *nothing, error *e) {
  filled_run zero, other;
  int result = replay_filled(u, FILLING_LOW, 0, 0, &zero, nothing, e);
  u->variables = session_filled(u->m->filled, 0, &(filled_place){0});
  u->end = u->variables + (zero.reads.made < MOST_BUFFERS ? zero.reads.made : MOST_BUFFERS);
  const bool bare = u->variables > 0 || zero.reads.bare || joined, looks = bare || zero.reads.bare_host;
  for (size_t k = 0; k < KINDS && *nothing && looks && zero.reads.count > 0; k++) {
    if (!bare && kinds[k] != FILLING_HIGH) continue;
    result = replay_filled(u, kinds[k], 0, u->end, &other, nothing, e);
    *nothing = *nothing && is_same_to_the_byte(&zero.reads, &other.reads);
    result_reads_free(&other.reads);
  }
  result_reads_free(&zero.reads);
  return result;
}

int measuring_unwritten(measuring *m, const experiment_test *t, int64_t test_case, program_options options, error *e) {
  repeated_run again;
  bool nothing = false;
  int result = 0;
  if (measuring_repeats(m, t, &again)) {
    unwritten u = {.m = m, .test = t, .test_case = test_case, .options = options};
    u.options.child.argv = again.argv;
    u.options.child.on.preload = NULL;
    result = look_in_replays(&u, again.joined, &nothing, e);
    free(again.path);
    if (u.interrupted) return result;
  }
  return result != 0 || nothing ? result : look_in_program(m, t, test_case, options, e);
}
