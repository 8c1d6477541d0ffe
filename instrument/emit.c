/* The text that coverage adds around the user's code: members of a work-item's context, the macros that fill them, what
 * a kernel does at its end; and the renderer, which writes tokens with edits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/facts/uniform.h"
#include "instrument/discover.h"
#include "instrument/edit.h"
#include "instrument/forms.h"
#include "instrument/writer.h"

void bit_field(uint32_t function_index, uint32_t bit, char *text) {
  (void)snprintf(text, 32, "cltc->f%u_%u", (unsigned)function_index, (unsigned)(bit / 32));
}

/* Whether something passes through a variable that the compiler must not look behind. */
static bool needs_volatile(const program *p) {
  bool needed = p->plane_count > 0;
  for (uint32_t i = 0; i < p->function_count && !needed; i++) {
    for (uint32_t n = 0; n < p->functions[i].instance_count; n++) {
      needed = needed || (p->functions[i].has_barrier && is_wide_switch(&p->functions[i].instances[n]));
    }
  }
  return needed;
}

void coverage_members(const void *state, const program *p, buffer *out) {
  (void)state;
  if (needs_volatile(p)) {
    buffer_puts(out, "  volatile uint v;\n");
  }
  for (uint32_t i = 0; i < p->function_count; i++) {
    for (uint32_t w = 0; w < (p->functions[i].bits + 31) / 32; w++) {
      buffer_printf(out, "  uint f%u_%u;", (unsigned)i, (unsigned)w);
    }
    for (uint32_t n = 0; n < p->functions[i].instance_count; n++) {
      if (is_wide_switch(&p->functions[i].instances[n])) {
        buffer_printf(out, " __private uint *w%u_%u;", (unsigned)i, (unsigned)n);
      }
    }
    buffer_printf(out, " /* %s */\n", p->functions[i].node->symbol->name);
  }
  for (uint32_t i = 0; i < p->plane_count; i++) {
    buffer_printf(out, "  uint h%u;\n", (unsigned)i);
  }
}

void coverage_macros(const void *state, const program *p, buffer *out) {
  (void)state;
  buffer_puts(out, instrument_record);
  buffer_puts(out, p->plane_count > 0 ? instrument_planes : "");
}

/* --- wide switches ------------------------------------------------------------------------------------------------ */

/* How many words of the function's bits the labels of a switch are in, from the one with the first on. */
static uint32_t words_of_switch(const instance *i) { return (i->bit % 32 + i->outcomes + 31) / 32; }

/* Calls `put` for every wide switch of the functions that a kernel reaches. */
static void each_wide_switch(const program *p, uint32_t kernel, buffer *out,
                             void (*put)(uint32_t function, uint32_t number, const instance *i, buffer *out)) {
  size_t count = 0;
  uint32_t *reach = reachable_functions(p, p->kernel_functions[kernel], &count);
  for (size_t r = 0; r < count; r++) {
    const function *f = &p->functions[reach[r]];
    for (uint32_t n = 0; n < f->instance_count; n++) {
      if (is_wide_switch(&f->instances[n])) {
        put(reach[r], n, &f->instances[n], out);
      }
    }
  }
  free(reach);
}

static void put_array(uint32_t f, uint32_t n, const instance *i, buffer *out) {
  buffer_printf(out, " uint cltc_w%u_%u[%u] = {0}; cltc->w%u_%u = cltc_w%u_%u;", (unsigned)f, (unsigned)n,
                (unsigned)words_of_switch(i), (unsigned)f, (unsigned)n, (unsigned)f, (unsigned)n);
}

/* With the other bits of the function. */
static void put_labels(uint32_t f, uint32_t n, const instance *i, buffer *out) {
  for (uint32_t w = 0; w < words_of_switch(i); w++) {
    buffer_printf(out, " cltc->f%u_%u |= cltc_w%u_%u[%u];", (unsigned)f, (unsigned)(i->bit / 32 + w), (unsigned)f,
                  (unsigned)n, (unsigned)w);
  }
}

void emit_wide_switches(const program *p, uint32_t kernel, buffer *out) { each_wide_switch(p, kernel, out, put_array); }

/* The kernel's bits, packed: the words of every function that it reaches, one after the other. */
static void emit_pack(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  for (uint32_t w = 0; w < (k->plane_bit + 31) / 32; w++) {
    buffer_printf(out, " uint cltc_v%u = 0u;", (unsigned)w);
  }
  size_t count = 0;
  uint32_t *reach = reachable_functions(p, p->kernel_functions[kernel], &count);
  uint32_t base = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits = p->functions[reach[i]].bits;
    for (uint32_t w = 0; w * 32 < bits; w++) {
      uint32_t at = base + w * 32;
      uint32_t used = bits - w * 32 < 32 ? bits - w * 32 : 32;
      buffer_printf(out, " cltc_v%u |= cltc->f%u_%u << %u;", (unsigned)(at / 32), (unsigned)reach[i], (unsigned)w,
                    (unsigned)(at % 32));
      if (at % 32 + used > 32) {
        buffer_printf(out, " cltc_v%u |= cltc->f%u_%u >> %u;", (unsigned)(at / 32 + 1), (unsigned)reach[i], (unsigned)w,
                      (unsigned)(32 - at % 32));
      }
    }
    base += bits;
  }
  free(reach);
}

/* The planes of a kernel are the program's planes in its functions, in the same order. */
static void emit_plane_names(const program *p, uint32_t kernel, uint32_t *names) {
  size_t count = 0;
  uint32_t *reach = reachable_functions(p, p->kernel_functions[kernel], &count);
  size_t n = 0;
  for (uint32_t i = 0; i < p->plane_count; i++) {
    for (size_t r = 0; r < count; r++) {
      if (reach[r] == p->planes[i].function) {
        names[n++] = i;
        break;
      }
    }
  }
  free(reach);
}

/* The names of a kernel's planes in the context; to be freed. */
static uint32_t *plane_names(const program *p, uint32_t kernel) {
  uint32_t *names = mem_calloc(p->out->kernels[kernel].plane_count + 1, sizeof *names);
  emit_plane_names(p, kernel, names);
  return names;
}

/* The bits by which work-items are compared, where they need no record. */
typedef struct plane_bits {
  uint32_t word, mask; /* of the kernel's packed bits, among which its own function's are the first */
} plane_bits;

static plane_bits bits_of_plane(const program *p, uint32_t name) {
  const plane *at = &p->planes[name];
  const instance *i = &p->functions[at->function].instances[at->instance];
  return (plane_bits){i->bit / 32, (uint32_t)((UINT64_C(1) << i->outcomes) - 1) << i->bit % 32};
}

/* What work-items leave to be compared. */
static void emit_plane_stores(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  uint32_t *names = plane_names(p, kernel);
  buffer_printf(out, " %s(%zu,", k->planes_in_slots ? "CLTC_SETTLED" : "CLTC_PLANES", k->plane_count);
  for (size_t i = 0; i < k->plane_count; i++) {
    if (k->planes_in_slots) {
      plane_bits bits = bits_of_plane(p, names[i]);
      buffer_printf(out, " cltc_r[%zu] = cltc_v%u & 0x%xu;", i, (unsigned)bits.word, (unsigned)bits.mask);
    } else {
      buffer_printf(out, " cltc_r[%zu] = cltc->h%u;", i, (unsigned)names[i]);
    }
  }
  buffer_puts(out, ")");
  free(names);
}

void emit_kernel_exit(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  each_wide_switch(p, kernel, out, put_labels);
  emit_pack(p, kernel, out);
  /* The former never branches. */
  const char *store = p->functions[p->kernel_functions[kernel]].has_barrier ? "KEEP" : "STORE";
  if (k->item_bytes <= 2) {
    buffer_printf(out, " CLTC_%s%u(cltc_v0)", store, (unsigned)k->item_bytes);
  }
  if (k->item_bytes >= 4) {
    buffer_printf(out, " CLTC_ROW(%u)", (unsigned)k->item_bytes / 4);
  }
  for (uint32_t w = 0; w < k->item_bytes / 4; w++) {
    buffer_printf(out, " CLTC_%s4(%u, %u, cltc_v%u)", store, (unsigned)k->item_bytes / 4, (unsigned)w, (unsigned)w);
  }
  if (k->plane_count > 0) {
    emit_plane_stores(p, kernel, out);
  }
}

/* --- the kernel that compares the work-items of each work-group --------------------------------------------------- */

static void emit_bit(buffer *out, size_t bit) {
  buffer_printf(out, " CLTC_OR(%u, 0x%xu)", (unsigned)(bit / 32), 1u << (bit % 32));
}

static void emit_verdicts(const instrument_kernel *k, buffer *out) {
  size_t bit = k->plane_bit;
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, "    if (d%zu != 0u) {", i);
    emit_bit(out, bit++);
    buffer_printf(out, " CLTC_RECORD(%u, group, d%zu, items) }\n", (unsigned)(k->flag_words + 5 * i), i);
  }
  for (size_t i = 0; i < k->plane_count; i++) {
    if (k->planes[i].barrier) {
      buffer_printf(out, "    if (r[%zu] != 0u && (d%zu", i, i);
      for (size_t g = 0; g < k->planes[i].guard_count; g++) {
        buffer_printf(out, " | d%u", (unsigned)k->planes[i].guards[g]);
      }
      buffer_puts(out, ") == 0u) {");
      emit_bit(out, bit++);
      buffer_puts(out, " }\n");
    }
  }
}

static void emit_judge_body(const instrument_kernel *k, buffer *out) {
  buffer_printf(
      out,
      "  const ulong groups = cltc_planes[0], size = cltc_planes[1], capacity = cltc_planes[2];\n"
      "  const bool all = groups * size <= capacity;\n"
      "  const ulong kept = all ? groups : capacity / (2 * size);\n"
      "  for (ulong place = get_global_id(0); place < (all ? kept : 2 * kept); place += get_global_size(0)) {\n"
      "    const bool front = place < kept;\n"
      "    const uint group = (uint)(front ? place : groups - 1 - (place - kept));\n"
      "    const ulong begin = front ? group * size : capacity - (groups - group) * size;\n"
      "    __global const uint *r = cltc_planes + 4 + begin * %zu;\n"
      "    const uint items = r[%zu];\n",
      k->plane_count + 1, k->plane_count);
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, "    uint d%zu = 0u;\n", i);
  }
  buffer_printf(out, "    for (uint i = 1; i < items; i++) {\n      __global const uint *q = r + i * %zu;\n",
                k->plane_count + 1);
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, "      d%zu += q[%zu] != r[%zu] ? 1u : 0u;\n", i, i, i);
  }
  buffer_puts(out, "    }\n");
  emit_verdicts(k, out);
  buffer_puts(out, "  }\n");
}

/* Which words of an item the planes look at, and which of their bits. */
static uint32_t *word_masks(const program *p, const instrument_kernel *k, const uint32_t *names) {
  uint32_t *masks = mem_calloc(k->flag_words + 1, sizeof *masks);
  for (size_t i = 0; i < k->plane_count; i++) {
    plane_bits bits = bits_of_plane(p, names[i]);
    masks[bits.word] |= bits.mask;
  }
  return masks;
}

/* One pass over a group's items tells whether any bit differs; the few groups where one does are looked at again. */
static void emit_slots_pass(const program *p, const instrument_kernel *k, const uint32_t *names, unsigned words,
                            buffer *out) {
  uint32_t *masks = word_masks(p, k, names);
  for (uint32_t w = 0; w < words; w++) {
    if (masks[w] != 0) {
      buffer_printf(out, "      uint any%u = 0u, all%u = ~0u;\n", (unsigned)w, (unsigned)w);
      buffer_printf(
          out, "      for (uint i = 0; i < items; i++) { any%u |= s[i * %uu + %uu]; all%u &= s[i * %uu + %uu]; }\n",
          (unsigned)w, words, (unsigned)w, (unsigned)w, words, (unsigned)w);
    }
  }
  buffer_puts(out, "      if ((0u");
  for (uint32_t w = 0; w < words; w++) {
    if (masks[w] != 0) {
      buffer_printf(out, " | (any%u & ~all%u & 0x%xu)", (unsigned)w, (unsigned)w, (unsigned)masks[w]);
    }
  }
  buffer_puts(out, ") != 0u) {\n        for (uint i = 1; i < items; i++) {\n");
  for (size_t i = 0; i < k->plane_count; i++) {
    plane_bits bits = bits_of_plane(p, names[i]);
    buffer_printf(out, "          d%zu += ((s[i * %uu + %uu] ^ s[%u]) & 0x%xu) != 0u ? 1u : 0u;\n", i, words,
                  (unsigned)bits.word, (unsigned)bits.word, (unsigned)bits.mask);
  }
  buffer_puts(out, "        }\n      }\n");
  free(masks);
}

/* The same for work-items that are compared by what they left in the slots. */
static void emit_slots_body(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  const char *type = k->item_bytes == 1 ? "uchar" : k->item_bytes == 2 ? "ushort" : "uint";
  const unsigned words = k->item_bytes < 4 ? 1 : (unsigned)k->item_bytes / 4;
  uint32_t *names = plane_names(p, kernel);
  buffer_printf(
      out,
      "  if (cltc_planes[3] != 0u) {\n"
      "    const uint across = CLTC_ACROSS(0), down = CLTC_ACROSS(1);\n"
      "    for (ulong place = get_global_id(0); place < cltc_planes[0]; place += get_global_size(0)) {\n"
      "      const uint group = (uint)place;\n"
      "      const uint items = CLTC_ALONG(0, group %% across) * CLTC_ALONG(1, group / across %% down) *\n"
      "                         CLTC_ALONG(2, group / across / down);\n"
      "      __global const %s *s = (__global const %s *)cltc_slots + (cltc_first + place * cltc_planes[1]) * "
      "%uu;\n      const uint r[] = {",
      type, type, words);
  for (size_t i = 0; i < k->plane_count; i++) {
    plane_bits bits = bits_of_plane(p, names[i]);
    buffer_printf(out, "%ss[%u] & 0x%xu", i == 0 ? "" : ", ", (unsigned)bits.word, (unsigned)bits.mask);
  }
  buffer_puts(out, "};\n");
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, "      uint d%zu = 0u;\n", i);
  }
  emit_slots_pass(p, k, names, words, out);
  emit_verdicts(k, out);
  buffer_puts(out, "    }\n    return;\n  }\n");
  free(names);
}

void coverage_kernels(const void *state, const program *p, uint32_t kernel, buffer *out) {
  (void)state;
  const instrument_kernel *k = &p->out->kernels[kernel];
  if (k->plane_count == 0) {
    return;
  }
  buffer_printf(out,
                "__kernel void cltc_judge_%s(__global uint *cltc_flags, __global const uint *cltc_planes, "
                "uint cltc_launch%s) {\n",
                p->out->model.kernels[kernel].name,
                k->planes_in_slots ? ", __global const uchar *cltc_slots, ulong cltc_first" : "");
  buffer_puts(out, p->form->bare == NULL ? "" : "#ifndef CLTC_BARE\n"); /* else there is nothing to compare */
  if (k->planes_in_slots) {
    emit_slots_body(p, kernel, out);
  }
  emit_judge_body(k, out);
  buffer_puts(out, p->form->bare == NULL ? "}\n" : "#endif\n}\n");
}

/* Edits around functions: parameters, qualifiers, calls. */

#define CONTEXT_PARAMETER "__private cltc_context *cltc"
#define KERNEL_PARAMETERS                                                                       \
  "__global uint *restrict cltc_flags, __global uchar *restrict cltc_slots, ulong cltc_first, " \
  "__global uint *restrict cltc_planes, uint cltc_capacity"

/* The hidden parameters of a kernel, the context parameter of other functions and of twins. */
static void edit_parameters(edits *e, const pp_result *text, const tree_node *declared) {
  const span all = tree_parameters(text, declared);
  const bool none = declared->child_count == 1; /* the body alone */
  if (none && all.last == all.first + 2) {      /* (void) */
    edit_add(e, all.first + 1, EDIT_REPLACE, 0, EDIT_BOTH, text_of(" "));
  }
  const char *comma = none ? "" : ", ";
  if (declared->symbol->kernel) {
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_PLAIN, text_of("%s" KERNEL_PARAMETERS, comma));
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_TWIN, text_of("%s" CONTEXT_PARAMETER, comma));
    edit_add(e, declared->token, EDIT_SUFFIX, 0, EDIT_TWIN, text_of(TWIN_SUFFIX));
  } else {
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_BOTH, text_of("%s" CONTEXT_PARAMETER, comma));
  }
}

/* The callable twin of a kernel has neither the kernel qualifier nor attributes. */
static void edit_qualifiers(edits *e, const pp_result *text, const tree_node *declared) {
  for (span q = tree_next_qualifier(text, declared, 0); !span_empty(q);
       q = tree_next_qualifier(text, declared, q.last + 1)) {
    for (uint32_t t = q.first; t <= q.last; t++) {
      edit_add(e, t, EDIT_REPLACE, 0, EDIT_TWIN, text_of(" "));
    }
  }
}

void edit_declared(edits *e, const pp_result *text, const tree_node *declared) {
  edit_parameters(e, text, declared);
  if (declared->symbol->kernel) {
    edit_qualifiers(e, text, declared);
  }
}

uint32_t body_start(const pp_result *text, const function *f) {
  uint32_t t = f->body.first;
  for (uint32_t behind; (behind = token_behind_pragma(text, t + 1)) > t + 1; t = behind - 1) {
    if (memmem(text->text + text->tokens[t + 1].begin, text->tokens[behind - 1].end - text->tokens[t + 1].begin,
               "unroll", 6) != NULL) {
      return t; /* belongs to the loop after it */
    }
  }
  return t;
}

/* Overloads appear several times in `calls`; one edit serves them all. */
void edit_calls(const program *p, const function *f, edits *e) {
  const pp_result *text = &p->units[f->unit].text;
  for (size_t i = 0; i < f->call_count; i++) {
    uint32_t name = f->calls[i].token;
    if (i > 0 && f->calls[i - 1].token == name) {
      continue;
    }
    const span around = token_parentheses(text, name);
    if (span_empty(around)) {
      continue;
    }
    edit_add(e, around.last, EDIT_BEFORE, 1, EDIT_BOTH, text_of(around.last == around.first + 1 ? "cltc" : ", cltc"));
    if (p->functions[f->calls[i].callee].node->symbol->kernel) {
      edit_add(e, name, EDIT_SUFFIX, 0, EDIT_BOTH, text_of(TWIN_SUFFIX));
    }
  }
}

const function *defined_elsewhere(const program *p, const tree_node *declaration) {
  for (size_t i = 0; i < p->function_count; i++) {
    if (strcmp(p->functions[i].node->symbol->name, declaration->symbol->name) == 0) {
      return &p->functions[i];
    }
  }
  return NULL;
}

/* Range checks (facts/range_check.h) of two conditions, like `i >= 1 && i < n - 1`. The way through one can be computed
 * beside it, and the branch be left as the user wrote it, which compilers turn into the bounds of a loop over
 * work-items. */

static void append_tokens(const pp_result *text, span tokens, buffer *out) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    buffer_append(out, text->text + text->tokens[t].begin, text->tokens[t].end - text->tokens[t].begin);
    buffer_putc(out, ' ');
  }
}

/* How far the way's bit is shifted where a condition of decision `number` is seen true. */
static uint32_t shift_of(const function *f, uint32_t number, span test) {
  for (size_t i = 0; i < f->leaf_count; i++) {
    const leaf *l = &f->leaves[i];
    if (l->decision == number && l->tokens.first == test.first && l->tokens.last == test.last) {
      return l->by;
    }
  }
  return 0;
}

static bool goes_beside(const program *p, const function *f, const instance *i, const condition sides[2]) {
  const unit *u = &p->units[f->unit];
  return !p->form->counts_ways && i->outcomes > 0 && i->owner != NONE && f->instances[i->owner].kind == SITE_IF &&
         f->instances[i->owner].plane == NONE && (is_conjunction(i->node) || f->has_barrier) &&
         sides[0].decision == NULL && sides[1].decision == NULL && !sides[0].negated && !sides[1].negated &&
         is_range_check(u->tree, &u->stores, i->node);
}

/* `bit << (left ? by : 0) + …`: the form that PoCL makes the most of between barriers. */
static void append_shifts(const unit *u, bool conjunction, const condition sides[2], uint32_t bit, const uint32_t by[2],
                          buffer *out) {
  buffer_printf(out, "0x%xu << (((", (unsigned)bit);
  append_tokens(&u->text, sides[0].inner, out);
  buffer_printf(out, ") ? %uu : 0u) + ((", (unsigned)by[0]);
  append_tokens(&u->text, sides[0].inner, out);
  buffer_puts(out, conjunction ? ") ? ((" : ") ? 0u : ((");
  append_tokens(&u->text, sides[1].inner, out);
  buffer_printf(out, ") ? %uu : 0u)%s))", (unsigned)by[1], conjunction ? " : 0u" : "");
}

/* `left ? right ? bit : bit : bit`, elsewhere; of && only. */
static void append_bits(const unit *u, const condition sides[2], uint32_t bit, const uint32_t by[2], buffer *out) {
  buffer_puts(out, "(");
  append_tokens(&u->text, sides[0].inner, out);
  buffer_puts(out, ") ? (");
  append_tokens(&u->text, sides[1].inner, out);
  buffer_printf(out, ") ? 0x%xu : 0x%xu : 0x%xu", (unsigned)(bit << (by[0] + by[1])), (unsigned)(bit << by[0]),
                (unsigned)bit);
}

char *range_check_way(const program *p, const function *f, uint32_t number) {
  const unit *u = &p->units[f->unit];
  const instance *i = &f->instances[number];
  const condition sides[] = {read_condition(&u->text, i->node->children[0]),
                             read_condition(&u->text, i->node->children[1])};
  if (!goes_beside(p, f, i, sides)) {
    return NULL;
  }
  const uint32_t by[] = {shift_of(f, number, sides[0].inner), shift_of(f, number, sides[1].inner)};
  buffer way = {0};
  if (f->has_barrier) {
    append_shifts(u, is_conjunction(i->node), sides, 1u << i->bit % 32, by, &way);
  } else {
    append_bits(u, sides, 1u << i->bit % 32, by, &way);
  }
  return buffer_take(&way);
}

/* Writing a unit's tokens with the edits applied; lines keep the numbers they have in the user's files. */

enum { MAX_PADDING = 10 };

static void count_lines(renderer *r) {
  for (; r->counted < r->out.length; r->counted++) {
    r->line += r->out.data[r->counted] == '\n' ? 1 : 0;
  }
}

/* A file's name after #line. */
static void write_name(buffer *out, const char *name) {
  buffer_puts(out, " \"");
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      buffer_putc(out, '\\');
    }
    buffer_putc(out, (unsigned char)*c < 0x20 ? '_' : *c); /* a line end would end the directive */
  }
  buffer_putc(out, '"');
}

/* Makes the line that is about to begin have the number that its first token has for the user. */
static void synchronise(renderer *r, const pp_position *where) {
  count_lines(r);
  if (r->file == where->file && where->line >= r->line && where->line - r->line <= MAX_PADDING) {
    while (r->line < where->line) {
      buffer_putc(&r->out, '\n');
      count_lines(r);
    }
    return;
  }
  if (r->out.length > 0 && r->out.data[r->out.length - 1] != '\n') {
    buffer_putc(&r->out, '\n');
  }
  buffer_printf(&r->out, "#line %u", (unsigned)where->line);
  if (!r->text->own_name) {
    write_name(&r->out, r->text->files[where->file].name);
  }
  buffer_putc(&r->out, '\n');
  r->counted = r->out.length;
  r->file = where->file;
  r->line = where->line;
}

/* All tokens of the user's and all text of ours come through here, so that none joins what it stands after. */
static void write_apart(renderer *r, const char *text, size_t length) {
  if (length > 0 && pp_text_joins(r->out.data, r->out.length, text[0])) {
    buffer_putc(&r->out, ' ');
  }
  buffer_append(&r->out, text, length);
}

static void write_copy(renderer *r, span tokens, uint32_t limit);

/* The text of an edit, with the copies that it asks for. */
static void write_text(renderer *r, const char *text) {
  while (*text != '\0') {
    size_t plain = strcspn(text, "\1");
    write_apart(r, text, plain);
    text += plain;
    if (*text != '\0') {
      char *end = NULL;
      uint32_t number[3];
      for (int i = 0; i < 3; i++) {
        number[i] = (uint32_t)strtoul(text + 1, &end, 10);
        text = end;
      }
      write_copy(r, (span){number[0], number[1]}, number[2]);
      text++; /* the `;` */
    }
  }
}

/* The edits of one place, one after another from *at on; NULL after the last. */
static const edit *next_edit(const renderer *r, uint32_t token, enum edit_place place, size_t *at) {
  for (; *at < r->edits->count && r->edits->items[*at].token == token && r->edits->items[*at].place == place; ++*at) {
    if ((r->edits->items[*at].mode & r->mode) != 0) {
      return &r->edits->items[(*at)++];
    }
  }
  return NULL;
}

/* Writes the edits of one place that are wider than `least` and not wider than `limit`; returns whether there were any. */
static bool write_wider(renderer *r, uint32_t token, enum edit_place place, uint32_t least, uint32_t limit) {
  bool any = false;
  size_t at = edit_find(r->edits, token, place);
  for (const edit *e = next_edit(r, token, place, &at); e != NULL; e = next_edit(r, token, place, &at)) {
    if (e->extent <= limit && (e->extent > least || least == 0)) {
      write_text(r, e->text);
      any = true;
    }
  }
  return any;
}

static bool write_edits(renderer *r, uint32_t token, enum edit_place place, uint32_t limit) {
  return write_wider(r, token, place, 0, limit);
}

/* The widest span from this token on that was moved, of at most `limit` tokens; NULL: none was. */
static const edit *moved_at(const renderer *r, uint32_t token, uint32_t limit) {
  size_t at = edit_find(r->edits, token, EDIT_MOVED);
  const edit *e = next_edit(r, token, EDIT_MOVED, &at);
  while (e != NULL && e->extent > limit) {
    e = next_edit(r, token, EDIT_MOVED, &at);
  }
  return e;
}

/* What stands in its place, in the edits that are around it: those around the same span have moved with it. */
static void write_moved(renderer *r, const edit *e, uint32_t limit, uint32_t limit_after) {
  (void)write_wider(r, e->token, EDIT_BEFORE, e->extent, limit);
  write_text(r, e->text);
  (void)write_wider(r, e->token + e->extent - 1, EDIT_AFTER, e->extent, limit_after);
}

static void append_parts(const renderer *r, uint32_t token, enum edit_place place, buffer *out) {
  size_t at = edit_find(r->edits, token, place);
  for (const edit *e = next_edit(r, token, place, &at); e != NULL; e = next_edit(r, token, place, &at)) {
    buffer_puts(out, e->text);
  }
}

static void write_spelling(renderer *r, uint32_t token) {
  const pp_token *t = &r->text->tokens[token];
  if (write_edits(r, token, EDIT_REPLACE, UINT32_MAX)) {
    return;
  }
  buffer spelling = {0};
  append_parts(r, token, EDIT_PREFIX, &spelling);
  buffer_append(&spelling, r->text->text + t->begin, t->end - t->begin);
  append_parts(r, token, EDIT_SUFFIX, &spelling);
  write_apart(r, buffer_text(&spelling), spelling.length);
  buffer_free(&spelling);
}

static void write_copy(renderer *r, span tokens, uint32_t limit) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    if (t > tokens.first && r->text->tokens[t - 1].end < r->text->tokens[t].begin) {
      buffer_putc(&r->out, ' ');
    }
    const uint32_t before = t == tokens.first ? limit : UINT32_MAX;
    const uint32_t all = tokens.last - tokens.first + 1;
    const edit *moved = moved_at(r, t, t == tokens.first ? (limit < all ? limit : all - 1) : UINT32_MAX);
    if (moved != NULL) {
      t += moved->extent - 1;
      write_moved(r, moved, before, t == tokens.last ? limit : UINT32_MAX);
      continue;
    }
    (void)write_edits(r, t, EDIT_BEFORE, before);
    write_spelling(r, t);
    (void)write_edits(r, t, EDIT_AFTER, t == tokens.last ? limit : UINT32_MAX);
  }
}

static void write_space(renderer *r, uint32_t token) {
  const pp_result *text = r->text;
  uint32_t from = token == 0 ? 0 : text->tokens[token - 1].end;
  uint32_t to = text->tokens[token].begin;
  const char *newline = memrchr(text->text + from, '\n', to - from);
  if (token == 0 || r->file == NONE) {
    synchronise(r, &text->tokens[token].expanded);
  }
  if (newline == NULL) {
    buffer_append(&r->out, text->text + from, to - from);
    return;
  }
  buffer_putc(&r->out, '\n');
  synchronise(r, &text->tokens[token].expanded);
  buffer_append(&r->out, newline + 1, (size_t)(text->text + to - newline - 1));
}

static void write_token(renderer *r, uint32_t token) {
  const pp_token *t = &r->text->tokens[token];
  write_space(r, token);
  if (write_edits(r, token, EDIT_BEFORE, UINT32_MAX) && t->kind == PP_PRAGMA) {
    buffer_putc(&r->out, '\n');
  }
  write_spelling(r, token);
  if (t->kind == PP_PRAGMA) {
    buffer_putc(&r->out, '\n');
  }
  if (!write_edits(r, token, EDIT_AFTER, UINT32_MAX) && t->kind == PP_PRAGMA) {
    r->out.data[--r->out.length] = '\0'; /* the text goes on with a new line by itself */
  }
}

/* A token, or a span that was moved and begins here; gives the last one written. */
static uint32_t render_token(renderer *r, uint32_t token) {
  const edit *moved = moved_at(r, token, UINT32_MAX);
  if (moved == NULL) {
    write_token(r, token);
    return token;
  }
  write_space(r, token);
  write_moved(r, moved, UINT32_MAX, UINT32_MAX);
  return token + moved->extent - 1;
}

void render_tokens(renderer *r, span tokens) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    t = render_token(r, t);
  }
}

void render_lines(renderer *r, const char *lines) {
  if (r->out.length > 0 && r->out.data[r->out.length - 1] != '\n') {
    buffer_putc(&r->out, '\n');
  }
  buffer_puts(&r->out, lines);
  r->counted = r->out.length;
  r->file = NONE;
}

/* --- instrumented units ------------------------------------------------------------------------------------------ */

/* The callable twin of a kernel, or its prototype. */
static void write_twin(renderer *r, const tree_node *declared) {
  r->mode = EDIT_TWIN;
  buffer_putc(&r->out, '\n');
  render_tokens(r, declared->tokens);
  buffer_puts(&r->out, tree_body(declared) == NULL ? ";\n" : "\n");
  r->mode = EDIT_PLAIN;
}

/* The last token of a definition, the `;` or `,` of a prototype. */
static uint32_t end_of(const tree_node *declared) {
  return declared->tokens.last + (tree_body(declared) == NULL ? 1 : 0);
}

/* `*next`: the next function whose end is not written. */
static void write_twins_behind(renderer *r, const program *p, const unit *u, uint32_t token, const tree_node **next) {
  for (; *next != NULL && end_of(*next) <= token; *next = tree_next_function(u->tree, *next)) {
    const function *f = (*next)->symbol->kernel ? defined_elsewhere(p, *next) : NULL;
    if (f != NULL && f->called) {
      write_twin(r, *next);
    }
  }
}

char *rewrite_unit(const program *p, uint32_t unit_index) {
  const unit *u = &p->units[unit_index];
  edits e = {0};
  collect_edits(p, unit_index, &e);
  renderer r = {.text = &u->text, .edits = &e, .mode = EDIT_PLAIN, .file = NONE};
  emit_preamble(p, &r.out);
  const tree_node *next = tree_next_function(u->tree, NULL);
  for (uint32_t t = 0; t < u->text.token_count; t++) {
    t = render_token(&r, t);
    write_twins_behind(&r, p, u, t, &next);
  }
  buffer_putc(&r.out, '\n');
  emit_kernels(p, unit_index, &r.out);
  edit_free(&e);
  return buffer_take(&r.out);
}
