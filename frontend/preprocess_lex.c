/* Lexing (C11 5.1.1.2, 6.4): headers are found and read, line splices removed, text is cut into tokens and names are
 * kept once. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "frontend/preprocess_internal.h"

/* Files of the preprocessor: finding headers, reading them once, removing line splices and trigraphs, and telling the
 * line and column of a place. */

/* Length of the line break that a text of `left` bytes starts with, or 0. */
static uint32_t break_length(const char *s, uint32_t left) {
  if (left > 0 && s[0] == '\n') return 1;
  if (left > 0 && s[0] == '\r') return left > 1 && s[1] == '\n' ? 2 : 1;
  return 0;
}

/* What the trigraph stands for that a text starts with, or NUL. OpenCL C has them, as C99. */
static char trigraph(const char *s, uint32_t left) {
  static const char thirds[] = "=/'()!<>-", characters[] = "#\\^[]|{}~";
  const char *third = left < 3 || s[0] != '?' || s[1] != '?' || s[2] == '\0' ? NULL : strchr(thirds, s[2]);
  return third == NULL ? '\0' : characters[third - thirds];
}

/* Length of the backslash, blanks and line break that a text starts with, or 0. As clang, blanks are let pass. */
static uint32_t splice_length(const char *s, uint32_t left) {
  uint32_t i = left > 0 && s[0] == '\\' ? 1 : trigraph(s, left) == '\\' ? 3 : 0;
  if (i == 0) return 0;
  while (i < left && (s[i] == ' ' || s[i] == '\t' || s[i] == '\f' || s[i] == '\v')) i++;
  uint32_t line_break = break_length(s + i, left - i);
  return line_break == 0 ? 0 : i + line_break;
}

/* The next place from `i` on with a splice (its length in `*length`) or a trigraph (its character in `*stands_for`). */
static uint32_t next_change(const source *s, uint32_t i, uint32_t *length, char *stands_for) {
  for (; i < s->length; i++) {
    if (s->text[i] != '\\' && s->text[i] != '?') continue;
    *length = splice_length(s->text + i, s->length - i);
    *stands_for = *length > 0 ? '\0' : trigraph(s->text + i, s->length - i);
    if (*length > 0 || *stands_for != '\0') {
      *length = *length > 0 ? *length : 3;
      break;
    }
  }
  return i;
}

static void make_clean(source *s) {
  char *clean = NULL, stands_for = '\0';
  uint32_t to = 0, copied = 0, length = 0;
  s->clean = s->text;
  s->clean_length = s->length;
  for (uint32_t i = next_change(s, 0, &length, &stands_for); i < s->length;
       i = next_change(s, copied, &length, &stands_for)) {
    if (clean == NULL) clean = mem_calloc((size_t)s->length + 1, 1);
    memcpy(clean + to, s->text + copied, i - copied);
    to += i - copied;
    if (stands_for != '\0') clean[to++] = stands_for;
    copied = i + length;
    *ARRAY_ADD(s->splices, s->splice_count, s->splice_capacity) = (splice){to, copied - to};
  }
  if (clean != NULL) {
    memcpy(clean + to, s->text + copied, s->length - copied);
    s->clean = clean;
    s->clean_length = to + s->length - copied;
  }
}

uint32_t pp_add_source(preprocessor *pp, const char *name, const char *path, const char *text, size_t length) {
  while (length > 0 && text[length - 1] == '\0') length--;
  if (length > LIMIT_FILE_BYTES) return PP_NONE;
  source *s = mem_calloc(1, sizeof *s);
  s->name = mem_strdup(name);
  s->path = path == NULL ? NULL : mem_strdup(path);
  s->text = mem_calloc(length + 1, 1);
  if (length > 0) memcpy(s->text, text, length);
  s->length = (uint32_t)length;
  *ARRAY_ADD(s->lines, s->line_count, s->line_capacity) = 0;
  for (uint32_t i = 0; i < s->length;) {
    uint32_t line_break = break_length(s->text + i, s->length - i);
    i += line_break == 0 ? 1 : line_break;
    if (line_break > 0) *ARRAY_ADD(s->lines, s->line_count, s->line_capacity) = i;
  }
  make_clean(s);
  *ARRAY_ADD(pp->sources, pp->source_count, pp->source_capacity) = s;
  return (uint32_t)pp->source_count - 1;
}

void pp_free_source(source *s) {
  if (s->clean != s->text) free(s->clean);
  free(s->splices);
  free(s->lines);
  free(s->name);
  free(s->path);
  free(s->told);
  free(s->text);
  free(s);
}

/* Offset in the original text of a place in the clean text. */
static uint32_t pp_original_offset(const source *s, uint32_t clean_offset) {
  size_t low = 0, high = s->splice_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->splices[middle].clean_offset <= clean_offset)
      low = middle + 1;
    else
      high = middle;
  }
  return clean_offset + (low == 0 ? 0 : s->splices[low - 1].removed);
}

/* Offset in the original text of what is after the character at a place in the clean text. */
static uint32_t pp_original_end(const source *s, uint32_t clean_offset) {
  const uint32_t at = pp_original_offset(s, clean_offset);
  return at + (s->text[at] == s->clean[clean_offset] ? 1 : 3);
}

static pp_position pp_position_at(const source *s, uint32_t file, uint32_t clean_offset) {
  uint32_t offset = pp_original_offset(s, clean_offset);
  size_t low = 1, high = s->line_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->lines[middle] <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return (pp_position){file, (uint32_t)low, offset - s->lines[low - 1] + 1, offset};
}

/* `directory`/`name`, or `name` where it is absolute or there is no directory. */
static char *join_path(const char *directory, size_t directory_length, const char *name) {
  buffer path = {0};
  if (name[0] != '/' && directory_length > 0) {
    buffer_append(&path, directory, directory_length);
    if (directory[directory_length - 1] != '/') buffer_putc(&path, '/');
  }
  buffer_puts(&path, name);
  return buffer_take(&path);
}

static bool read_file(const char *path, buffer *text) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return false;
  char part[1 << 14];
  size_t n = 0;
  while (text->length <= LIMIT_FILE_BYTES && (n = fread(part, 1, sizeof part, f)) > 0) buffer_append(text, part, n);
  bool fine = ferror(f) == 0;
  (void)fclose(f);
  return fine;
}

/* The file at `path`, read at most once whatever name leads to it. */
static uint32_t open_header(preprocessor *pp, const char *name, const char *path, const char *told) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return PP_NONE;
  for (size_t i = 2; i < pp->source_count; i++) {
    const source *s = pp->sources[i];
    if (!s->in_memory && s->device == status.st_dev && s->inode == status.st_ino) return (uint32_t)i;
  }
  buffer text = {0};
  uint32_t file = PP_NONE;
  if (read_file(path, &text)) file = pp_add_source(pp, name, path, buffer_text(&text), text.length);
  buffer_free(&text);
  if (file != PP_NONE) {
    pp->sources[file]->device = status.st_dev;
    pp->sources[file]->inode = status.st_ino;
    pp->sources[file]->told = mem_strdup(told);
  }
  return file;
}

/* `told`: how the directory was named. */
static uint32_t open_in_directory(preprocessor *pp, const char *directory, size_t length, const char *told,
                                  size_t told_length, const char *name) {
  char *path = join_path(directory, length, name), *as_told = join_path(told, told_length, name);
  uint32_t file = open_header(pp, name, path, as_told);
  free(path);
  free(as_told);
  return file;
}

static uint32_t find_in_memory(preprocessor *pp, const char *name) {
  for (size_t i = 2; i < pp->source_count; i++)
    if (pp->sources[i]->in_memory && strcmp(pp->sources[i]->name, name) == 0) return (uint32_t)i;
  for (size_t i = 0; i < pp->input->header_count; i++) {
    const pp_header *header = &pp->input->headers[i];
    if (strcmp(header->name, name) == 0) {
      uint32_t file = pp_add_source(pp, name, NULL, header->text, header->length);
      if (file != PP_NONE) pp->sources[file]->in_memory = true;
      return file;
    }
  }
  return PP_NONE;
}

static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* The directory of the file that is being read, if that is a header on disk. */
static uint32_t find_beside_includer(preprocessor *pp, const char *name) {
  const source *s = pp_top(pp)->lexer.source;
  if (s->path == NULL) return PP_NONE;
  return open_in_directory(pp, s->path, directory_length(s->path), s->told, directory_length(s->told), name);
}

uint32_t pp_find_header(preprocessor *pp, const char *name, bool quoted) {
  const char *directory = pp->input->directory == NULL ? "" : pp->input->directory;
  const size_t length = strlen(directory);
  bool in_header = pp_top(pp)->lexer.source->path != NULL;
  uint32_t file = find_in_memory(pp, name);
  if (file == PP_NONE && quoted)
    file = in_header ? find_beside_includer(pp, name) : open_in_directory(pp, directory, length, ".", 1, name);
  for (size_t i = 0; file == PP_NONE && i < pp->directory_count; i++) {
    const char *told = pp->include_directories[i];
    char *where = join_path(directory, length, told);
    file = open_in_directory(pp, where, strlen(where), told, strlen(told), name);
    free(where);
  }
  if (file == PP_NONE && (!quoted || in_header)) file = open_in_directory(pp, directory, length, ".", 1, name);
  return file;
}

/* Second characters of punctuators of two characters, by the first one. */
static const char *const second_characters[128] = {
    ['+'] = "+=", ['-'] = "-=>", ['*'] = "=",  ['/'] = "=",  ['%'] = "=:>", ['<'] = "<=:%", ['>'] = ">=",
    ['='] = "=",  ['!'] = "=",   ['&'] = "&=", ['|'] = "|=", ['^'] = "=",   [':'] = ">",    ['#'] = "#",
};

/* What else must not follow a character lest a comment, `...` or `%:%:` comes about. */
static const char *const no_neighbours[128] = {['/'] = "/*", ['.'] = ".", [':'] = ":%"};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0'; }

static bool is_break(char c) { return c == '\n' || c == '\r'; }

static bool contains(const char *const *table, char first, char second) {
  const char *set = (unsigned char)first < 128 ? table[(unsigned char)first] : NULL;
  return set != NULL && second != '\0' && strchr(set, second) != NULL;
}

static uint32_t scan_identifier(const char *s, const char *end) {
  const char *p = s;
  while (p < end && (is_letter(*p) || is_digit(*p))) p++;
  return (uint32_t)(p - s);
}

static uint32_t scan_number(const char *s, const char *end) {
  const char *p = s;
  while (p < end) {
    bool exponent = *p == 'e' || *p == 'E' || *p == 'p' || *p == 'P';
    if (exponent && p + 1 < end && (p[1] == '+' || p[1] == '-'))
      p += 2;
    else if (*p == '.' || is_digit(*p) || (is_letter(*p) && *p != '$'))
      p++;
    else
      break;
  }
  return (uint32_t)(p - s);
}

/* A literal from its opening quote, at `s` + `prefix`. Without a closing quote it takes the rest of the line, but for
 * blanks and backslashes at the end, which could become a line splice in the output. */
static uint32_t scan_literal(const char *s, const char *end, uint32_t prefix, bool *unterminated) {
  const char *p = s + prefix;
  char quote = *p++;
  while (p < end && !is_break(*p) && *p != quote) p += *p == '\\' && p + 1 < end && !is_break(p[1]) ? 2 : 1;
  *unterminated = p >= end || *p != quote;
  if (!*unterminated) return (uint32_t)(p - s) + 1;
  while (p > s + prefix + 1 && (is_blank(p[-1]) || p[-1] == '\\')) p--;
  return (uint32_t)(p - s);
}

static uint32_t scan_punctuator(const char *s, const char *end) {
  size_t left = (size_t)(end - s);
  if (left >= 4 && memcmp(s, "%:%:", 4) == 0) return 4;
  if (left >= 3 && (memcmp(s, "...", 3) == 0 || memcmp(s, "<<=", 3) == 0 || memcmp(s, ">>=", 3) == 0)) return 3;
  return left >= 2 && contains(second_characters, s[0], s[1]) ? 2 : 1;
}

uint32_t pp_scan(const char *s, const char *end, token_kind *kind, bool *unterminated) {
  *unterminated = false;
  uint32_t prefix = *s == 'L' && end - s > 1 && (s[1] == '"' || s[1] == '\'') ? 1 : 0;
  if (s[prefix] == '"' || s[prefix] == '\'') {
    *kind = s[prefix] == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
    return scan_literal(s, end, prefix, unterminated);
  }
  if (is_letter(*s)) {
    *kind = TOKEN_IDENTIFIER;
    return scan_identifier(s, end);
  }
  if (is_digit(*s) || (*s == '.' && end - s > 1 && is_digit(s[1]))) {
    *kind = TOKEN_NUMBER;
    return scan_number(s, end);
  }
  *kind = TOKEN_PUNCTUATOR;
  return scan_punctuator(s, end);
}

/* Passes a comment that starts at l->at; false when there is none. */
static bool skip_comment(preprocessor *pp, lexer *l) {
  const char *s = l->source->clean;
  uint32_t length = l->source->clean_length, at = l->at;
  if (at + 1 >= length || s[at] != '/' || (s[at + 1] != '/' && s[at + 1] != '*')) return false;
  bool block = s[at + 1] == '*';
  at += 2;
  if (block) {
    while (at + 1 < length && !(s[at] == '*' && s[at + 1] == '/')) at++;
    if (at + 1 >= length)
      pp_fail(pp, pp_position_at(l->source, l->file, l->at), "a comment that starts with /* has no end");
    l->at = at + 2 < length ? at + 2 : length;
    return true;
  }
  while (at < length && !is_break(s[at])) at++;
  l->at = at;
  return true;
}

/* Passes blanks and comments of the line; true if there were any. */
static bool skip_blanks(preprocessor *pp, lexer *l) {
  const source *s = l->source;
  uint32_t start = l->at;
  if (start == 0 && s->clean_length >= 3 && memcmp(s->clean, "\xEF\xBB\xBF", 3) == 0) l->at = 3;
  while (l->at < s->clean_length)
    if (is_blank(s->clean[l->at]))
      l->at++;
    else if (!skip_comment(pp, l))
      break;
  return l->at > start;
}

static void lex_break(lexer *l, token *t) {
  const source *s = l->source;
  t->kind = TOKEN_NEWLINE;
  l->at += s->clean[l->at] == '\r' && l->at + 1 < s->clean_length && s->clean[l->at + 1] == '\n' ? 2 : 1;
  l->line_start = true;
}

/* Fills in a token of `length` characters at l->at and passes it. */
static void take(preprocessor *pp, lexer *l, token *t, uint32_t length) {
  const source *s = l->source;
  t->text = s->clean + l->at;
  t->length = length;
  t->spelled = pp_position_at(s, l->file, l->at);
  t->expanded = t->spelled;
  t->spelled_length = pp_original_end(s, l->at + length - 1) - t->spelled.offset;
  t->end_line = t->spelled.line;
  if (t->kind == TOKEN_IDENTIFIER) t->symbol = pp_intern(pp, t->text, length);
  l->at += length;
}

void pp_lex(preprocessor *pp, lexer *l, token *t) {
  const source *s = l->source;
  *t = (token){.line_start = l->line_start};
  t->space_before = skip_blanks(pp, l) || l->line_start;
  if (l->at >= s->clean_length || pp->failed) {
    t->kind = TOKEN_END;
    t->text = "";
    t->spelled = t->expanded = pp_position_at(s, l->file, l->at);
    return;
  }
  if (is_break(s->clean[l->at])) {
    lex_break(l, t);
    return;
  }
  l->line_start = false;
  uint32_t length = pp_scan(s->clean + l->at, s->clean + s->clean_length, &t->kind, &t->unterminated);
  take(pp, l, t, length);
}

bool pp_lex_header_name(preprocessor *pp, lexer *l, token *t) {
  (void)skip_blanks(pp, l);
  const source *s = l->source;
  const char *start = s->clean + l->at, *end = s->clean + s->clean_length;
  if (start >= end || (*start != '"' && *start != '<')) return false;
  char close = *start == '<' ? '>' : '"';
  const char *p = start + 1;
  while (p < end && !is_break(*p) && *p != close) p++;
  if (p >= end || *p != close) return false;
  *t = (token){.kind = TOKEN_STRING, .space_before = true};
  take(pp, l, t, (uint32_t)(p - start) + 1);
  return true;
}

/* Whether the right token directly follows the left one in a file: then they were read apart there already. */
static bool adjoin(const token *left, const token *right) {
  return !left->made && !right->made && left->spelled.file == right->spelled.file &&
         left->spelled.offset + left->spelled_length == right->spelled.offset;
}

bool pp_would_glue(const token *left, const token *right) {
  if (adjoin(left, right)) return false;
  char last = left->text[left->length - 1], first = right->text[0];
  bool left_word = left->kind == TOKEN_IDENTIFIER || left->kind == TOKEN_NUMBER;
  bool right_word = right->kind == TOKEN_IDENTIFIER || right->kind == TOKEN_NUMBER;
  bool right_literal = right->kind == TOKEN_STRING || right->kind == TOKEN_CHARACTER;
  if (left_word && ((right_word && first != '.') || (right_literal && left->kind == TOKEN_IDENTIFIER))) return true;
  if (left->kind == TOKEN_NUMBER && (first == '.' || ((first == '+' || first == '-') && strchr("eEpP", last) != NULL)))
    return true;
  if (left->kind != TOKEN_PUNCTUATOR) return false;
  return (last == '.' && right->kind == TOKEN_NUMBER) || last == '\\' || contains(second_characters, last, first) ||
         contains(no_neighbours, last, first);
}

/* Whether some characters end in a number, which takes letters, dots and, after an exponent's letter, a sign. */
static bool ends_number(const char *s, size_t length) {
  size_t first = length;
  while (first > 0 && (is_letter(s[first - 1]) || is_digit(s[first - 1]) || s[first - 1] == '.')) first--;
  return first < length && (is_digit(s[first]) || (s[first] == '.' && first + 1 < length && is_digit(s[first + 1])));
}

bool pp_text_joins(const char *before, size_t length, char next) {
  char last = length == 0 ? '\n' : before[length - 1];
  bool word = is_letter(last) || is_digit(last);
  if (is_letter(next) || is_digit(next))
    return word || (last == '.' && is_digit(next)) || (last == '.' && ends_number(before, length)) || last == '\\';
  if (next == '"' || next == '\'') return word || last == '\\';
  if (next == '.' || next == '+' || next == '-') {
    bool number = (word || last == '.') && ends_number(before, length);
    if (number && (next == '.' || strchr("eEpP", last) != NULL)) return true;
  }
  return (last == '\\' && !is_blank(next) && !is_break(next)) || contains(second_characters, last, next) ||
         contains(no_neighbours, last, next);
}

bool pp_is_hash(const token *t) { return pp_is(t, "#") || pp_is(t, "%:"); }

bool pp_is_paste(const token *t) { return pp_is(t, "##") || pp_is(t, "%:%:"); }

/* Names of the preprocessor: each identifier once, in a hash table, with the macro that it means; and the memory
 * that lives as long as a run. */

void *pp_allocate(preprocessor *pp, size_t size) { return mem_arena_take(&pp->memory, size); }

static uint32_t hash_of(const char *name, uint32_t length) {
  const uint64_t hash = hash_more(HASH_EMPTY, name, length);
  return (uint32_t)(hash ^ (hash >> 32));
}

/* The name's place in the table: where it is, or the free one where it belongs. */
static symbol **place_of(symbol **table, size_t capacity, const char *name, uint32_t length, uint32_t hash) {
  size_t i = hash & (capacity - 1);
  while (table[i] != NULL) {
    const symbol *s = table[i];
    if (s->hash == hash && s->length == length && memcmp(s->name, name, length) == 0) break;
    i = (i + 1) & (capacity - 1);
  }
  return &table[i];
}

static void grow(preprocessor *pp) {
  size_t capacity = pp->symbol_capacity == 0 ? 1024 : pp->symbol_capacity * 2;
  symbol **table = mem_calloc(capacity, sizeof *table);
  for (size_t i = 0; i < pp->symbol_capacity; i++) {
    symbol *s = pp->symbols[i];
    if (s != NULL) *place_of(table, capacity, s->name, s->length, s->hash) = s;
  }
  free(pp->symbols);
  pp->symbols = table;
  pp->symbol_capacity = capacity;
}

symbol *pp_intern(preprocessor *pp, const char *name, uint32_t length) {
  if (pp->symbol_count * 2 >= pp->symbol_capacity) grow(pp);
  uint32_t hash = hash_of(name, length);
  symbol **place = place_of(pp->symbols, pp->symbol_capacity, name, length, hash);
  if (*place == NULL) {
    symbol *s = pp_allocate(pp, sizeof *s);
    char *copy = pp_allocate(pp, (size_t)length + 1);
    memcpy(copy, name, length);
    *s = (symbol){.name = copy, .length = length, .hash = hash};
    *place = s;
    pp->symbol_count++;
  }
  return *place;
}

void pp_release_macro(macro *m) {
  if (m != NULL && --m->uses == 0) {
    free(m->body);
    free(m);
  }
}

void pp_set_macro(symbol *s, macro *m) {
  macro *old = s->macro;
  s->macro = m;
  s->undefined = m == NULL;
  if (m != NULL) m->uses++;
  pp_release_macro(old);
}

void pp_free_symbols(preprocessor *pp) {
  for (size_t i = 0; i < pp->symbol_capacity; i++)
    if (pp->symbols[i] != NULL) pp_release_macro(pp->symbols[i]->macro);
  free(pp->symbols);
  mem_arena_free(&pp->memory);
}
