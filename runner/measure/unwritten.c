/* Values that nobody wrote: runs with other bytes in memory that nobody has written tell for certain whether what the host
 * reads depends on it. Which object that is, further runs say, in which only some of them hold other bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/measure/look.h"
#include "wire/filling.h"

#define LEAST_LEFT 0.01 /* seconds */

enum { MOST_BUFFERS = 128, MOST_FINDINGS = 8, PATIENCE = 30 };

/* What is known while a test case is looked at. */
typedef struct unwritten {
  measuring *m;
  const experiment_test *test;
  int64_t test_case;
  program_options options;
  result_reads zero; /* of the run in which all of it is 0 */
  int status;
  double until;
  size_t variables; /* objects are numbered: these, then buffers */
  bool interrupted;
} unwritten;

/* The number of wire/filling.h. */
static uint32_t number_of(const unwritten *u, size_t object) {
  return object < u->variables ? (uint32_t)object : FILLING_BUFFERS + (uint32_t)(object - u->variables);
}

/* --- one run ------------------------------------------------------------------------------------------------------- */

typedef struct filled_run {
  result_reads reads;
  int status;
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
  *out = (filled_run){session_take_reads(u->m->filled), h.status};
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
  HANDED_ON, /* it is the byte itself that the run puts into an object */
  COMPUTED
} difference;

/* `own`: bytes of the memory itself that nobody has written are nobody's fault, nor are those of a vector of three that
 * hold nothing. */
static difference difference_at(const result_read *zero, const result_read *other, size_t at, uint32_t packed,
                                const element *of) {
  const unsigned char before = zero->bytes[at], now = other->bytes[at];
  const bool empty = of->size > 0 && of->data > 0 && at % of->size >= of->data;
  if (before == now || empty || (before == 0 && now == filling_byte(packed, zero->memory))) {
    return ALIKE;
  }
  const unsigned char base = (packed & 3) == FILLING_HIGH ? 128 : 1;
  const bool filling = before == 0 && now >= base && now < base + 113;
  return filling ? HANDED_ON : COMPUTED;
}

static bool is_same_read(const result_read *a, const result_read *b) {
  return a->size == b->size && a->memory == b->memory;
}

static bool comparable(const result_reads *a, const result_reads *b) {
  bool all = a->count == b->count && !a->unordered && !b->unordered;
  for (size_t i = 0; i < a->count && all; i++) {
    all = is_same_read(&a->items[i], &b->items[i]);
  }
  return all;
}

/* Whether all data of the element around a byte are this one's. */
static bool is_whole(const result_read *zero, const result_read *other, size_t at, unsigned char byte, size_t size) {
  const size_t begin = at / size * size;
  bool all = begin + size <= zero->size;
  for (size_t i = begin; i < begin + size && all; i++) {
    all = zero->bytes[i] == 0 && other->bytes[i] == byte;
  }
  return all;
}

/* Of a run in which one object, or several, hold other bytes. */
typedef struct verdict {
  bool differs;   /* anything that is not alike */
  bool otherwise; /* the program did something else: it read other memory, or ended in another way */
  bool matters;   /* something that was computed, or a whole value of `plain` bytes that was handed on */
  size_t read;
} verdict;

static void judge_read(const unwritten *u, size_t number, const result_read *other, uint32_t packed, size_t plain,
                       verdict *out) {
  const result_read *zero = &u->zero.items[number];
  const element of = element_of(u->m->filled, zero);
  for (size_t i = 0; zero->known && other->known && i < zero->size && !out->matters; i++) {
    const difference d = difference_at(zero, other, i, packed, &of);
    const bool handed = d == HANDED_ON && !zero->copied;
    out->differs = out->differs || d == COMPUTED || handed;
    if (d == COMPUTED || (handed && plain > 0 && is_whole(zero, other, i, other->bytes[i], plain))) {
      out->matters = true;
      out->read = number;
    }
  }
}

/* Programs that look at their results end otherwise, or read no more, when these are others: the reads before that count. */
static verdict judge_run(const unwritten *u, const filled_run *r, uint32_t packed, size_t plain) {
  verdict out = {0};
  const result_reads *a = &u->zero, *b = &r->reads;
  for (size_t i = 0; i < a->count && i < b->count && is_same_read(&a->items[i], &b->items[i]) && !out.matters; i++) {
    judge_read(u, i, &b->items[i], packed, plain, &out);
  }
  out.otherwise = !out.differs && (!comparable(a, b) || r->status != u->status);
  out.differs = out.differs || out.otherwise;
  return out;
}

/* A run, and what it says. */
static int ask(unwritten *u, filling_kind kind, size_t first, size_t end, size_t plain, verdict *out, error *e) {
  filled_run r;
  const uint32_t packed = pack_objects(u, kind, first, end);
  const int result = run_filled(u, packed, &r, e);
  *out = judge_run(u, &r, packed, plain);
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
    result = ask(u, kind, first, middle, 0, &v, e);
    if (v.differs) {
      high = middle;
    } else {
      low = middle;
    }
  }
  *out = high - 1;
  return result;
}

/* --- a finding ----------------------------------------------------------------------------------------------------- */

static int put_variable(const unwritten *u, const filled_place *at, const verdict *v, error *e) {
  const result_read *r = &u->zero.items[v->read];
  buffer argument = {0};
  buffer_printf(&argument, "%u", (unsigned)r->argument + 1);
  const db_witness witness[] = {{.what = "kernel", .value = r->kernel},
                                {.what = "argument", .value = buffer_text(&argument)}};
  const db_place place = {
      .role = "access", .access = "read", .how = "", .file = at->file, .line = at->line, .column = at->column};
  const db_finding row = {.of.run = u->m->run,
                          .of.test_case = u->test_case,
                          .of.program = at->program,
                          .of.kernel = at->kernel,
                          .rule = "uninitialized-read",
                          .detail = {.object = at->name, .space = at->local ? "local" : "private"},
                          .places = &place,
                          .place_count = 1,
                          .witness = witness,
                          .witness_count = r->kernel[0] != '\0' ? 2 : 0};
  const int result = db_put_finding(u->m->db, &row, e);
  buffer_free(&argument);
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
  const uint32_t number = number_of(u, object);
  filled_place at = {0};
  (void)session_filled(u->m->filled, number, &at);
  const size_t plain = object >= u->variables ? 4 : at.plain;
  verdict low, high;
  if (ask(u, FILLING_LOW, object, object + 1, plain, &low, e) != 0 ||
      ask(u, FILLING_HIGH, object, object + 1, plain, &high, e) != 0) {
    return -1;
  }
  const verdict *v = low.matters ? &low : &high;
  if (!v->matters || is_over(u)) {
    return 0;
  }
  bool seen = at.name != NULL;
  const int result = seen ? put_variable(u, &at, v, e) : watch_buffer(u, number, &seen, e);
  *found += seen ? 1 : 0;
  return result;
}

/* --- a test case --------------------------------------------------------------------------------------------------- */

/* What differs in a run with all objects; their objects one after the other. */
static int look_for_objects(unwritten *u, filling_kind kind, size_t *found, error *e) {
  const size_t end = u->variables + MOST_BUFFERS;
  verdict all;
  int result = ask(u, kind, 0, end, 0, &all, e);
  for (size_t first = 0; result == 0 && all.differs && first < end && *found < MOST_FINDINGS && !is_over(u);) {
    size_t object = end;
    result = find_object(u, kind, first, end, &object, e);
    if (result == 0 && !is_over(u)) {
      result = look_at_object(u, object, found, e);
    }
    first = object + 1;
    if (result == 0 && first < end && !is_over(u)) {
      result = ask(u, kind, first, end, 0, &all, e);
    }
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

int measuring_unwritten(measuring *m, const experiment_test *t, int64_t test_case, program_options options, error *e) {
  unwritten u = {.m = m, .test = t, .test_case = test_case, .options = options};
  filled_run first;
  verdict low = {0}, high = {0};
  size_t found = 0;
  bool steady = false;
  int result = run_filled(&u, pack_objects(&u, FILLING_LOW, 0, 0), &first, e);
  u.zero = first.reads;
  u.status = first.status;
  u.variables = session_filled(m->filled, 0, &(filled_place){0});
  u.until = clock_now() + PATIENCE;
  u.until = m->until > 0 && m->until < u.until ? m->until : u.until;
  const size_t end = u.variables + MOST_BUFFERS;
  if (result == 0 && !u.interrupted && u.zero.count > 0) {
    result = ask(&u, FILLING_LOW, 0, end, 0, &low, e) != 0 ? -1 : ask(&u, FILLING_HIGH, 0, end, 0, &high, e);
  }
  if (result == 0 && !u.interrupted && (low.differs || high.differs)) {
    result = is_steady(&u, &steady, e);
  }
  if (steady && (low.otherwise || high.otherwise)) {
    measuring_note(m,
                   "%s does something else where memory that nobody has written holds other bytes: it reads other "
                   "results, or ends in another way; which memory that is was not looked for",
                   t->name);
  }
  if (result == 0 && steady && low.differs) {
    result = look_for_objects(&u, FILLING_LOW, &found, e);
  } else if (result == 0 && steady) {
    result = look_for_objects(&u, FILLING_HIGH, &found, e);
  }
  result_reads_free(&u.zero);
  return result;
}
