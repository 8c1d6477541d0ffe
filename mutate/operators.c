/* The table of the mutation operators, and choosing among them. */
#include "mutate/operators.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/names.h"

enum { WORD = 100 };

/* In the order of enum mutate_operator. */
const mutate_operator_info mutate_operators[MUTATE_OPERATORS] = {
    {"arith", "paper", "+ - * / % exchanged, unary - deleted, ++ and -- exchanged"},
    {"rel", "paper", "< <= > >= == != exchanged"},
    {"logic", "paper", "&& and || exchanged, ! deleted"},
    {"bit", "paper", "& | ^ << >> exchanged, ~ deleted"},
    {"assign", "paper", "operators of compound assignments exchanged"},
    {"barrier", "paper", "barrier deleted"},
    {"image", "paper", "coordinates of image reads and writes moved by one or exchanged"},
    {"loop", "paper", "loop skipped, or run once less or more up to its boundary"},
    {"index", "gpu", "another work-item function or dimension, or its value moved by one"},
    {"atomic", "gpu", "atomic update done non-atomically"},
    {"fence", "gpu", "local and global fence exchanged, fence deleted"},
    {"local", "gpu", "initialisation of local memory deleted"},
    {"const", "gpu", "number replaced by 0, 1, -1, or moved by one"},
    {"dimensions", "launch", "two dimensions of a launch's global size exchanged"},
    {"groups", "launch", "a launch with a work-group more or less in a dimension"},
    {"local-size", "launch", "a launch with half or twice the work-group size in a dimension"},
    {"offset", "launch", "a launch whose global offset is moved by one"},
    {"argument", "launch", "a launch with a scalar argument + 1, - 1 or 0"},
};

static bool is_word(const char *name, const char *word, size_t length) {
  return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* Applies one word of the list; false when nothing has this name. */
static bool select_word(const char *word, size_t length, bool selected[MUTATE_OPERATORS]) {
  bool value = length == 0 || word[0] != '-';
  if (!value) {
    word++;
    length--;
  }
  bool known = false;
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    if (is_word(mutate_operators[i].name, word, length) || is_word(mutate_operators[i].set, word, length)) {
      selected[i] = value;
      known = true;
    }
  }
  return known;
}

static int refuse(const char *word, size_t length, error *e) {
  char name[WORD + 1];
  (void)snprintf(name, sizeof name, "%.*s", (int)(length > WORD ? WORD : length), word);
  suggestion near = {.word = name + (name[0] == '-' ? 1 : 0)};
  buffer known = {0};
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    buffer_printf(&known, ", %s", mutate_operators[i].name);
    suggest_consider(&near, mutate_operators[i].name);
    suggest_consider(&near, mutate_operators[i].set);
  }
  (void)error_set(e, EXIT_USAGE,
                  "there is no mutation operator \"%s\"%s%s%s; there are the sets paper, gpu and launch, and%s", name,
                  near.best == NULL ? "" : "; did you mean ", near.best == NULL ? "" : near.best,
                  near.best == NULL ? "" : "?", buffer_text(&known) + 1);
  buffer_free(&known);
  return -1;
}

int mutate_select_operators(const char *list, bool selected[MUTATE_OPERATORS], error *e) {
  memset(selected, 0, MUTATE_OPERATORS * sizeof *selected);
  for (const char *word = list;; word++) {
    size_t length = strcspn(word, ",");
    if (!select_word(word, length, selected)) return refuse(word, length, e);
    word += length;
    if (*word == '\0') return 0;
  }
}
