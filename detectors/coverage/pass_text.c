/* The text that coverage adds around the user's code: members of a work-item's context, the macros that fill them, what
 * a kernel does at its end, and the ways through range checks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/coverage/pass.h"
#include "frontend/facts/uniform.h"
#include "instrument/discover.h"

void bit_field(uint32_t function_index, uint32_t bit, char *text) {
  (void)snprintf(text, 32, "cltc->f%u_%u", (unsigned)function_index, (unsigned)(bit / 32));
}

/* Whether something passes through a variable that the compiler must not look behind. */
static bool needs_volatile(const program *p) {
  bool needed = p->plane_count > 0;
  for (uint32_t i = 0; i < p->function_count && !needed; i++)
    for (uint32_t n = 0; n < p->functions[i].instance_count; n++)
      needed = needed || (p->functions[i].has_barrier && is_wide_switch(&p->functions[i].instances[n]));
  return needed;
}

void coverage_members(const void *state, const program *p, buffer *out) {
  (void)state;
  if (needs_volatile(p)) buffer_puts(out, "  volatile uint v;\n");
  for (uint32_t i = 0; i < p->function_count; i++) {
    for (uint32_t w = 0; w < (p->functions[i].bits + 31) / 32; w++)
      buffer_printf(out, "  uint f%u_%u;", (unsigned)i, (unsigned)w);
    for (uint32_t n = 0; n < p->functions[i].instance_count; n++)
      if (is_wide_switch(&p->functions[i].instances[n]))
        buffer_printf(out, " __private uint *w%u_%u;", (unsigned)i, (unsigned)n);
    buffer_printf(out, " /* %s */\n", p->functions[i].node->symbol->name);
  }
  for (uint32_t i = 0; i < p->plane_count; i++) buffer_printf(out, "  uint h%u;\n", (unsigned)i);
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
    for (uint32_t n = 0; n < f->instance_count; n++)
      if (is_wide_switch(&f->instances[n])) put(reach[r], n, &f->instances[n], out);
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
  for (uint32_t w = 0; w < (k->plane_bit + 31) / 32; w++) buffer_printf(out, " uint cltc_v%u = 0u;", (unsigned)w);
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
  if (k->item_bytes <= 2) buffer_printf(out, " CLTC_%s%u(cltc_v0)", store, (unsigned)k->item_bytes);
  if (k->item_bytes >= 4) buffer_printf(out, " CLTC_ROW(%u)", (unsigned)k->item_bytes / 4);
  for (uint32_t w = 0; w < k->item_bytes / 4; w++)
    buffer_printf(out, " CLTC_%s4(%u, %u, cltc_v%u)", store, (unsigned)k->item_bytes / 4, (unsigned)w, (unsigned)w);
  if (k->plane_count > 0) emit_plane_stores(p, kernel, out);
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
      for (size_t g = 0; g < k->planes[i].guard_count; g++)
        buffer_printf(out, " | d%u", (unsigned)k->planes[i].guards[g]);
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
  for (size_t i = 0; i < k->plane_count; i++) buffer_printf(out, "    uint d%zu = 0u;\n", i);
  buffer_printf(out, "    for (uint i = 1; i < items; i++) {\n      __global const uint *q = r + i * %zu;\n",
                k->plane_count + 1);
  for (size_t i = 0; i < k->plane_count; i++)
    buffer_printf(out, "      d%zu += q[%zu] != r[%zu] ? 1u : 0u;\n", i, i, i);
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
  for (uint32_t w = 0; w < words; w++)
    if (masks[w] != 0) buffer_printf(out, " | (any%u & ~all%u & 0x%xu)", (unsigned)w, (unsigned)w, (unsigned)masks[w]);
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
  for (size_t i = 0; i < k->plane_count; i++) buffer_printf(out, "      uint d%zu = 0u;\n", i);
  emit_slots_pass(p, k, names, words, out);
  emit_verdicts(k, out);
  buffer_puts(out, "    }\n    return;\n  }\n");
  free(names);
}

void coverage_kernels(const void *state, const program *p, uint32_t kernel, buffer *out) {
  (void)state;
  const instrument_kernel *k = &p->out->kernels[kernel];
  if (k->plane_count == 0) return;
  buffer_printf(out,
                "__kernel void cltc_judge_%s(__global uint *cltc_flags, __global const uint *cltc_planes, "
                "uint cltc_launch%s) {\n",
                p->out->model.kernels[kernel].name,
                k->planes_in_slots ? ", __global const uchar *cltc_slots, ulong cltc_first" : "");
  buffer_puts(out, p->form->bare == NULL ? "" : "#ifndef CLTC_BARE\n"); /* else there is nothing to compare */
  if (k->planes_in_slots) emit_slots_body(p, kernel, out);
  emit_judge_body(k, out);
  buffer_puts(out, p->form->bare == NULL ? "}\n" : "#endif\n}\n");
}

/* Range checks of two conditions, like `i >= 1 && i < n - 1`. The way through one can be computed
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
    if (l->decision == number && l->tokens.first == test.first && l->tokens.last == test.last) return l->by;
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
  if (!goes_beside(p, f, i, sides)) return NULL;
  const uint32_t by[] = {shift_of(f, number, sides[0].inner), shift_of(f, number, sides[1].inner)};
  buffer way = {0};
  if (f->has_barrier)
    append_shifts(u, is_conjunction(i->node), sides, 1u << i->bit % 32, by, &way);
  else
    append_bits(u, sides, 1u << i->bit % 32, by, &way);
  return buffer_take(&way);
}
