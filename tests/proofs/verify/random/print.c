/* A random kernel as OpenCL C, a statement a line. */
#include <stdbool.h>

#include "tests/proofs/verify/random/program.h"

const char *array_text(uint32_t array) { return &"a\0b\0c\0t"[array * 2]; }

static const struct {
  const char *text; /* of a leaf, or between two parts */
} words[EXPRESSIONS] = {[SUB_GROUP_ID] = {"get_sub_group_id()"},
                        [SUB_GROUP_LOCAL_ID] = {"get_sub_group_local_id()"},
                        [SUB_GROUP_SIZE] = {"get_sub_group_size()"},
                        [LOCAL_ID] = {"l"},
                        [GLOBAL_ID] = {"i"},
                        [GROUP_ID] = {"g"},
                        [LOCAL_SIZE] = {"L"},
                        [GLOBAL_SIZE] = {"S"},
                        [ARGUMENT_N] = {"n"},
                        [ARGUMENT_M] = {"m"},
                        [ADD] = {" + "},
                        [SUBTRACT] = {" - "},
                        [MULTIPLY] = {" * "},
                        [BIT_AND] = {" & "},
                        [BIT_OR] = {" | "},
                        [BIT_XOR] = {" ^ "},
                        [SHIFT_LEFT] = {" << "},
                        [SHIFT_RIGHT] = {" >> "},
                        [REMAINDER] = {" % "},
                        [QUOTIENT] = {" / "},
                        [LESS] = {" < "},
                        [EQUAL] = {" == "}};

static void put_variable(buffer *to, uint32_t variable) {
  buffer_printf(to, variable < VARIABLES ? "x%u" : "(uint)j%u", variable < VARIABLES ? variable : variable - VARIABLES);
}

static void put_expression(buffer *to, const expression *e) {
  switch (e->kind) {
    case NUMBER: buffer_printf(to, "%uu", e->number); return;
    case VARIABLE: put_variable(to, e->number); return;
    case LOAD:
      buffer_printf(to, "%s[", array_text(e->number));
      put_expression(to, e->parts[0]);
      buffer_puts(to, "]");
      return;
    case PRIVATE_LOAD:
      buffer_puts(to, "p[");
      put_expression(to, e->parts[0]);
      buffer_printf(to, " %% %du]", PRIVATES);
      return;
    case CHOOSE:
      buffer_puts(to, "(");
      put_expression(to, e->parts[0]);
      buffer_puts(to, " ? ");
      put_expression(to, e->parts[1]);
      buffer_puts(to, " : ");
      put_expression(to, e->parts[2]);
      buffer_puts(to, ")");
      return;
    default: break;
  }
  if (e->parts[0] == NULL) {
    buffer_puts(to, words[e->kind].text);
    return;
  }
  /* what a comparison gives is an int: back to unsigned */
  buffer_puts(to, e->kind == LESS || e->kind == EQUAL ? "(uint)(" : "(");
  put_expression(to, e->parts[0]);
  buffer_puts(to, words[e->kind].text);
  put_expression(to, e->parts[1]);
  buffer_puts(to, ")");
}

static void put_element(buffer *to, const statement *s) {
  buffer_printf(to, "%s[", array_text(s->number));
  put_expression(to, s->index);
  buffer_puts(to, "]");
}

static unsigned put_statements(buffer *to, statement *s, unsigned line);

static void put_head(buffer *to, const statement *s) {
  if (s->kind == IF) {
    buffer_puts(to, "if (");
    put_expression(to, s->value);
    buffer_puts(to, ") {\n");
    return;
  }
  if (s->kind == LOCKED) {
    buffer_puts(to, "if (l == 0) { while (atomic_cmpxchg(q, 0, 1) != 0) {} mem_fence(3);\n");
    return;
  }
  buffer_printf(to, "for (%s j%u = ",
                s->variable == 8    ? "uchar"
                : s->variable == 16 ? "ushort"
                : s->variable == 64 ? "ulong"
                                    : "uint",
                s->number);
  put_expression(to, s->value);
  if (s->kind == HALVING) {
    buffer_printf(to, "; j%u > 0; j%u >>= 1) {\n", s->number, s->number);
    return;
  }
  buffer_printf(to, "; j%u < ", s->number);
  put_expression(to, s->limit);
  buffer_printf(to, "; j%u += ", s->number);
  put_expression(to, s->index);
  buffer_puts(to, ") {\n");
}

static unsigned put_block(buffer *to, statement *s, unsigned line) {
  put_head(to, s);
  line = put_statements(to, s->body, line + 1);
  if (s->otherwise != NULL) {
    buffer_puts(to, "} else {\n");
    line = put_statements(to, s->otherwise, line + 1);
  }
  buffer_puts(to, s->kind == LOCKED ? "mem_fence(3); atomic_xchg(q, 0); }\n" : "}\n");
  return line + 1;
}

/* `, memory_scope_…)` */
static void put_scope(buffer *to, uint32_t of) {
  static const char *const names[] = {"work_item", "sub_group", "work_group", "device"};
  buffer_printf(to, of == DEFAULT_SCOPE ? ")" : ", memory_scope_%s)", of == DEFAULT_SCOPE ? "" : names[of]);
}

static void put_together(buffer *to, const statement *s) {
  static const char *const names[] = {"reduce_add", "reduce_max", "scan_inclusive_add", "any", "all", "broadcast"};
  const bool votes = s->number == ANY_OF || s->number == ALL_OF;
  put_variable(to, s->variable);
  buffer_printf(to, " = (uint)%s_group_%s(%s", s->kind == GROUP_FUNCTION ? "work" : "sub", names[s->number],
                votes ? "(int)" : "");
  put_expression(to, s->value);
  if (s->number == BROADCAST) {
    buffer_puts(to, ", ");
    put_expression(to, s->index);
    buffer_printf(to, " %% %s", s->kind == GROUP_FUNCTION ? "L" : "get_sub_group_size()");
  }
  buffer_puts(to, ")");
}

static void put_copy(buffer *to, const statement *s) {
  buffer_printf(to, "e[%u] = async_work_group_copy(%s + ", s->variable, array_text(s->number));
  put_expression(to, s->index);
  buffer_printf(to, ", %s + ", array_text(s->source));
  put_expression(to, s->value);
  buffer_puts(to, ", ");
  put_expression(to, s->limit);
  buffer_printf(to, s->handed == 0 ? ", 0)" : ", e[%u])", s->handed - 1);
}

/* What work-items do together. */
static void put_meeting(buffer *to, const statement *s) {
  switch (s->kind) {
    case BARRIER:
    case SUB_GROUP_BARRIER:
      buffer_printf(to, "%s_group_barrier(%u", s->kind == BARRIER ? "work" : "sub", s->number);
      put_scope(to, s->variable);
      return;
    case GROUP_FUNCTION:
    case SUB_GROUP_FUNCTION: put_together(to, s); return;
    case COPY: put_copy(to, s); return;
    default: buffer_printf(to, "wait_group_events(%u, e + %u)", s->number, s->variable);
  }
}

static unsigned put_statement(buffer *to, statement *s, unsigned line) {
  s->line = line;
  switch (s->kind) {
    case ASSIGN:
      put_variable(to, s->number);
      buffer_puts(to, " = ");
      put_expression(to, s->value);
      break;
    case STORE:
      put_element(to, s);
      buffer_puts(to, " = ");
      put_expression(to, s->value);
      break;
    case ATOMIC_ADD:
      buffer_puts(to, "atomic_add(&");
      put_element(to, s);
      buffer_puts(to, ", ");
      put_expression(to, s->value);
      buffer_puts(to, ")");
      break;
    case ATOMIC_COUNT:
      put_variable(to, s->variable);
      buffer_puts(to, " = atomic_inc(&");
      put_element(to, s);
      buffer_puts(to, ")");
      break;
    case PRIVATE_STORE:
      buffer_puts(to, "p[");
      put_expression(to, s->index);
      buffer_printf(to, " %% %du] = ", PRIVATES);
      put_expression(to, s->value);
      break;
    case PRIVATE_HALF_STORE:
      buffer_puts(to, "((ushort *)p)[");
      put_expression(to, s->index);
      buffer_printf(to, " %% %du] = (ushort)", 2 * PRIVATES);
      put_expression(to, s->value);
      break;
    case HALF_STORE:
      buffer_printf(to, "((%s ushort *)%s)[", s->number == ARRAY_T ? "local" : "global", array_text(s->number));
      put_expression(to, s->index);
      buffer_puts(to, "] = (ushort)");
      put_expression(to, s->value);
      break;
    case FENCE:
      buffer_printf(to,
                    s->variable == DEFAULT_SCOPE ? "mem_fence(%u)" : "atomic_work_item_fence(%u, memory_order_acq_rel",
                    s->number);
      if (s->variable != DEFAULT_SCOPE) put_scope(to, s->variable);
      break;
    case EVENT_MOVE: buffer_printf(to, "e[%u] = e[%u]", s->variable, s->source); break;
    case BARRIER:
    case SUB_GROUP_BARRIER:
    case GROUP_FUNCTION:
    case SUB_GROUP_FUNCTION:
    case COPY:
    case WAIT: put_meeting(to, s); break;
    case RETURN:
    case BREAK:
    case CONTINUE: buffer_puts(to, s->kind == RETURN ? "return" : s->kind == BREAK ? "break" : "continue"); break;
    default: return put_block(to, s, line);
  }
  buffer_puts(to, ";\n");
  return line + 1;
}

static unsigned put_statements(buffer *to, statement *s, unsigned line) {
  for (; s != NULL; s = s->next) line = put_statement(to, s, line);
  return line;
}

unsigned program_print(program *p, unsigned line, buffer *to) {
  buffer_printf(to,
                "kernel void %s(global uint *a, global uint *b, global const uint *c, local uint *t, uint n, uint m, "
                "volatile global int *q) {\n",
                p->name);
  buffer_puts(to,
              "const uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0), L = get_local_size(0), S = "
              "get_global_size(0);\n");
  buffer_printf(to, "uint x0 = 0, x1 = 1, x2 = l, p[4] = {0, 0, 0, 0};%s\n",
                (p->features & 1U << HAS_COPIES) != 0 ? " event_t e0 = 0, e[2]; e[0] = e0; e[1] = e0;" : "");
  line = put_statements(to, p->body, line + 3);
  buffer_puts(to, "}\n");
  return line + 1;
}
