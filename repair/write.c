/* Barriers as text: put in, changed, taken out, so that the lines around them stay as they are. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "repair/split.h"
#include "repair/spots.h"

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
  while (offset > 0 && s->data[offset - 1] != '\n') {
    offset--;
  }
  return offset;
}

/* Where a line ends, its end not included. */
static size_t line_end(const source *s, size_t offset) {
  while (offset < s->length && s->data[offset] != '\n' && s->data[offset] != '\r') {
    offset++;
  }
  return offset;
}

static size_t blanks(const source *s, size_t offset) {
  size_t n = 0;
  while (offset + n < s->length && (s->data[offset + n] == ' ' || s->data[offset + n] == '\t')) {
    n++;
  }
  return n;
}

static bool begins_line(const source *s, size_t offset) {
  const size_t begin = line_begin(s, offset);
  return begin + blanks(s, begin) == offset;
}

/* Behind a token there is nothing more in its line, or a comment up to its end. */
static bool ends_line(const source *s, size_t offset) {
  offset += blanks(s, offset);
  return offset == line_end(s, offset) ||
         (s->length - offset > 1 && memcmp(s->data + offset, "//", 2) == 0 && s->data[line_end(s, offset) - 1] != '\\');
}

static void put(const source *s, size_t offset, char *text, uint32_t number) {
  patch_add(s->patch, offset, 0, text, number);
}

static char *barrier_line(const source *s, size_t indent_from, size_t indent, unsigned flags, bool first) {
  buffer b = {0};
  buffer_puts(&b, first ? "" : s->end);
  buffer_append(&b, s->data + indent_from, indent);
  buffer_printf(&b, "barrier(%s);%s", fence_text(flags), first ? s->end : "");
  return buffer_take(&b);
}

/* A barrier in front of what begins at an offset. */
static void put_before(const source *s, size_t offset, unsigned flags, uint32_t number) {
  if (begins_line(s, offset)) {
    const size_t begin = line_begin(s, offset);
    put(s, begin, barrier_line(s, begin, offset - begin, flags, true), number);
    return;
  }
  buffer b = {0};
  buffer_printf(&b, "barrier(%s); ", fence_text(flags));
  put(s, offset, buffer_take(&b), number);
}

/* A barrier behind a statement. */
static void put_behind(const source *s, const tree_node *n, unsigned flags, uint32_t number) {
  const size_t begin = begin_of(s, n->tokens.first), end = end_of(s, n->tokens.last);
  if (begins_line(s, begin) && ends_line(s, end)) {
    const size_t from = line_begin(s, begin);
    put(s, line_end(s, end), barrier_line(s, from, begin - from, flags, false), number);
    return;
  }
  buffer b = {0};
  buffer_printf(&b, " barrier(%s);", fence_text(flags));
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
  char *name = split_name(s->text), *type = tree_value_text(n->children[0]->type);
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
  size_t object_end = begin_of(s, n->token); /* with comments behind the object */
  while (s->data[object_end - 1] == ' ' || s->data[object_end - 1] == '\t') {
    object_end--;
  }
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
  if (flags == b->flags) {
    return;
  }
  if (flags == 0) {
    take_out(s, b->statement, number);
    return;
  }
  const span argument = b->call->children[0]->tokens;
  const size_t begin = begin_of(s, argument.first);
  patch_add(s->patch, begin, end_of(s, argument.last) - begin, mem_strdup(fence_text(flags)), number);
}

/* Another spot of the same statement, if it has one. */
static uint32_t other_of(const spots *s, uint32_t before, spot_kind kind) {
  for (size_t i = before + 1; i < s->count; i++) {
    if (s->items[i].kind == kind && s->items[i].statement == s->items[before].statement) {
      return (uint32_t)i;
    }
  }
  return PATCH_NO_SPOT;
}

static void write_statement(const source *s, const spots *all, uint32_t before, const unsigned *flags) {
  const tree_node *n = all->items[before].statement;
  const uint32_t behind = other_of(all, before, SPOT_BEHIND), split = other_of(all, before, SPOT_SPLIT);
  const unsigned after = behind == PATCH_NO_SPOT ? 0 : flags[behind];
  const bool braces = n->parent->kind != TREE_COMPOUND && (flags[before] | after) != 0;
  const uint32_t number = flags[before] != 0 ? before : behind;
  if (braces) {
    put_open(s, n, number);
  }
  if (flags[before] != 0) {
    put_before(s, begin_of(s, n->tokens.first), flags[before], before);
  }
  if (split != PATCH_NO_SPOT && flags[split] != 0) {
    put_split(s, &all->items[split], flags[split], split);
    put_split_end(s, &all->items[split], split);
  }
  if (after != 0) {
    put_behind(s, n, after, behind);
  }
  if (braces) {
    put_close(s, n, number);
  }
}

void spots_write(const spots *all, const unsigned *flags, patch *out) {
  const pp_file *f = &all->text->files[0];
  const char *newline = memchr(f->text, '\n', f->length);
  const bool crlf = newline != NULL && newline > f->text && newline[-1] == '\r';
  const source s = {all->text, f->text, f->length, crlf ? "\r\n" : "\n", out};
  for (uint32_t i = 0; i < all->count; i++) {
    if (all->items[i].kind == SPOT_BARRIER) {
      write_barrier(&s, &all->items[i], flags[i], i);
    } else if (all->items[i].kind == SPOT_BEFORE) {
      write_statement(&s, all, i, flags);
    }
  }
}
