/* The preprocessor's run: its options, files that are opened and closed, and the text of the result. */
#include "frontend/preprocess.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

/* The text of the result: tokens keep the lines and the indentation of the source, and stay apart. */

void pp_join(buffer *line, const token *last, const token *t) {
  if (last != NULL && (t->space_before || pp_would_glue(last, t))) buffer_putc(line, ' ');
  buffer_append(line, t->text, t->length);
}

/* Whether `t` goes to a line of its own: where the source has it there, and where it must. A token `#` from a macro
 * must not start a line, nor a backslash end it: they would be read as a directive and as a line splice. */
static bool starts_line(const preprocessor *pp, const token *t) {
  const token *last = &pp->last;
  if (t->kind == TOKEN_PRAGMA || last->kind == TOKEN_PRAGMA || last->unterminated) return true;
  if (last->text[last->length - 1] == '\\' || pp_is_hash(t) || pp_is_paste(t)) return false;
  return pp->fresh_line || last->expanded.line != t->expanded.line || last->expanded.file != t->expanded.file;
}

static void put_spaces(buffer *text, uint32_t count) {
  static const char spaces[] = "                                ";
  for (; count >= sizeof spaces; count -= (uint32_t)sizeof spaces - 1) buffer_append(text, spaces, sizeof spaces - 1);
  buffer_append(text, spaces, count);
}

void pp_put(preprocessor *pp, const token *t) {
  if (pp->failed) return;
  buffer *text = &pp->text;
  bool first = pp->token_count == 0;
  if (first || starts_line(pp, t)) {
    if (!first) buffer_putc(text, '\n');
    put_spaces(text, t->expanded.column - 1);
  } else if (t->space_before || pp_would_glue(&pp->last, t)) {
    buffer_putc(text, ' ');
  }
  uint32_t begin = (uint32_t)text->length;
  buffer_append(text, t->text, t->length);
  if (text->length > LIMIT_OUTPUT_BYTES || pp->token_count >= LIMIT_OUTPUT_TOKENS) {
    (void)pp_fail(pp, t->expanded, "the preprocessed source is too large; do its macros grow without end?");
    return;
  }
  *ARRAY_ADD(pp->tokens, pp->token_count, pp->token_capacity) = (pp_token){
      .kind = (pp_kind)t->kind,
      .begin = begin,
      .end = (uint32_t)text->length,
      .spelled = t->spelled,
      .spelled_length = t->spelled_length,
      .expanded = t->expanded,
      .in_macro_body = t->in_macro_body,
  };
  pp->last = *t;
  pp->fresh_line = false;
}

/* Build options: cuts the string of clBuildProgram into words and sorts out -D, -U, -I and -Werror. */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/* One word: as written in `raw`, without quotes and backslashes in `word`. NULL at the end, else what follows.
 * A backslash takes the next character as it is, but not within single quotes. */
static const char *next_word(const char *s, buffer *raw, buffer *word) {
  while (is_blank(*s)) s++;
  if (*s == '\0') return NULL;
  const char *start = s;
  char quote = '\0';
  word->length = 0;
  buffer_puts(word, "");
  for (; *s != '\0' && (quote != '\0' || !is_blank(*s)); s++)
    if (*s == '\\' && quote != '\'' && s[1] != '\0')
      buffer_putc(word, *++s);
    else if (*s == quote)
      quote = '\0';
    else if (quote == '\0' && (*s == '"' || *s == '\''))
      quote = *s;
    else
      buffer_putc(word, *s);
  raw->length = 0;
  buffer_append(raw, start, (size_t)(s - start));
  return s;
}

/* The line that a -D stands for. As with clang, a value ends at a line break. */
static void define(buffer *command_line, const char *definition) {
  size_t length = strcspn(definition, "\r\n");
  const char *equals = memchr(definition, '=', length);
  size_t name_length = equals == NULL ? length : (size_t)(equals - definition);
  buffer_puts(command_line, "#define ");
  buffer_append(command_line, definition, name_length);
  buffer_putc(command_line, ' ');
  if (equals == NULL)
    buffer_putc(command_line, '1');
  else
    buffer_append(command_line, equals + 1, length - name_length - 1);
  /* A backslash at the end would take the next line in. */
  buffer_puts(command_line, strchr(definition, '\\') != NULL ? "\n\n" : "\n");
}

static void add_directory(preprocessor *pp, const char *directory) {
  *ARRAY_ADD(pp->include_directories, pp->directory_count, pp->directory_capacity) = mem_strdup(directory);
}

static void obey(preprocessor *pp, char letter, const char *value, buffer *command_line) {
  if (letter == 'D')
    define(command_line, value);
  else if (letter == 'U')
    buffer_printf(command_line, "#undef %.*s\n", (int)strcspn(value, "\r\n\\"), value);
  else
    add_directory(pp, value);
}

static bool is_werror(const char *word) { return strcmp(word, "-Werror") == 0 || strncmp(word, "-Werror=", 8) == 0; }

/* Reads build options: directories of -I into `pp`, text of the file "<command line>", everything else. */
static void pp_read_options(preprocessor *pp, const char *options, buffer *command_line, buffer *others) {
  buffer raw = {0}, word = {0};
  const char *rest = next_word(options, &raw, &word);
  while (rest != NULL) {
    const char *text = buffer_text(&word);
    char letter = text[0] == '-' && (text[1] == 'D' || text[1] == 'U' || text[1] == 'I') ? text[1] : '\0';
    buffer value_raw = {0}, value = {0};
    const char *after = letter != '\0' && text[2] == '\0' ? next_word(rest, &value_raw, &value) : NULL;
    if (after != NULL) {
      obey(pp, letter, buffer_text(&value), command_line);
      rest = after;
    } else if (letter != '\0' && text[2] != '\0') {
      obey(pp, letter, text + 2, command_line);
    } else if (!is_werror(text)) {
      buffer_puts(others, others->length > 0 ? " " : "");
      buffer_append(others, raw.data, raw.length);
    }
    buffer_free(&value_raw);
    buffer_free(&value);
    rest = next_word(rest, &raw, &word);
  }
  buffer_free(&raw);
  buffer_free(&word);
}

/* The word as written, with `root` before the path that it is or ends with. */
static void put_below(buffer *out, const buffer *raw, const char *root) {
  const char *slash = strchr(raw->data, '/');
  buffer_append(out, raw->data, (size_t)(slash - raw->data));
  buffer_printf(out, "%s%s", root, slash);
}

char *pp_options_below(const char *options, const char *root, void (*tell)(void *context, const char *directory),
                       void *context) {
  buffer out = {0}, raw = {0}, word = {0};
  bool path = false; /* the word before was -I alone */
  for (const char *rest = options; (rest = next_word(rest, &raw, &word)) != NULL;) {
    const char *text = buffer_text(&word);
    const char *directory = path ? text : strncmp(text, "-I", 2) == 0 && text[2] != '\0' ? text + 2 : NULL;
    const bool absolute = directory != NULL && directory[0] == '/';
    buffer_puts(&out, out.length > 0 ? " " : "");
    if (absolute)
      put_below(&out, &raw, root);
    else
      buffer_append(&out, raw.data, raw.length);
    if (directory != NULL) {
      buffer told = {0};
      buffer_printf(&told, "%s%s", absolute ? root : "", directory);
      tell(context, buffer_text(&told));
      buffer_free(&told);
    }
    path = directory == NULL && strcmp(text, "-I") == 0;
  }
  buffer_free(&raw);
  buffer_free(&word);
  return out.data == NULL ? mem_strdup("") : buffer_take(&out);
}

enum { MAIN_SOURCE = 0, COMMAND_LINE = 1 };

static bool fail(preprocessor *pp, pp_position at, const char *format, va_list args) {
  if (pp->failed) return false;
  char sentence[1600];
  (void)vsnprintf(sentence, sizeof sentence, format, args);
  (void)error_set(pp->error, EXIT_USAGE, "%s:%u: %s", pp->sources[at.file]->name, (unsigned)at.line, sentence);
  pp->failed = true;
  return false;
}

bool pp_fail(preprocessor *pp, pp_position at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fail(pp, at, format, args);
  va_end(args);
  return false;
}

bool pp_fail_if_certain(preprocessor *pp, pp_position at, const char *format, ...) {
  if (pp->question_count == 0) {
    va_list args;
    va_start(args, format);
    (void)fail(pp, at, format, args);
    va_end(args);
  }
  return false;
}

void pp_enter(preprocessor *pp, uint32_t file) {
  open_file *opened = ARRAY_ADD(pp->open, pp->open_count, pp->open_capacity);
  opened->lexer = (lexer){.source = pp->sources[file], .file = file, .line_start = true};
  opened->conditional_base = pp->conditional_count;
  pp->fresh_line = true;
}

static void leave(preprocessor *pp) {
  if (pp->conditional_count > pp_top(pp)->conditional_base) {
    const conditional *open = &pp->conditionals[pp->conditional_count - 1];
    (void)pp_fail(pp, open->position, "an #if, #ifdef or #ifndef has no #endif");
  }
  pp->open_count--;
  pp->fresh_line = true;
}

void pp_next_file_token(preprocessor *pp, token *t) {
  while (!pp->failed && pp->open_count > 0) {
    pp_lex(pp, &pp_top(pp)->lexer, t);
    if (t->kind == TOKEN_END) {
      if (pp->collecting > 0) return;
      leave(pp);
    } else if (t->kind == TOKEN_NEWLINE) {
      continue;
    } else if (t->line_start && pp_is_hash(t)) {
      token hash = *t;
      pp_directive(pp, &hash);
    } else if (!pp_skipping(pp)) {
      return;
    }
  }
  *t = (token){.kind = TOKEN_END, .text = ""};
}

bool pp_file_parenthesis_follows(preprocessor *pp) {
  if (pp->open_count == 0) return false;
  lexer ahead = pp_top(pp)->lexer;
  token t;
  do {
    pp_lex(pp, &ahead, &t);
  } while (t.kind == TOKEN_NEWLINE);
  return pp_is(&t, "(");
}

static void take_facts(preprocessor *pp) {
  for (size_t i = 0; i < pp->input->fact_count; i++) {
    const pp_fact *fact = &pp->input->facts[i];
    symbol *question = pp_intern(pp, fact->expression, (uint32_t)strlen(fact->expression));
    question->answer = fact->value ? ANSWER_TRUE : ANSWER_FALSE;
  }
}

/* Opens the main source and the command line, or says why not. */
static bool open_sources(preprocessor *pp, buffer *other_options) {
  const pp_input *in = pp->input;
  buffer command_line = {0};
  pp_read_options(pp, in->options == NULL ? "" : in->options, &command_line, other_options);
  bool fine =
      pp_add_source(pp, in->name, NULL, in->text, in->length) == MAIN_SOURCE &&
      pp_add_source(pp, "<command line>", NULL, buffer_text(&command_line), command_line.length) == COMMAND_LINE;
  buffer_free(&command_line);
  if (!fine) {
    (void)error_set(pp->error, EXIT_USAGE, "%s: the source is larger than %d MiB; split it", in->name,
                    LIMIT_FILE_BYTES >> 20);
    pp->failed = true;
  }
  return fine;
}

static void read_all(preprocessor *pp, uint32_t file) {
  pp_enter(pp, file);
  token t;
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t)) pp_put(pp, &t);
}

/* Moves what the caller gets out of `pp`. */
static void leave_root(const char *root, char *path) {
  const size_t length = root == NULL ? 0 : strlen(root);
  if (length > 0 && path != NULL && strncmp(path, root, length) == 0 && path[length] == '/')
    memmove(path, path + length, strlen(path + length) + 1);
}

static void fill_result(preprocessor *pp, pp_result *out, buffer *other_options) {
  if (pp->text.length == 0 || pp->text.data[pp->text.length - 1] != '\n') buffer_putc(&pp->text, '\n');
  out->length = pp->text.length;
  out->text = buffer_take(&pp->text);
  out->tokens = pp->tokens;
  out->token_count = pp->token_count;
  out->conditions = pp->conditions;
  out->condition_count = pp->condition_count;
  out->questions = pp->questions;
  out->question_count = pp->question_count;
  out->own_name = pp->own_name;
  out->other_options = buffer_take(other_options);
  out->files = mem_calloc(pp->source_count, sizeof *out->files);
  out->file_count = pp->source_count;
  for (size_t i = 0; i < pp->source_count; i++) {
    source *s = pp->sources[i];
    if (s->clean == s->text) s->clean = NULL; /* `text` goes to the caller */
    leave_root(pp->input->root, s->path);
    out->files[i] = (pp_file){s->name, s->path, s->text, s->length};
    s->name = s->path = s->text = NULL;
  }
}

int pp_run(const pp_input *in, pp_result *out, error *e) {
  preprocessor pp = {.input = in, .error = e};
  buffer other_options = {0};
  *out = (pp_result){0};
  take_facts(&pp);
  if (open_sources(&pp, &other_options)) {
    pp_define_builtins(&pp);
    read_all(&pp, COMMAND_LINE);
    read_all(&pp, MAIN_SOURCE);
  }
  fill_result(&pp, out, &other_options);
  bool failed = pp.failed;
  pp_free_streams(&pp);
  pp_free_symbols(&pp);
  for (size_t i = 0; i < pp.source_count; i++) pp_free_source(pp.sources[i]);
  for (size_t i = 0; i < pp.directory_count; i++) free(pp.include_directories[i]);
  free(pp.sources);
  free(pp.include_directories);
  free(pp.open);
  free(pp.conditionals);
  return failed ? -1 : 0;
}

void pp_result_free(pp_result *r) {
  for (size_t i = 0; i < r->file_count; i++) {
    free(r->files[i].name);
    free(r->files[i].path);
    free(r->files[i].text);
  }
  for (size_t i = 0; i < r->question_count; i++) free(r->questions[i]);
  free(r->text);
  free(r->tokens);
  free(r->conditions);
  free(r->files);
  free(r->questions);
  free(r->other_options);
  *r = (pp_result){0};
}
