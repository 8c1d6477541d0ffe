/* A report for the viewers of mutation-testing-elements, in version 2 of their schema. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"
#include "reports/common/json.h"

#define THRESHOLD_HIGH 80
#define THRESHOLD_LOW 60

/* Statuses in their words; a killed mutant whose reason is a timeout is "Timeout". */
static const struct {
  const char *status, *reason; /* reason NULL: what the runs showed */
} words[MUTANT_STATUSES] = {
    [MUTANT_PENDING] = {"Pending", "not decided when the run ended"},
    [MUTANT_KILLED] = {"Killed", NULL},
    [MUTANT_UNDECIDED] = {"Survived", NULL},
    [MUTANT_SURVIVED] = {"Survived", "no run differed from the original"},
    [MUTANT_NO_COVERAGE] = {"NoCoverage", "no test case executes the place"},
    [MUTANT_EQUIVALENT] = {"Ignored", "equivalent: compiles to the same code as the original"},
    [MUTANT_DUPLICATE] = {"Ignored", "duplicate: compiles to the same code as an earlier mutant"},
    [MUTANT_INVALID] = {"CompileError", "does not compile"},
    [MUTANT_SUPPRESSED] = {"Ignored", "suppressed by a comment in the source"},
};

static json_t *position(const model_file *file, uint32_t line, uint32_t column, uint32_t offset) {
  json_int_t in_units = place_column(file, column, offset); /* as JavaScript counts */
  return value_object({"line", json_integer(line < 1 ? 1 : line)},
                      {"column", json_integer(in_units < 1 ? 1 : in_units)});
}

static json_t *location(const model_file *file, const db_mutant *m) {
  return value_object({"start", position(file, m->line, m->column, m->offset)},
                      {"end", position(file, m->end_line, m->end_column, m->end_offset)});
}

static json_t *test_id(size_t test_case) {
  char id[32];
  (void)snprintf(id, sizeof id, "%zu", test_case + 1);
  return json_string(id);
}

static json_t *reason_of(const view *v, const db_mutant *m) {
  scoped_buffer text = {0};
  if (m->status == MUTANT_UNDECIDED) buffer_puts(&text, "undecided: ");
  if (m->suppressed != NULL)
    buffer_printf(&text, "suppressed: %s", m->suppressed);
  else if (words[m->status].reason != NULL)
    buffer_puts(&text, words[m->status].reason);
  else
    mutation_explain(v, m, &text);
  if (m->status == MUTANT_DUPLICATE && m->duplicate_of != MODEL_NONE)
    buffer_printf(&text, ", %u", v->mutants[m->duplicate_of].id);
  if (m->reason[0] != '\0' && (words[m->status].reason != NULL || text.length == 0))
    buffer_printf(&text, "%s%s", text.length == 0 ? "" : ": ", m->reason);
  return value_string(buffer_text(&text));
}

static json_t *mutant_of(const view *v, const db_mutant *m, const char *id) {
  bool timeout = m->status == MUTANT_KILLED && strcmp(m->reason, "timeout") == 0;
  json_t *mutant = value_object({"id", json_string(id)}, {"mutatorName", value_string(m->operator_name)},
                                {"description", m->description != NULL ? value_string(m->description) : NULL});
  if (m->description == NULL || m->replacement[0] != '\0') /* else the text does not say what happens */
    value_set(mutant, "replacement", value_string(m->replacement));
  value_set(mutant, "location", location(&v->files[m->file], m));
  value_set(mutant, "status", json_string(timeout ? "Timeout" : words[m->status].status));
  value_set(mutant, "statusReason", reason_of(v, m));
  json_t *covered = json_array(), *killed = json_array();
  EACH(const mutant_verdict, verdict, m->verdicts, m->verdict_count) {
    if (verdict->runs > 0) value_add(covered, test_id(verdict->test_case));
    if (mutation_kills(m, verdict)) value_add(killed, test_id(verdict->test_case));
  }
  value_set(mutant, "testsCompleted", json_integer((json_int_t)json_array_size(covered)));
  value_set(mutant, "coveredBy", covered);
  value_set(mutant, "killedBy", killed);
  return mutant;
}

/* --- files --------------------------------------------------------------------------------------------------- */

/* A key that is not `taken` yet: the name, or the name with something after it; taken from now on. */
static char *fresh_key(json_t *taken, const char *name, const char *more) {
  scoped_buffer key = {0};
  utf8_clean(&key, name, strlen(name));
  for (unsigned n = 2; json_object_get(taken, buffer_text(&key)) != NULL; n++) {
    buffer_free(&key);
    utf8_clean(&key, name, strlen(name));
    buffer_printf(&key, " (%s", more);
    buffer_printf(&key, n == 2 ? ")" : " %u)", n);
  }
  value_set(taken, buffer_text(&key), json_true());
  return buffer_take(&key);
}

/* Of a host's file as highlighters name it. */
static const char *language_of(const char *name) {
  static const char *const known[][2] = {{".c", "c"},       {".cc", "cpp"},  {".cpp", "cpp"}, {".cxx", "cpp"},
                                         {".C", "cpp"},     {".hpp", "cpp"}, {".h", "cpp"},   {".py", "python"},
                                         {".java", "java"}, {".rs", "rust"}, {".go", "go"}};
  const char *dot = strrchr(name, '.'), *language = "opencl";
  for (size_t i = 0; i < sizeof known / sizeof known[0] && dot != NULL; i++)
    language = strcmp(dot, known[i][0]) == 0 ? known[i][1] : language;
  return language;
}

static void end_file(json_stream *to) {
  json_stream_close(to);
  json_stream_close(to);
}

/* The mutants are in order of their files. Ids are unique: those of two files could be alike by chance. */
static void write_files(json_stream *to, const view *v, const report_options *options) {
  mutation m;
  mutation_totals(v, options, &m);
  json_t *keys = json_object(), *ids = json_object();
  uint32_t file = MODEL_NONE;
  json_stream_object(to, "files");
  for (size_t i = 0; i < v->mutant_count; i++) {
    if (!m.selected[i]) continue;
    if (v->mutants[i].file != file) {
      if (file != MODEL_NONE) end_file(to);
      file = v->mutants[i].file;
      /* Opens the entry of a file and in it the list of its mutants. */
      char short_sha[9] = {0};
      memcpy(short_sha, v->files[file].sha256, sizeof short_sha - 1);
      scoped char *key = fresh_key(keys, v->files[file].name, short_sha);
      json_stream_object(to, key);
      json_stream_value(to, "language", json_string(language_of(v->files[file].name)));
      json_stream_value(to, "source", value_text(v->files[file].text, v->files[file].length));
      json_stream_array(to, "mutants");
    }
    char number[16];
    (void)snprintf(number, sizeof number, "%u", v->mutants[i].id);
    scoped char *id = fresh_key(ids, number, "again");
    json_stream_item(to, mutant_of(v, &v->mutants[i], id));
  }
  if (file != MODEL_NONE) end_file(to);
  json_stream_close(to);
  json_decref(keys);
  json_decref(ids);
  mutation_free(&m);
}

/* Suites are their files of tests. */
static json_t *test_files_of(const view *v) {
  json_t *files = json_object();
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    json_t *suite = value_string(t->suite[0] == '\0' ? "tests" : t->suite);
    json_t *file = json_object_get(files, json_string_value(suite));
    if (file == NULL) {
      file = json_object();
      value_set(file, "tests", json_array());
      value_set(files, json_string_value(suite), file);
    }
    json_decref(suite);
    json_t *test = value_object({"id", test_id(i)}, {"name", value_string(t->name)});
    value_add(json_object_get(file, "tests"), test);
  }
  return files;
}

int stryker_write(const view *v, const report_options *options, FILE *out, error *e) {
  json_stream report;
  json_stream_begin(&report, out);
  json_stream_value(&report, "schemaVersion", json_string("2"));
  json_stream_value(&report, "thresholds", json_pack("{sisi}", "high", THRESHOLD_HIGH, "low", THRESHOLD_LOW));
  json_t *framework = value_object({"name", json_string("cltestcheck")}, {"version", value_string(v->version)});
  json_stream_value(&report, "framework", framework);
  write_files(&report, v, options);
  json_stream_value(&report, "testFiles", test_files_of(v));
  return json_stream_end(&report, e);
}
