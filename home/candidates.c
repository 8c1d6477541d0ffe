/* Ranking files by the words that they share with a source, then matching the best. */
#include "home/candidates.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

enum { SHORTEST_WORD = 3, MOST_WORDS = 4000, MOST_READ = 200, MOST_KEPT = 48 };

#define MOST_STEPS UINT64_C(200000000)

bool candidate_is_enough(const home_target *t, size_t tokens) {
  return tokens >= HOME_ENOUGH || (tokens > 0 && tokens * 4 >= t->tokens.count * 3);
}

/* --- words ------------------------------------------------------------------------------------------------------- */

static int compare_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The different words of a source, by hash. */
static uint32_t *words_of(const home_target *t, size_t *count) {
  uint32_t *words = mem_calloc(t->tokens.count + 1, sizeof *words);
  size_t all = 0;
  for (size_t i = 0; i < t->tokens.count; i++) {
    const home_token *token = &t->tokens.items[i];
    if (token->kind == HOME_WORD && token->end - token->begin >= SHORTEST_WORD) {
      words[all++] = catalogue_word(t->text.text + token->begin, token->end - token->begin);
    }
  }
  if (all > 1) {
    qsort(words, all, sizeof *words, compare_words);
  }
  *count = 0;
  for (size_t i = 0; i < all && *count < MOST_WORDS; i++) {
    if (*count == 0 || words[*count - 1] != words[i]) {
      words[(*count)++] = words[i];
    }
  }
  return words;
}

/* A file and how much its words say: a word counts for more the fewer files have it. */
typedef struct ranked {
  const catalogue_file *file;
  double score;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a;
  const ranked *y = b;
  if (x->score != y->score) {
    return x->score < y->score ? 1 : -1;
  }
  return strcmp(x->file->path, y->file->path);
}

static ranked *rank(const home_target *t, const catalogue *c) {
  size_t count = 0;
  uint32_t *words = words_of(t, &count);
  ranked *list = mem_calloc(c->count + 1, sizeof *list);
  for (size_t i = 0; i < c->count; i++) {
    list[i].file = &c->files[i];
  }
  for (size_t w = 0; w < count; w++) {
    size_t having = 0;
    for (size_t i = 0; i < c->count; i++) {
      having += catalogue_has(&c->files[i], words[w]) ? 1 : 0;
    }
    for (size_t i = 0; i < c->count && having > 0; i++) {
      list[i].score += catalogue_has(&c->files[i], words[w]) ? 1.0 / (double)having : 0;
    }
  }
  free(words);
  if (c->count > 1) {
    qsort(list, c->count, sizeof *list, compare_ranked);
  }
  return list;
}

/* --- files ------------------------------------------------------------------------------------------------------- */

/* Folders to go up and down from the current directory to a file. */
static size_t distance_to(const char *path) {
  char here[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL) {
    return 0;
  }
  size_t same = 0;
  for (size_t i = 0; here[i] == path[i] && here[i] != '\0'; i++) {
    same = path[i] == '/' ? i : same;
    if (here[i + 1] == '\0' && path[i + 1] == '/') {
      same = i + 1;
    }
  }
  size_t steps = 0;
  for (const char *c = here + same; *c != '\0'; c++) {
    steps += *c == '/' ? 1 : 0;
  }
  for (const char *c = path + same; *c != '\0'; c++) {
    steps += *c == '/' ? 1 : 0;
  }
  return steps;
}

static void release(candidate *c) {
  stream_free(&c->stream);
  free(c->text);
  free(c->claims);
}

static void look_into(candidates *out, const home_target *t, const catalogue_file *file, uint64_t *steps) {
  size_t length = 0;
  char *text = catalogue_read(file->path, &length);
  for (int kind = 0; text != NULL && kind < STREAM_KINDS && out->count < MOST_KEPT; kind++) {
    candidate c = {.file = file, .kind = (stream_kind)kind, .length = length};
    if (!stream_make(c.kind, text, length, file->language, &c.stream)) {
      continue;
    }
    c.claims = mem_calloc(t->tokens.count + 1, sizeof *c.claims);
    c.total = home_match(t, &c.stream, c.claims, steps);
    if (candidate_is_enough(t, c.total)) {
      c.text = mem_strndup(text, length);
      c.away = distance_to(file->path);
      *ARRAY_ADD(out->items, out->count, out->capacity) = c;
    } else {
      release(&c);
    }
  }
  free(text);
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a;
  const candidate *y = b;
  if (x->total != y->total) {
    return x->total < y->total ? 1 : -1;
  }
  if (x->kind != y->kind) {
    return x->kind > y->kind ? 1 : -1;
  }
  if (x->away != y->away) {
    return x->away > y->away ? 1 : -1;
  }
  return strcmp(x->file->path, y->file->path);
}

candidates candidates_of(const home_target *t, const catalogue *c, double until) {
  candidates out = {0};
  uint64_t steps = MOST_STEPS;
  ranked *list = rank(t, c);
  for (size_t i = 0; i < c->count && i < MOST_READ && list[i].score > 0 && out.count < MOST_KEPT; i++) {
    if (clock_now() > until || steps == 0) {
      out.incomplete = true;
      break;
    }
    look_into(&out, t, list[i].file, &steps);
  }
  free(list);
  if (out.count > 1) {
    qsort(out.items, out.count, sizeof *out.items, compare_candidates);
  }
  return out;
}

void candidates_free(candidates *c) {
  for (size_t i = 0; i < c->count; i++) {
    release(&c->items[i]);
  }
  free(c->items);
  *c = (candidates){0};
}
