/* A launch is drawn as for a second opinion; then some of its numbers become others, which the source speaks of. */
#include "generate/draw.h"

#include <CL/cl.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "base/memory.h"
#include "capture/number.h"
#include "generate/draw_internal.h"

enum { CONSTANTS_MOST = 128, TRIES = 6, FEW_ELEMENTS = 1024, ITEMS_MOST = 1 << 20 };

/* Numbers one after another. */
typedef struct dice {
  uint64_t seed, drawn;
} dice;

static uint64_t below(dice *d, uint64_t n) { return replica_draw(d->seed, d->drawn++) % n; }
static bool one_in(dice *d, unsigned n) { return below(d, n) == 0; }

/* --- constants ---------------------------------------------------------------------------------------------------- */

static void add_constant(constants *c, double value) {
  bool known = c->count == CONSTANTS_MOST || !isfinite(value);
  for (size_t i = 0; i < c->count && !known; i++) known = c->items[i] == value;
  if (!known) *ARRAY_ADD(c->items, c->count, c->capacity) = value;
}

/* After a comment or a word; NULL: neither begins here. */
static const char *skip(const char *at) {
  if (strncmp(at, "//", 2) == 0) return at + strcspn(at, "\n");
  if (strncmp(at, "/*", 2) == 0) {
    const char *end = strstr(at + 2, "*/");
    return end == NULL ? at + strlen(at) : end + 2;
  }
  const char *word = at;
  while (isalpha((unsigned char)*word) != 0 || *word == '_' || (word > at && isdigit((unsigned char)*word) != 0))
    word++;
  return word > at ? word : NULL;
}

constants constants_read(const char *text) {
  constants c = {0};
  for (const char *at = text; *at != '\0';) {
    const char *after = skip(at);
    if (after != NULL) {
      at = after;
    } else if (isdigit((unsigned char)*at) != 0 || (*at == '.' && isdigit((unsigned char)at[1]) != 0)) {
      char *end = NULL;
      const double value = strtod(at, &end);
      const char *before = at;
      while (before > text && before[-1] == ' ') before--;
      add_constant(&c, before > text && before[-1] == '-' ? -value : value);
      at = end;
    } else {
      at++;
    }
  }
  return c;
}

/* A constant or a neighbour of it. */
static double near_constant(const inputs *in, dice *d) {
  const double usual[] = {0, 1, 2, 3, 4, 7, 8, 16, 64, 256};
  const double c = in->constants.count > 0 && !one_in(d, 6) ? in->constants.items[below(d, in->constants.count)]
                                                            : usual[below(d, sizeof usual / sizeof *usual)];
  const double near = c + (one_in(d, 2) ? 0 : (double)below(d, 3) - 1);
  return one_in(d, 8) ? -near : near;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

uint32_t draw_kind(const parameter *p, size_t *lanes) {
  const size_t letters = strcspn(p->type, "0123456789");
  const unsigned long n = strtoul(p->type + letters, NULL, 10);
  *lanes = n == 0 ? 1 : n;
  return number_find(p->type, letters);
}

static void put_number(const inputs *in, uint32_t kind, dice *d, buffer *out) {
  const double real[] = {0.5, 1, 2, -1, 0.25, 10, 1000, 0.001};
  const double value = one_in(d, 2) ? real[below(d, sizeof real / sizeof *real)] : near_constant(in, d);
  if (number_is_real(kind)) {
    buffer_printf(out, "%.9g", value);
  } else {
    const number_wide n = (number_wide)near_constant(in, d);
    buffer_printf(out, "%lld", number_holds(kind, n) ? (long long)n : 1LL);
  }
}

int64_t draw_integer(const replica_argument *a) {
  return integer_of_bytes(a->bytes, (size_t)a->size, a->is->is_unsigned);
}

static void set_integer(replica_argument *a, int64_t n) { memcpy(a->bytes, &n, (size_t)a->size); }

bool draw_is_integer(const replica_argument *a) {
  return a->is->kind == PARAMETER_VALUE && a->is->integer && a->size <= 8;
}

bool draw_is_number(const parameter *p) {
  size_t lanes = 1;
  return draw_kind(p, &lanes) != NUMBER_KINDS;
}

bool draw_holds_ramp(const input *x, size_t index, uint64_t from) {
  size_t lanes = 1;
  const uint32_t kind = draw_kind(x->launch.arguments[index].is, &lanes);
  const uint64_t last = from + input_elements(x, index) * lanes;
  return kind != NUMBER_KINDS && (number_is_real(kind) || number_holds(kind, (number_wide)last));
}

static void put_integer(const replica_argument *a, buffer *out) {
  if (a->is->is_unsigned)
    buffer_printf(out, "%llu", (unsigned long long)draw_integer(a));
  else
    buffer_printf(out, "%lld", (long long)draw_integer(a));
}

void draw_say_integer(input *x, size_t index, int64_t n) {
  buffer text = {0};
  set_integer(&x->launch.arguments[index], n);
  put_integer(&x->launch.arguments[index], &text);
  free(x->words[index]);
  x->words[index] = buffer_take(&text);
}

/* The value of an argument as a case has it. */
static char *value_words(const inputs *in, const replica_argument *a, dice *d) {
  buffer text = {0};
  size_t lanes = 1;
  const uint32_t kind = draw_kind(a->is, &lanes);
  if (draw_is_integer(a)) {
    put_integer(a, &text);
  } else if (kind != NUMBER_KINDS) {
    buffer_puts(&text, lanes > 1 ? "[" : "");
    for (size_t i = 0; i < lanes; i++) {
      buffer_puts(&text, i > 0 ? ", " : "");
      put_number(in, kind, d, &text);
    }
    buffer_puts(&text, lanes > 1 ? "]" : "");
  } else {
    buffer_puts(&text, "{bytes: \"");
    for (uint64_t i = 0; i < a->size; i++) buffer_printf(&text, "%s%02x", i > 0 ? " " : "", (unsigned)a->bytes[i]);
    buffer_puts(&text, "\"}");
  }
  return buffer_take(&text);
}

/* What scalars may be equal to, or one apart from. */
static int64_t some_integer(const inputs *in, const input *x, dice *d) {
  const replica *r = &x->launch;
  const uint32_t side = (uint32_t)below(d, r->dimensions);
  const replica_argument *other = &r->arguments[below(d, r->count)];
  const int64_t near = (int64_t)below(d, 3) - 1;
  switch (below(d, 8)) {
    case 0: return (int64_t)r->global[side] + near;
    case 1: return (int64_t)r->local[side] + near;
    case 2: return draw_is_integer(other) ? draw_integer(other) + (one_in(d, 3) ? near : 0) : 0;
    case 3: return (int64_t)below(d, 6);
    default: return (int64_t)near_constant(in, d);
  }
}

/* Puts another number in the place of an argument's, if the conditions allow it. */
static void vary_integer(const inputs *in, input *x, size_t index, dice *d) {
  replica_argument *a = &x->launch.arguments[index];
  const int64_t before = draw_integer(a);
  for (unsigned i = 0; i < TRIES; i++) {
    const int64_t n = some_integer(in, x, d);
    set_integer(a, a->is->is_unsigned && n < 0 ? -n : n);
    if (terms_hold(&in->terms, &x->launch)) return;
  }
  set_integer(a, before);
}

/* --- contents ----------------------------------------------------------------------------------------------------- */

static long long held(uint32_t kind, double value) {
  const number_wide n = (number_wide)value;
  return number_is_real(kind) || number_holds(kind, n) ? (long long)n : (long long)n & 0x3f;
}

/* As the drawing filled it, because conditions speak of it. */
static void put_as_said(const replica_argument *a, uint32_t kind, buffer *out) {
  const long long from = held(kind, (double)a->from), to = held(kind, (double)a->to);
  switch (a->fill) {
    case FILL_COUNTING: buffer_printf(out, "ramp: {from: %lld, step: 1}", from); break;
    case FILL_SHUFFLED:
      if (from == 0)
        buffer_printf(out, "permutation: {seed: %u}", (unsigned)(a->seed % 1000));
      else
        buffer_printf(out, "ramp: {from: %lld, step: 1}", from);
      break;
    case FILL_RISING: buffer_printf(out, "formula: \"min(%lld, %lld + i / 2)\"", to, from); break;
    case FILL_DRAWN:
      buffer_printf(out, "random: {seed: %u, from: %lld, to: %lld}", (unsigned)(a->seed % 1000), from,
                    to < from ? from : to);
      break;
    default: buffer_printf(out, "fill: %lld", a->fill == FILL_ALIKE ? from : 0);
  }
}

/* Several constants in turn: work-items that decide by what they read decide in all ways. */
static void put_mixed(const inputs *in, uint32_t kind, dice *d, buffer *out) {
  const unsigned parts = 3 + (unsigned)below(d, 4);
  buffer_puts(out, "formula: \"");
  for (unsigned i = 0; i < parts; i++) {
    const double c = near_constant(in, d);
    if (i + 1 < parts) buffer_printf(out, "i %% %u == %u ? ", parts, i);
    if (number_is_real(kind))
      buffer_printf(out, "%.9g", c);
    else
      buffer_printf(out, "%lld", held(kind, c));
    buffer_puts(out, i + 1 < parts ? " : " : "\"");
  }
}

static void put_reals(const inputs *in, dice *d, buffer *out) {
  const double c = near_constant(in, d), other = near_constant(in, d);
  switch (below(d, 7)) {
    case 0: buffer_printf(out, "random: {seed: %u, from: -1, to: 1}", (unsigned)below(d, 1000)); break;
    case 1: buffer_puts(out, "ramp: {from: 0, step: 1}"); break;
    case 2: buffer_printf(out, "ramp: {from: %.9g, step: -0.25}", c); break;
    case 3: buffer_printf(out, "fill: %.9g", c); break;
    case 4:
      buffer_printf(out, "random: {seed: %u, from: %.9g, to: %.9g}", (unsigned)below(d, 1000), -fabs(c) - 1,
                    fabs(c) + 1);
      break;
    case 5: buffer_printf(out, "formula: \"%.9g + i %% 3\"", c - 1); break;
    default: buffer_printf(out, "formula: \"i %% 2 == 0 ? %.9g : %.9g\"", c, other);
  }
}

static void put_integers(const inputs *in, const input *x, uint32_t kind, dice *d, buffer *out) {
  const long long c = held(kind, near_constant(in, d)), other = held(kind, near_constant(in, d));
  const bool bytes = number_size(kind) == 1;
  const unsigned seed = (unsigned)below(d, 1000);
  const unsigned long long items = bytes ? 100 : input_items(x);
  switch (below(d, 9)) {
    case 0: buffer_puts(out, "fill: 0"); break;
    case 1: buffer_printf(out, "fill: %lld", c); break;
    case 2: buffer_printf(out, "formula: \"i %% %llu\"", items); break;
    case 3: buffer_printf(out, "random: {seed: %u, from: 0, to: 3}", seed); break;
    case 4: buffer_printf(out, "random: {seed: %u, from: 0, to: %llu}", seed, items - 1); break;
    case 5: buffer_printf(out, "random: {seed: %u, from: %d, to: 2}", seed, number_holds(kind, -2) ? -2 : 0); break;
    case 6:
      buffer_printf(out, "formula: \"%lld + i %% 3\"",
                    held(kind, (double)c - 1) + 2 > 100 && bytes ? 1
                    : c - 1 < 0 && !number_holds(kind, -1)       ? 0
                                                                 : c - 1);
      break;
    case 7: buffer_printf(out, "formula: \"i %% 2 == 0 ? %lld : %lld\"", c, other); break;
    default:
      buffer_printf(out, "random: {seed: %u, from: %lld, to: %lld}", seed, c < other ? c : other,
                    c < other ? other : c);
  }
}

/* All alike, or as far apart as the type has them. */
static void put_edges(uint32_t kind, dice *d, buffer *out) {
  static const char *const reals[] = {"0", "1", "-1", "1e+30", "-1e+30", "1e-30"};
  const unsigned bits = 8 * (unsigned)number_size(kind);
  const bool is_signed = number_holds(kind, -1);
  const long long most = bits >= 64 ? INT64_MAX : (1LL << (bits - (is_signed ? 1 : 0))) - 1;
  const long long numbers[] = {0, 1, most, is_signed ? -most - 1 : 0, is_signed ? -1 : most - 1, most / 2 + 1};
  const size_t a = below(d, sizeof numbers / sizeof *numbers), b = below(d, sizeof numbers / sizeof *numbers);
  if (number_is_real(kind))
    if (one_in(d, 2))
      buffer_printf(out, "fill: %s", reals[a]);
    else
      buffer_printf(out, "formula: \"i %% 2 == 0 ? %s : %s\"", reals[a], reals[b]);
  else if (one_in(d, 2))
    buffer_printf(out, "fill: %lld", numbers[a]);
  else
    buffer_printf(out, "formula: \"i %% 2 == 0 ? %lld : %lld\"", numbers[a], numbers[b]);
}

/* Of structures, whose bytes a case gives: words of small numbers. */
static void put_bytes(dice *d, buffer *out) {
  if (one_in(d, 6))
    buffer_printf(out, "random: {seed: %u, from: 0, to: 255}", (unsigned)below(d, 1000));
  else
    buffer_printf(out, "formula: \"i %% 4 == 0 ? i / 4 %% %u : 0\"", 1 + (unsigned)below(d, 9));
}

static char *image_words(const replica_argument *a, dice *d) {
  buffer text = {0};
  const bool real = a->picture.data == CL_FLOAT;
  buffer_printf(&text, "format: rgba-%s, random: {seed: %u, from: 0, to: %u}",
                real                                   ? "float"
                : a->picture.data == CL_UNSIGNED_INT32 ? "uint32"
                                                       : "int32",
                (unsigned)below(d, 1000), real ? 1 : 9);
  return buffer_take(&text);
}

static bool contents_said(const inputs *in, const input *x, size_t index, contents_facts *said) {
  return terms_contents(&in->terms, index, &x->launch, said) &&
         (said->distinct || said->ascending || said->identity || said->bounded);
}

bool draw_contents_said(const inputs *in, const input *x, size_t index) {
  contents_facts said;
  return contents_said(in, x, index, &said);
}

static char *memory_words(const inputs *in, const input *x, size_t index, dice *d) {
  const replica_argument *a = &x->launch.arguments[index];
  contents_facts said;
  buffer text = {0};
  size_t lanes = 1;
  const uint32_t kind = draw_kind(a->is, &lanes);
  const bool facts = contents_said(in, x, index, &said);
  if (kind == NUMBER_KINDS)
    put_bytes(d, &text);
  else if (facts)
    put_as_said(a, kind, &text);
  else if (in->edges && one_in(d, 4))
    put_edges(kind, d, &text);
  else if (one_in(d, 3))
    put_mixed(in, kind, d, &text);
  else if (number_is_real(kind))
    put_reals(in, d, &text);
  else
    put_integers(in, x, kind, d, &text);
  return buffer_take(&text);
}

/* --- an input ----------------------------------------------------------------------------------------------------- */

static void say_argument(const inputs *in, input *x, size_t index, dice *d) {
  const replica_argument *a = &x->launch.arguments[index];
  free(x->words[index]);
  x->words[index] = a->is->kind == PARAMETER_VALUE    ? value_words(in, a, d)
                    : a->is->kind == PARAMETER_GLOBAL ? memory_words(in, x, index, d)
                    : a->is->kind == PARAMETER_IMAGE  ? image_words(a, d)
                                                      : NULL;
}

void draw_set_elements(input *x, size_t index, uint64_t elements) {
  static const char ramp[] = "ramp: {from: ";
  char *words = x->words == NULL ? NULL : x->words[index];
  input_set_elements(x, index, elements);
  const long long from = words == NULL || strncmp(words, ramp, strlen(ramp)) != 0 ? -1 : atoll(words + strlen(ramp));
  if (from >= 0 && !draw_holds_ramp(x, index, (uint64_t)from)) {
    free(words);
    x->words[index] = mem_strdup("formula: \"i % 100\"");
  }
}

/* As much as the conditions ask for, or what runs have shown to be needed. */
static void size_memory(const inputs *in, input *x) {
  const uint64_t items = input_items(x);
  for (size_t i = 0; i < x->launch.count; i++) {
    const replica_argument *a = &x->launch.arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL) {
      const uint64_t few = 2 * items > FEW_ELEMENTS ? 2 * items : FEW_ELEMENTS;
      int64_t said = 0;
      const bool known = draw_elements(&in->launches, &x->launch, i, &said);
      const uint64_t least = known ? (uint64_t)said : few;
      draw_set_elements(x, i, least > in->elements[i] ? least : in->elements[i]);
    } else if (a->is->kind == PARAMETER_LOCAL && in->elements[i] > input_elements(x, i)) {
      draw_set_elements(x, i, in->elements[i]);
    }
  }
}

/* Few of the arguments, or about half of them. */
static void vary(const inputs *in, input *x, bool few, dice *d) {
  replica *r = &x->launch;
  const size_t chosen = r->count > 0 ? below(d, r->count) : 0;
  for (size_t i = 0; i < r->count; i++) {
    const bool now = few ? i == chosen || one_in(d, 4) : one_in(d, 2);
    if (now && draw_is_integer(&r->arguments[i])) vary_integer(in, x, i, d);
    if (!few || now) say_argument(in, x, i, d);
  }
}

bool inputs_allow(const inputs *in, const input *x) { return terms_hold(&in->terms, &x->launch); }

bool inputs_draw(inputs *in, unsigned number, const input *from, input *out) {
  dice d = {.seed = replica_draw(in->seed, number)};
  *out = (input){0};
  if (from != NULL) {
    input_copy(from, out);
  } else if (draw_launch(&in->launches, number - 1, &out->launch)) {
    uint64_t offset[3];
    memcpy(offset, out->launch.offset, sizeof offset);
    if (!in->offsets) memset(out->launch.offset, 0, sizeof offset); /* hosts rarely have one */
    if (!inputs_allow(in, out)) memcpy(out->launch.offset, offset, sizeof offset);
    if (in->alone) {
      uint64_t global[3];
      memcpy(global, out->launch.global, sizeof global);
      memcpy(out->launch.global, out->launch.local, sizeof global);
      if (!inputs_allow(in, out)) memcpy(out->launch.global, global, sizeof global);
    }
    out->words = mem_calloc(out->launch.count + 1, sizeof *out->words);
  } else {
    return false;
  }
  out->number = number;
  vary(in, out, from != NULL, &d);
  size_memory(in, out);
  if (!inputs_allow(in, out) || (in->alone && input_items(out) == 1)) { /* one work-item is in nobody's way */
    input_free(out);
    return false;
  }
  return true;
}

/* "formula: "i == 3 ? 7 : 0"": what a counterexample says of memory; NULL: nothing that a formula can. */
static char *cells_words(const replica_argument *a) {
  size_t lanes = 1;
  const uint32_t kind = draw_kind(a->is, &lanes);
  if (a->is->kind != PARAMETER_GLOBAL || a->cell_count == 0 || kind == NUMBER_KINDS || number_is_real(kind))
    return NULL;
  buffer text = {0};
  buffer_puts(&text, "formula: \"");
  for (size_t i = 0; i < a->cell_count; i++) {
    if (a->cells[i].size != number_size(kind) || !number_holds(kind, a->cells[i].value)) {
      buffer_free(&text);
      return NULL;
    }
    buffer_printf(&text, "i == %llu ? %lld : ", (unsigned long long)a->cells[i].element, (long long)a->cells[i].value);
  }
  buffer_puts(&text, "0\"");
  return buffer_take(&text);
}

bool inputs_take(inputs *in, unsigned number, const replica *launch, input *out) {
  dice d = {.seed = replica_draw(in->seed, number)};
  const input from = {.launch = *launch, .words = mem_calloc(launch->count + 1, sizeof *from.words)};
  input_copy(&from, out);
  free(from.words);
  out->number = number;
  out->launch.finding = NULL;
  for (size_t i = 0; i < launch->count; i++) {
    say_argument(in, out, i, &d);
    char *known = cells_words(&launch->arguments[i]);
    if (known != NULL) {
      free(out->words[i]);
      out->words[i] = known;
    }
    out->launch.arguments[i].cells = NULL;
    out->launch.arguments[i].cell_count = 0;
  }
  size_memory(in, out);
  if (input_items(out) > ITEMS_MOST || !inputs_allow(in, out)) {
    input_free(out);
    return false;
  }
  return true;
}

/* --- what they are drawn from ------------------------------------------------------------------------------------- */

static uint64_t seed_of(const char *kernel, uint64_t seed) {
  for (const char *c = kernel; *c != '\0'; c++) seed = replica_draw(seed, (unsigned char)*c);
  return seed;
}

void inputs_begin(inputs *in, const asked_source *s, const char *kernel, const verify_answer *a,
                  const char *const *assumed, size_t assumed_count, uint64_t seed) {
  const signature *of = asked_signature(s, kernel);
  const size_t said = a == NULL ? 0 : a->preconditions.count;
  *in = (inputs){.seed = seed_of(kernel, seed), .text_count = assumed_count};
  in->said.items = mem_calloc(said + assumed_count + 1, sizeof *in->said.items);
  in->said.count = said + assumed_count;
  in->texts = mem_calloc(assumed_count + 1, sizeof *in->texts);
  for (size_t i = 0; i < said; i++) in->said.items[i] = a->preconditions.items[i];
  for (size_t i = 0; i < assumed_count; i++) {
    in->texts[i] = mem_strdup(assumed[i]);
    in->said.items[said + i] = (premise){.kind = PREMISE_EXPRESSION, .text = in->texts[i]};
  }
  terms_read(&in->said, NULL, of, &in->terms);
  in->launches = (drawing){.source = s, .kernel = kernel, .terms = &in->terms, .small = true, .seed = in->seed};
  draw_begin(&in->launches);
  in->constants = constants_read(asked_text(s)->text);
  in->elements = mem_calloc(of->count + 1, sizeof *in->elements);
}

void inputs_end(inputs *in) {
  draw_end(&in->launches);
  terms_free(&in->terms);
  mem_free_all(in->texts, in->text_count);
  free(in->said.items);
  free(in->constants.items);
  free(in->elements);
}

char *inputs_obstacle(const inputs *in) {
  const signature *of = in->terms.of;
  for (size_t i = 0; i < of->count; i++) {
    const parameter *p = &of->parameters[i];
    uint32_t object = 0;
    const bool right = p->kind == PARAMETER_IMAGE   ? replica_image_dimensions(p, &object) > 0
                       : p->kind == PARAMETER_OTHER ? replica_is_sampler(p)
                       : p->kind == PARAMETER_VALUE ? p->size > 0
                                                    : true;
    if (!right) {
      buffer text = {0};
      buffer_printf(&text, "its argument %s is of type %s, of which no input can be made", p->name, p->type);
      return buffer_take(&text);
    }
  }
  return NULL;
}
