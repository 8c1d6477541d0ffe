/* Test cases that the program itself names: rows of the database, and how they ended. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/session/internal.h"

void session_forget_names(session *s) {
  for (size_t i = 0; i < s->named_count; i++) free(s->named[i].name);
  s->named_count = 0;
  free(s->suite);
  free(s->line);
  free(s->word);
  s->suite = s->line = s->word = NULL;
}

void session_take_names(session *s, const char *suite, const char *line, const char *word) {
  s->suite = mem_strdup(suite);
  s->line = mem_strdup(line);
  s->word = word == NULL ? NULL : mem_strdup(word);
}

/* The same name again, in this process or in another, is the same test case. */
static named_test *find_or_begin(session *s, const char *name, const char *command, error *e) {
  for (size_t i = s->named_count; i-- > 0;)
    if (strcmp(s->named[i].name, name) == 0) return &s->named[i];
  int64_t row = 0;
  if (db_begin_test_case(s->db, s->run, s->suite, name, command[0] == '\0' ? s->line : command, &row, e) != 0 ||
      (s->word != NULL && db_set_word(s->db, row, s->word, e) != 0))
    return NULL;
  named_test *t = ARRAY_ADD(s->named, s->named_count, s->named_capacity);
  *t = (named_test){.name = mem_strdup(name), .row = row};
  return t;
}

static int begin_named(session *s, session_client *c, uint32_t number, const char *name, const char *command,
                       error *e) {
  const named_test *t = find_or_begin(s, name, command, e);
  if (t == NULL) return -1;
  while (c->named_count < number) *ARRAY_ADD(c->named, c->named_count, c->named_capacity) = 0;
  c->named[number - 1] = t->row;
  return 0;
}

static int end_named(session *s, int64_t row, int status, error *e) {
  for (size_t i = 0; i < s->named_count; i++) {
    if (s->named[i].row == row && row != 0) {
      s->named[i].ended = true;
      s->named[i].failed = s->named[i].failed || status != 0;
      return db_end_test_case(s->db, row, status, false, e);
    }
  }
  return 0;
}

int session_test_case(session *s, session_client *c, wire_reader *in, error *e) {
  const uint32_t number = wire_u32(in);
  const bool begins = wire_u32(in) == 1;
  const int status = (int)wire_u32(in);
  char *name = wire_string(in, NULL);
  char *command = wire_string(in, NULL);
  int result = 0;
  /* numbers follow each other, but for those that a forked process has from its parent */
  if (in->failed || number == 0 || (begins && number > c->named_count + (1u << 24))) {
    result = error_set(e, EXIT_INTERNAL, "the layer named a test case in a malformed message");
  } else if (s->suite != NULL) {
    result = begins ? begin_named(s, c, number, name, command, e)
                    : end_named(s, number <= c->named_count ? c->named[number - 1] : 0, status, e);
  }
  free(name);
  free(command);
  return result;
}

int64_t session_row(const session *s, const session_client *c, uint32_t number) {
  const int64_t row = number >= 1 && number <= c->named_count ? c->named[number - 1] : 0;
  return row != 0 ? row : s->test_case;
}

int session_end_names(session *s, int status, bool timed_out, size_t *count, size_t *failed, error *e) {
  *count = s->named_count;
  *failed = 0;
  for (size_t i = 0; i < s->named_count; i++) {
    named_test *t = &s->named[i];
    t->failed = t->ended ? t->failed : status != 0 || timed_out;
    *failed += t->failed ? 1 : 0;
    if (!t->ended && db_end_test_case(s->db, t->row, status, timed_out, e) != 0) return -1;
  }
  return 0;
}
