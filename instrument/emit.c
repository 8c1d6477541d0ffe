/* The text that instrumentation adds around the user's code: the context of a work-item, the macros that fill it, and
 * what a kernel does at its end. */
#include <stdio.h>
#include <stdlib.h>

#include "instrument/program.h"

/* What a work-item has seen lives in private memory, in one struct that helpers get by pointer; `t` is scratch. Loops
 * count in a local variable n: 0, 1 or more turns become the outcomes zero, one, many (bits 0 to 2 of four), a condition
 * seen false the boundary (bit 3).
 *
 * A decision that guards a barrier is recorded by arithmetic before the branch, because divergent control flow around a
 * barrier is undefined: on a CPU device all work-items may follow the first one. The value goes through volatile `v` so
 * that no compiler can move the record behind the branch. */
static const char macros[] =
    "#define CLTC_BRANCH(word, yes, no, c) ((c) ? ((word) |= (yes), 1) : ((word) |= (no), 0))\n"
    "#define CLTC_COUNT(n) ((n) == 0u ? 1u : (n) == 1u ? 2u : 4u)\n"
    "#define CLTC_LOOP(word, shift, n, c) \\\n"
    "  ((c) ? (++n, 1) : ((word) |= (8u | CLTC_COUNT(n)) << (shift), n = 0u, 0))\n"
    "#define CLTC_DO(word, shift, n, c) \\\n"
    "  ((c) ? (++n, 1) : ((word) |= (8u | CLTC_COUNT(n + 1u)) << (shift), n = 0u, 0))\n"
    "#define CLTC_LEAVE(word, shift, n) ((word) |= CLTC_COUNT(n) << (shift), n = 0u)\n"
    "#define CLTC_LEAVE_DO(word, shift, n) ((word) |= CLTC_COUNT(n + 1u) << (shift), n = 0u)\n"
    "#define CLTC_HASH(h, value) (cltc->v = (value), (h) = (h) * 0x9E3779B1u + 1u + cltc->v)\n"
    "#define CLTC_VOTE(h, c) (CLTC_HASH(h, (c) ? 1u : 0u), cltc->v != 0u)\n"
    "#define CLTC_GUARD(h, word, yes, no, c) \\\n"
    "  (CLTC_HASH(h, (c) ? 1u : 0u), (word) |= cltc->v != 0u ? (yes) : (no), cltc->v != 0u)\n"
    "#define CLTC_FIRST ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0)\n"
    "#define CLTC_RECORD(r, differing) \\\n"
    "  if (atomic_cmpxchg(&cltc_flags[r], 0u, 1u) == 0u) { \\\n"
    "    cltc_flags[(r) + 1] = cltc_launch; \\\n"
    "    cltc_flags[(r) + 2] = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + "
    "get_group_id(0)); \\\n"
    "    cltc_flags[(r) + 3] = (differing); \\\n"
    "    cltc_flags[(r) + 4] = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); \\\n"
    "  }\n"
    "#ifdef CLTC_DIRECT\n"
    "#define CLTC_OR(w, v) if ((v) & ~cltc_flags[w]) { atomic_or(&cltc_flags[w], (v)); }\n"
    "#define CLTC_STORE1(v) CLTC_OR(0, v)\n"
    "#define CLTC_STORE2(v) CLTC_OR(0, v)\n"
    "#define CLTC_STORE4(words, w, v) CLTC_OR(w, v)\n"
    "#else\n"
    "#define CLTC_ITEM \\\n"
    "  (cltc_first + ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + \\\n"
    "                 (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + \\\n"
    "   (get_global_id(0) - get_global_offset(0)))\n"
    "#define CLTC_STORE1(v) cltc_slots[CLTC_ITEM] = (uchar)(v);\n"
    "#define CLTC_STORE2(v) ((__global ushort *)cltc_slots)[CLTC_ITEM] = (ushort)(v);\n"
    "#define CLTC_STORE4(words, w, v) ((__global uint *)cltc_slots)[CLTC_ITEM * (words) + (w)] = (v);\n"
    "#endif\n";

void bit_field(uint32_t function_index, uint32_t bit, char *text) {
  (void)snprintf(text, 32, "cltc->f%u_%u", (unsigned)function_index, (unsigned)(bit / 32));
}

void emit_preamble(const program *p, buffer *out) {
  buffer_puts(out, "/* Instrumented by cltestcheck. */\ntypedef struct {\n  uint t;\n");
  if (p->plane_count > 0) {
    buffer_puts(out, "  volatile uint v;\n");
  }
  for (uint32_t i = 0; i < p->function_count; i++) {
    for (uint32_t w = 0; w < (p->functions[i].bits + 31) / 32; w++) {
      buffer_printf(out, "  uint f%u_%u;", (unsigned)i, (unsigned)w);
    }
    buffer_printf(out, " /* %s */\n", p->functions[i].front->name);
  }
  for (uint32_t i = 0; i < p->plane_count; i++) {
    buffer_printf(out, "  uint h%u;\n", (unsigned)i);
  }
  buffer_puts(out, "} cltc_context;\n");
  buffer_puts(out, macros);
}

/* The kernel's bits, packed: the words of every function that it reaches, one behind the other. */
static void emit_pack(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  for (uint32_t w = 0; w < k->flag_words; w++) {
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

static void emit_bit(buffer *out, size_t bit) {
  buffer_printf(out, " cltc_v%u |= 0x%xu;", (unsigned)(bit / 32), 1u << (bit % 32));
}

/* Work-item 0 publishes its hashes and counts, the others compare; then work-item 0 draws the conclusions. */
static void emit_comparison(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  uint32_t *names = calloc(k->plane_count, sizeof *names);
  if (names == NULL) {
    return;
  }
  emit_plane_names(p, kernel, names);
  size_t barriers = 0;
  for (size_t i = 0; i < k->plane_count; i++) {
    barriers += k->planes[i].barrier ? 1 : 0;
  }
  size_t bit = k->bit_count - barriers - k->plane_count;
  buffer_puts(out, " if (CLTC_FIRST) {");
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, " cltc_h[%zu] = cltc->h%u; cltc_d[%zu] = 0u;", i, (unsigned)names[i], i);
  }
  buffer_puts(out, " } barrier(CLK_LOCAL_MEM_FENCE);");
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, " if (cltc->h%u != cltc_h[%zu]) { atomic_inc(&cltc_d[%zu]); }", (unsigned)names[i], i, i);
  }
  buffer_puts(out, " barrier(CLK_LOCAL_MEM_FENCE); if (CLTC_FIRST) {");
  for (size_t i = 0; i < k->plane_count; i++) {
    buffer_printf(out, " if (cltc_d[%zu] != 0u) {", i);
    emit_bit(out, bit++);
    buffer_printf(out, " CLTC_RECORD(%u, cltc_d[%zu]) }", (unsigned)(k->flag_words + 5 * i), i);
  }
  for (size_t i = 0; i < k->plane_count; i++) {
    if (k->planes[i].barrier) {
      buffer_printf(out, " if (cltc->h%u != 0u && (cltc_d[%zu]", (unsigned)names[i], i);
      for (size_t g = 0; g < k->planes[i].guard_count; g++) {
        buffer_printf(out, " | cltc_d[%u]", (unsigned)k->planes[i].guards[g]);
      }
      buffer_puts(out, ") == 0u) {");
      emit_bit(out, bit++);
      buffer_puts(out, " }");
    }
  }
  buffer_puts(out, " }");
  free(names);
}

void emit_kernel_exit(const program *p, uint32_t kernel, buffer *out) {
  const instrument_kernel *k = &p->out->kernels[kernel];
  emit_pack(p, kernel, out);
  if (k->plane_count > 0) {
    emit_comparison(p, kernel, out);
  }
  if (k->item_bytes <= 2) {
    buffer_printf(out, " CLTC_STORE%u(cltc_v0)", (unsigned)k->item_bytes);
    return;
  }
  for (uint32_t w = 0; w < k->flag_words; w++) {
    buffer_printf(out, " CLTC_STORE4(%u, %u, cltc_v%u)", (unsigned)k->flag_words, (unsigned)w, (unsigned)w);
  }
}
