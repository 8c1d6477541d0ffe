/* Barriers as text: put in, changed, taken out, so that the lines around them stay as they are; and places traced back
 * through patches. */
#include <stdlib.h>
#include <string.h>

#include "proofs/patch/spots.h"

const char *fence_text(unsigned flags) {
  static const char *const texts[] = {"0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                      "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
  return texts[flags & FENCES];
}

typedef struct source {
  const pp_result *text;
  const char *data;
  size_t length;
  const char *end; /* of its lines */
  patch *patch;
} source;

/* Where a token is written, or the macro whose first one it is. */
static size_t begin_of(const source *s, uint32_t token) { return s->text->tokens[token].expanded.offset; }

static size_t end_of(const source *s, uint32_t token) {
  return begin_of(s, token) + s->text->tokens[token].spelled_length;
}

static size_t line_begin(const source *s, size_t offset) {
  while (offset > 0 && s->data[offset - 1] != '\n') offset--;
  return offset;
}

/* Where a line ends, its end not included. */
static size_t line_end(const source *s, size_t offset) {
  while (offset < s->length && s->data[offset] != '\n' && s->data[offset] != '\r') offset++;
  return offset;
}

static size_t blanks(const source *s, size_t offset) {
  size_t n = 0;
  while (offset + n < s->length && (s->data[offset + n] == ' ' || s->data[offset + n] == '\t')) n++;
  return n;
}

static bool begins_line(const source *s, size_t offset) {
  const size_t begin = line_begin(s, offset);
  return begin + blanks(s, begin) == offset;
}

/* After a token there is nothing more in its line, or a comment up to its end. */
static bool ends_line(const source *s, size_t offset) {
  offset += blanks(s, offset);
  return offset == line_end(s, offset) ||
         (s->length - offset > 1 && memcmp(s->data + offset, "//", 2) == 0 && s->data[line_end(s, offset) - 1] != '\\');
}

static void put(const source *s, size_t offset, char *text, uint32_t number) {
  patch_add(s->patch, offset, 0, text, number);
}

static char *line_of(const source *s, size_t indent_from, size_t indent, const char *text, bool first) {
  buffer b = {0};
  buffer_puts(&b, first ? "" : s->end);
  buffer_append(&b, s->data + indent_from, indent);
  buffer_printf(&b, "%s%s", text, first ? s->end : "");
  return buffer_take(&b);
}

static char *barrier_text(unsigned flags) {
  buffer b = {0};
  buffer_printf(&b, "barrier(%s);", fence_text(flags));
  return buffer_take(&b);
}

/* A statement in front of what begins at an offset. */
static void put_before(const source *s, size_t offset, const char *text, uint32_t number) {
  if (begins_line(s, offset)) {
    const size_t begin = line_begin(s, offset);
    put(s, begin, line_of(s, begin, offset - begin, text, true), number);
    return;
  }
  buffer b = {0};
  buffer_printf(&b, "%s ", text);
  put(s, offset, buffer_take(&b), number);
}

/* A statement after another one. */
static void put_behind(const source *s, const tree_node *n, const char *text, uint32_t number) {
  const size_t begin = begin_of(s, n->tokens.first), end = end_of(s, n->tokens.last);
  if (begins_line(s, begin) && ends_line(s, end)) {
    const size_t from = line_begin(s, begin);
    put(s, line_end(s, end), line_of(s, from, begin - from, text, false), number);
    return;
  }
  buffer b = {0};
  buffer_printf(&b, " %s", text);
  put(s, end, buffer_take(&b), number);
}

/* Braces around a branch or body that is no block; the text between them is put in by the others. */
static void put_open(const source *s, const tree_node *n, uint32_t number) {
  const bool lines = begins_line(s, begin_of(s, n->tokens.first));
  put(s, lines ? end_of(s, n->tokens.first - 1) : begin_of(s, n->tokens.first), mem_strdup(lines ? " {" : "{ "),
      number);
}

static void put_close(const source *s, const tree_node *n, uint32_t number) {
  const size_t begin = begin_of(s, n->tokens.first), end = end_of(s, n->tokens.last);
  if (!begins_line(s, begin) || !ends_line(s, end)) {
    put(s, end, mem_strdup(" }"), number);
    return;
  }
  const size_t from = line_begin(s, begin_of(s, n->parent->tokens.first));
  buffer b = {0};
  buffer_puts(&b, s->end);
  buffer_append(&b, s->data + from, blanks(s, from));
  buffer_puts(&b, "}");
  put(s, line_end(s, end), buffer_take(&b), number);
}

/* A line of its own in the block that an assignment becomes. */
static void put_inner(const source *s, buffer *b, size_t offset, const char *text) {
  if (!begins_line(s, offset)) {
    buffer_printf(b, " %s", text);
    return;
  }
  const size_t from = line_begin(s, offset);
  buffer_puts(b, s->end);
  buffer_append(b, s->data + from, offset - from);
  buffer_printf(b, "%s%s", offset > from && s->data[from] == '\t' ? "\t" : "  ", text);
}

/* `X = E;` becomes `{ const T value = E; barrier(…); X = value; }`, and `X += E;` likewise with `X + (E)`. */
static void put_split(const source *s, const repair_spot *split, unsigned flags, uint32_t number) {
  const tree_node *n = split->call;
  const size_t begin = begin_of(s, n->tokens.first), operator_end = end_of(s, n->token),
               end = begin_of(s, split->statement->tokens.last);
  const bool compound = n->kind == TREE_COMPOUND_ASSIGN;
  char *name = split_name(s->text, "value"), *type = tree_value_text(n->children[0]->type);
  buffer head = {0}, line = {0}, tail = {0};
  buffer_printf(&line, "const %s %s =%s", type, name, compound ? " " : "");
  buffer_puts(&head, "{");
  put_inner(s, &head, begin, buffer_text(&line));
  patch_add(s->patch, begin, compound ? 0 : operator_end - begin, buffer_take(&head), number);
  if (compound) { /* without its `=` */
    patch_add(s->patch, operator_end - 1, 1, mem_strdup(blanks(s, operator_end) > 0 ? "" : " "), number);
    put(s, operator_end + blanks(s, operator_end), mem_strdup("("), number);
  }
  buffer_free(&line);
  buffer_printf(&line, "barrier(%s);", fence_text(flags));
  buffer_puts(&tail, compound ? ");" : ";");
  put_inner(s, &tail, begin, buffer_text(&line));
  buffer_free(&line);
  size_t object_end = begin_of(s, n->token); /* with comments after the object */
  while (s->data[object_end - 1] == ' ' || s->data[object_end - 1] == '\t') object_end--;
  buffer_append(&line, s->data + begin, object_end - begin);
  buffer_printf(&line, " = %s", name);
  put_inner(s, &tail, begin, buffer_text(&line));
  put(s, end, buffer_take(&tail), number);
  buffer_free(&line);
  free(name);
  free(type);
}

/* The end of that block. */
static void put_split_end(const source *s, const repair_spot *split, uint32_t number) {
  const size_t begin = begin_of(s, split->statement->tokens.first), end = end_of(s, split->statement->tokens.last);
  if (!begins_line(s, begin) || !ends_line(s, end)) {
    put(s, end, mem_strdup(begins_line(s, begin) ? "}" : " }"), number);
    return;
  }
  const size_t from = line_begin(s, begin);
  buffer b = {0};
  buffer_puts(&b, s->end);
  buffer_append(&b, s->data + from, begin - from);
  buffer_puts(&b, "}");
  put(s, line_end(s, end), buffer_take(&b), number);
}

static void take_out(const source *s, const tree_node *n, uint32_t number) {
  size_t begin = begin_of(s, n->tokens.first), end = end_of(s, n->tokens.last);
  if (n->parent->kind != TREE_COMPOUND) {
    patch_add(s->patch, begin, end - begin, mem_strdup("{}"), number);
    return;
  }
  if (begins_line(s, begin) && end + blanks(s, end) == line_end(s, end)) { /* the line goes, too */
    begin = line_begin(s, begin);
    end = line_end(s, end);
    end += end < s->length && s->data[end] == '\r' ? 1 : 0;
    end += end < s->length && s->data[end] == '\n' ? 1 : 0;
  } else {
    end += blanks(s, end);
  }
  patch_add(s->patch, begin, end - begin, mem_strdup(""), number);
}

static void write_barrier(const source *s, const repair_spot *b, unsigned flags, uint32_t number) {
  if (flags == b->flags) return;
  if (flags == 0) {
    take_out(s, b->statement, number);
    return;
  }
  const span argument = b->call->children[0]->tokens;
  const size_t begin = begin_of(s, argument.first);
  patch_add(s->patch, begin, end_of(s, argument.last) - begin, mem_strdup(fence_text(flags)), number);
}

/* --- what is not a barrier ---------------------------------------------------------------------------------------- */

static void write_update(const source *s, const repair_spot *at, uint32_t number) {
  const span all = at->update.node->tokens;
  const size_t begin = begin_of(s, all.first);
  patch_add(s->patch, begin, end_of(s, all.last) - begin, update_text(s->text, &at->update), number);
}

/* The first wait for a copy; that it has one after it is then one too many. */
static void write_wait(const source *s, const spots *all, uint32_t number, const unsigned *flags) {
  const repair_spot *at = &all->items[number];
  for (uint32_t i = 0; i < number; i++)
    if (all->items[i].kind == SPOT_WAIT && all->items[i].copy == at->copy && flags[i] != 0) return;
  char *text = wait_text(s->text, at->copy), *head = wait_head(s->text, at->copy);
  if (head != NULL) put(s, begin_of(s, at->copy->tokens.first), head, number);
  if (at->statement == at->copy)
    put_behind(s, at->statement, text, number);
  else
    put_before(s, begin_of(s, at->statement->tokens.first), text, number);
  free(text);
  const tree_node *other = wait_behind(s->text, at->copy, at->statement);
  if (other != NULL) take_out(s, other, number);
}

static void write_moved(const source *s, const spots *all, uint32_t number, const unsigned *flags) {
  const repair_spot *at = &all->items[number];
  const size_t begin = begin_of(s, at->statement->tokens.first);
  char *text = mem_strndup(s->data + begin, end_of(s, at->statement->tokens.last) - begin);
  take_out(s, at->statement, number);
  if (!spots_is_spare(all, flags, at)) put_behind(s, at->around, text, number);
  free(text);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* Another spot of the same statement, if it has one. */
static uint32_t other_of(const spots *s, uint32_t before, spot_kind kind) {
  for (size_t i = before + 1; i < s->count; i++)
    if (s->items[i].kind == kind && s->items[i].statement == s->items[before].statement) return (uint32_t)i;
  return PATCH_NO_SPOT;
}

static void write_statement(const source *s, const spots *all, uint32_t before, const unsigned *flags) {
  const tree_node *n = all->items[before].statement;
  const uint32_t behind = other_of(all, before, SPOT_BEHIND), split = other_of(all, before, SPOT_SPLIT);
  const unsigned after = behind == PATCH_NO_SPOT ? 0 : flags[behind];
  const bool braces = n->parent->kind != TREE_COMPOUND && (flags[before] | after) != 0;
  const uint32_t number = flags[before] != 0 ? before : behind;
  if (braces) put_open(s, n, number);
  if (flags[before] != 0) {
    char *text = barrier_text(flags[before]);
    put_before(s, begin_of(s, n->tokens.first), text, before);
    free(text);
  }
  if (split != PATCH_NO_SPOT && flags[split] != 0) {
    put_split(s, &all->items[split], flags[split], split);
    put_split_end(s, &all->items[split], split);
  }
  if (after != 0) {
    char *text = barrier_text(after);
    put_behind(s, n, text, behind);
    free(text);
  }
  if (braces) put_close(s, n, number);
}

void spots_write(const spots *all, const unsigned *flags, patch *out) {
  const pp_file *f = &all->text->files[0];
  const char *newline = memchr(f->text, '\n', f->length);
  const bool crlf = newline != NULL && newline > f->text && newline[-1] == '\r';
  const source s = {all->text, f->text, f->length, crlf ? "\r\n" : "\n", out};
  for (uint32_t i = 0; i < all->count; i++)
    if (all->items[i].kind == SPOT_BARRIER)
      write_barrier(&s, &all->items[i], flags[i], i);
    else if (all->items[i].kind == SPOT_BEFORE)
      write_statement(&s, all, i, flags);
    else if (all->items[i].kind == SPOT_ATOMIC && flags[i] != 0)
      write_update(&s, &all->items[i], i);
    else if (all->items[i].kind == SPOT_WAIT && flags[i] != 0)
      write_wait(&s, all, i, flags);
    else if (all->items[i].kind == SPOT_MOVED && flags[i] != 0)
      write_moved(&s, all, i, flags);
    else if (all->items[i].kind == SPOT_COUNT && flags[i] != 0) {
      const span count = wait_count(all->items[i].statement)->tokens;
      const size_t begin = begin_of(&s, count.first);
      buffer text = {0};
      buffer_printf(&text, "%u", wait_short(s.text, all->items[i].statement));
      patch_add(s.patch, begin, end_of(&s, count.last) - begin, buffer_take(&text), i);
    }
}

/* Applying changes of a text, and following places back through them. */

void patch_add(patch *p, size_t offset, size_t removed, char *text, uint32_t spot) {
  const size_t number = p->count;
  *ARRAY_ADD(p->items, p->count, p->capacity) = (patch_change){offset, removed, text, spot, number};
}

static int compare(const void *a, const void *b) {
  const patch_change *left = a, *right = b;
  if (left->offset != right->offset) return left->offset < right->offset ? -1 : 1;
  return left->number < right->number ? -1 : 1;
}

void patch_apply(patch *p, const char *text, size_t length, buffer *out) {
  if (p->count > 1) qsort(p->items, p->count, sizeof *p->items, compare);
  size_t at = 0;
  for (size_t i = 0; i < p->count; i++) {
    const patch_change *c = &p->items[i];
    if (c->offset > at) {
      buffer_append(out, text + at, c->offset - at);
      at = c->offset;
    }
    buffer_puts(out, c->text);
    at = c->offset + c->removed > at ? c->offset + c->removed : at;
  }
  buffer_append(out, text + at, length - at);
}

size_t patch_origin(const patch *p, size_t offset, uint32_t *spot) {
  size_t original = 0, changed = 0; /* the same place in both */
  *spot = PATCH_NO_SPOT;
  for (size_t i = 0; i < p->count; i++) {
    const patch_change *c = &p->items[i];
    const size_t until = changed + (c->offset > original ? c->offset - original : 0);
    if (offset < until) break;
    changed = until;
    original = c->offset > original ? c->offset : original;
    const size_t added = strlen(c->text);
    if (offset < changed + added) {
      *spot = c->spot;
      return c->offset;
    }
    changed += added;
    original = c->offset + c->removed > original ? c->offset + c->removed : original;
  }
  return original + (offset - changed);
}

void patch_free(patch *p) {
  for (size_t i = 0; i < p->count; i++) free(p->items[i].text);
  free(p->items);
  *p = (patch){0};
}

size_t text_offset(const char *text, size_t length, uint32_t line, uint32_t column) {
  size_t at = 0;
  for (uint32_t l = 1; l < line; l++) {
    const char *end = memchr(text + at, '\n', length - at);
    if (end == NULL) return PATCH_NOWHERE;
    at = (size_t)(end - text) + 1;
  }
  at += column > 0 ? column - 1 : 0;
  return line == 0 || at >= length ? PATCH_NOWHERE : at;
}

uint32_t line_at(const char *text, size_t offset) {
  uint32_t line = 1;
  for (size_t i = 0; i < offset; i++) line += text[i] == '\n' ? 1 : 0;
  return line;
}
