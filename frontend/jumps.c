/* Jumps into statements past their beginning: `goto` to a label inside, and cases of a `switch` around the statement.
 */
#include "base/memory.h"
#include "frontend/syntax.h"

/* A label of the block that is the body of its switch, as most are: nothing is jumped into. */
static bool is_plain_case(const syntax *s, uint32_t label) {
  uint32_t around = s->items[label].parent;
  while (s->items[around].kind == STATEMENT_CASE || s->items[around].kind == STATEMENT_LABEL) {
    around = s->items[around].parent;
  }
  return s->items[around].kind == STATEMENT_COMPOUND && s->items[around].parent == switch_of_case(s, label);
}

void list_jumps(const pp_result *text, syntax *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    const statement *st = &s->items[i];
    if (st->kind == STATEMENT_GOTO) {
      uint32_t target = goto_target(text, s, i);
      if (target != NO_STATEMENT) {
        *ARRAY_ADD(s->jumps, s->jump_count, s->jump_capacity) = (syntax_jump){st->keyword, s->items[target].keyword};
      }
    } else if (st->kind == STATEMENT_CASE && !is_plain_case(s, i)) {
      uint32_t from = s->items[switch_of_case(s, i)].keyword;
      *ARRAY_ADD(s->jumps, s->jump_count, s->jump_capacity) = (syntax_jump){from, st->keyword};
    }
  }
}

bool jumped_into(const syntax *s, uint32_t index) {
  span tokens = s->items[index].tokens;
  for (size_t i = 0; i < s->jump_count; i++) {
    if (span_has(tokens, s->jumps[i].to) && !span_has(tokens, s->jumps[i].from)) {
      return true;
    }
  }
  return false;
}

bool needs_braces(const syntax *s, uint32_t index) {
  const statement *parent = index == 0 ? NULL : &s->items[s->items[index].parent];
  return parent != NULL && s->items[index].kind != STATEMENT_COMPOUND &&
         (parent->kind == STATEMENT_IF || parent->kind == STATEMENT_SWITCH || is_loop(parent->kind)) &&
         jumped_into(s, index);
}

bool starts_turn(const syntax *s, uint32_t loop, uint32_t from, uint32_t to) {
  const statement *st = &s->items[loop];
  span body = s->items[st->body].tokens;
  return st->kind != STATEMENT_DO && span_has(body, to) && !span_has(body, from);
}
