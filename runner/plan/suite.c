/* Reading suite.yaml with libcyaml. */
#include "runner/plan/suite.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/pipe_path.h"

static const cyaml_schema_value_t string_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

static const cyaml_schema_field_t test_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, suite_test, name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("args", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, suite_test, args, &string_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t test_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, suite_test, test_fields)};

static const cyaml_schema_field_t suite_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, suite, name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("description", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, suite, description, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("program", CYAML_FLAG_POINTER, suite, program, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("defect", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, suite, defect, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("tests", CYAML_FLAG_POINTER, suite, tests, &test_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t suite_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, suite, suite_fields)};

/* libcyaml reports through a log of lines; they are kept for the sentence. */
static void keep_log(cyaml_log_t level, void *context, const char *format, va_list args) {
  (void)level;
  char line[512];
  (void)vsnprintf(line, sizeof line, format, args);
  buffer_puts(context, line);
}

static const cyaml_config_t *configuration(buffer *log) {
  static cyaml_config_t config;
  config = (cyaml_config_t){
      .log_fn = keep_log, .log_ctx = log, .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR, .flags = 0};
  return &config;
}

/* The number after `word` in the log, 0 if there is none. */
static unsigned number_after(const char *log, const char *word) {
  const char *at = strstr(log, word);
  return at == NULL ? 0 : (unsigned)strtoul(at + strlen(word), NULL, 10);
}

/* The first line of the log without libcyaml's prefix. */
static void first_message(const char *log, char *out, size_t size) {
  const char *start = strncmp(log, "Load: ", 6) == 0 ? log + 6 : log;
  (void)snprintf(out, size, "%.*s", (int)strcspn(start, "\n"), start);
}

/* libcyaml gives the place before an unexpected key; the key's own is where the file says `KEY:` first. */
static void place_of_key(const char *path, const char *message, unsigned *line, unsigned *column) {
  static const char prefix[] = "Unexpected key: ";
  FILE *f = strncmp(message, prefix, strlen(prefix)) == 0 ? fopen(path, "r") : NULL;
  const char *key = message + strlen(prefix);
  char text[512];
  for (unsigned number = 1; f != NULL && fgets(text, sizeof text, f) != NULL; number++) {
    size_t indent = strspn(text, " -");
    if (strncmp(text + indent, key, strlen(key)) == 0 && text[indent + strlen(key)] == ':') {
      *line = number;
      *column = (unsigned)indent + 1;
      break;
    }
  }
  if (f != NULL) {
    (void)fclose(f);
  }
}

/* What libcyaml says of YAML's events, for people. */
static void explain(char *message, size_t size) {
  static const struct {
    const char *says, *means;
  } texts[] = {
      {"Expecting MAPPING", "keys are wanted here: name, program and tests, with name and args of each test"},
      {"Expecting SEQUENCE", "a list is wanted here: a line with `- ` for each"},
      {"Expecting STRING", "a word is wanted here, not a list or keys"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (strncmp(message, texts[i].says, strlen(texts[i].says)) == 0) {
      (void)snprintf(message, size, "%s", texts[i].means);
    }
  }
}

static int load_error(const char *path, cyaml_err_t status, const char *log, error *e) {
  if (status == CYAML_ERR_FILE_OPEN) {
    return error_set(e, EXIT_USAGE, "suite file \"%s\" cannot be opened: %s", path, strerror(errno));
  }
  char message[256];
  first_message(log, message, sizeof message);
  if (message[0] == '\0') {
    (void)snprintf(message, sizeof message, "%s", cyaml_strerror(status));
  }
  explain(message, sizeof message);
  unsigned line = number_after(log, "line: ");
  unsigned column = number_after(log, "column: ");
  place_of_key(path, message, &line, &column);
  line = line == 0 ? 1 : line;
  column = column == 0 ? 1 : column;
  return error_set(e, EXIT_USAGE, "%s:%u:%u: this suite file is broken: %s", path, line, column, message);
}

int suite_load(const char *path, suite **out, error *e) {
  *out = NULL;
  if (pipe_refuse(path, e) != 0) {
    return -1;
  }
  buffer log = {0};
  cyaml_data_t *data = NULL;
  errno = 0;
  cyaml_err_t status = cyaml_load_file(path, configuration(&log), &suite_schema, &data, NULL);
  int result = 0;
  if (status != CYAML_OK) {
    result = load_error(path, status, buffer_text(&log), e);
  } else if (data == NULL) {
    result = error_set(e, EXIT_USAGE, "%s:1:1: this suite file is empty", path);
  }
  *out = (suite *)data;
  buffer_free(&log);
  return result;
}

void suite_free(suite *s) {
  buffer log = {0};
  (void)cyaml_free(configuration(&log), &suite_schema, s, 0);
  buffer_free(&log);
}

char *suite_program(const suite *s, const char *path) {
  if (s->program[0] == '/') {
    return mem_strdup(s->program);
  }
  const char *slash = strrchr(path, '/');
  buffer beside = {0};
  if (slash != NULL) {
    buffer_append(&beside, path, (size_t)(slash - path + 1));
  } else {
    buffer_puts(&beside, "./");
  }
  buffer_puts(&beside, s->program);
  if (strchr(s->program, '/') == NULL && access(buffer_text(&beside), X_OK) != 0) {
    buffer_free(&beside);
    return mem_strdup(s->program);
  }
  return buffer_take(&beside);
}
