/* The preprocessor's run: opens and closes files, hands their tokens on, and fills in the result. */
#include "frontend/preprocess.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

enum { MAIN_SOURCE = 0, COMMAND_LINE = 1 };

static bool fail(preprocessor *pp, pp_position at, const char *format, va_list args) {
  if (pp->failed) {
    return false;
  }
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
      if (pp->collecting > 0) {
        return;
      }
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
  if (pp->open_count == 0) {
    return false;
  }
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
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t)) {
    pp_put(pp, &t);
  }
}

/* Moves what the caller gets out of `pp`. */
static void leave_root(const char *root, char *path) {
  const size_t length = root == NULL ? 0 : strlen(root);
  if (length > 0 && path != NULL && strncmp(path, root, length) == 0 && path[length] == '/') {
    memmove(path, path + length, strlen(path + length) + 1);
  }
}

static void fill_result(preprocessor *pp, pp_result *out, buffer *other_options) {
  if (pp->text.length == 0 || pp->text.data[pp->text.length - 1] != '\n') {
    buffer_putc(&pp->text, '\n');
  }
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
    if (s->clean == s->text) {
      s->clean = NULL; /* `text` goes to the caller */
    }
    leave_root(pp->input->root, s->path);
    out->files[i] = (pp_file){s->name, s->path, s->text, s->length};
    s->name = s->path = s->text = NULL;
  }
}

static void release(preprocessor *pp) {
  pp_free_streams(pp);
  pp_free_symbols(pp);
  for (size_t i = 0; i < pp->source_count; i++) {
    pp_free_source(pp->sources[i]);
  }
  for (size_t i = 0; i < pp->directory_count; i++) {
    free(pp->include_directories[i]);
  }
  free(pp->sources);
  free(pp->include_directories);
  free(pp->open);
  free(pp->conditionals);
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
  release(&pp);
  return failed ? -1 : 0;
}

void pp_result_free(pp_result *r) {
  for (size_t i = 0; i < r->file_count; i++) {
    free(r->files[i].name);
    free(r->files[i].path);
    free(r->files[i].text);
  }
  for (size_t i = 0; i < r->question_count; i++) {
    free(r->questions[i]);
  }
  free(r->text);
  free(r->tokens);
  free(r->conditions);
  free(r->files);
  free(r->questions);
  free(r->other_options);
  *r = (pp_result){0};
}
