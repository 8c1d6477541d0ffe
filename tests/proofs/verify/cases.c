/* Reads kernels with what is expected of them, and compares that with answers. */
#include "tests/proofs/verify/cases.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/memory.h"

/* --- reading ------------------------------------------------------------------------------------------------------ */

static char *read_text(const char *path) {
  buffer text = {0};
  char bytes[8192];
  size_t count = 0;
  FILE *f = fopen(path, "rb");
  if (f == NULL) fail_msg("%s cannot be read", path);
  while ((count = fread(bytes, 1, sizeof bytes, f)) > 0) buffer_append(&text, bytes, count);
  (void)fclose(f);
  return buffer_take(&text);
}

/* The next word, cut off; "" at the end. */
static char *next_word(char **at) {
  char *word = *at + strspn(*at, " ");
  char *end = word + strcspn(word, " ");
  *at = *end == '\0' ? end : end + 1;
  *end = '\0';
  return word;
}

/* "; n > 0; m > 0", or "; none". */
static json_t *read_needs(char *text) {
  json_t *needs = json_array();
  for (char *at = text; *at == ';';) {
    at += 1 + strspn(at + 1, " ");
    const size_t length = strcspn(at, ";");
    size_t end = length;
    while (end > 0 && at[end - 1] == ' ') end--;
    if (end != 4 || strncmp(at, "none", 4) != 0) json_array_append_new(needs, json_stringn(at, end));
    at += length;
  }
  return needs;
}

/* VERDICT KERNEL [ARRAY[ELEMENT]] [; …] */
static verify_case read_expectation(char *text, unsigned line) {
  verify_case c = {.line = line, .element = -1};
  char *needs = strchr(text, ';');
  if (needs != NULL) {
    c.needs = read_needs(needs);
    *needs = '\0';
  }
  char *at = text;
  c.verdict = mem_strdup(next_word(&at));
  c.kernel = mem_strdup(next_word(&at));
  char *array = next_word(&at);
  char *index = strchr(array, '[');
  if (index != NULL) {
    c.element = strtol(index + 1, NULL, 10);
    *index = '\0';
  }
  c.array = *array == '\0' ? NULL : mem_strdup(array);
  c.ask = json_object();
  c.with = json_object();
  c.says = json_object();
  return c;
}

static json_t *read_json(const verify_cases *all, const char *text, unsigned line) {
  json_error_t wrong;
  json_t *json = json_loads(text, 0, &wrong);
  if (json == NULL) fail_msg("%s:%u: %s", all->path, line, wrong.text);
  return json;
}

/* A comment line that says something of an expectation. */
static void read_comment(verify_cases *all, char *text, unsigned line) {
  static const char *const words[] = {"// expect ",  "// ask ",  "// with ", "// because ",
                                      "// assumes ", "// says ", "// slow"};
  enum { WORDS = sizeof words / sizeof *words };
  size_t which = 0;
  while (which < WORDS && strncmp(text, words[which], strlen(words[which])) != 0) which++;
  if (which == WORDS) return;
  char *rest = text + strlen(words[which]);
  if (which == 0) {
    *ARRAY_ADD(all->items, all->count, all->capacity) = read_expectation(rest, line);
    return;
  }
  if (all->count == 0) fail_msg("%s:%u: no expectation comes before this", all->path, line);
  verify_case *last = &all->items[all->count - 1];
  const char *full = getenv("CLTC_FULL");
  if (which == 6) {
    last->done = full == NULL || strcmp(full, "1") != 0;
  } else if (which == 3) {
    last->because = mem_strdup(rest);
  } else if (which == 4) {
    last->assumes = mem_strdup(rest);
  } else {
    json_t *json = read_json(all, rest, line);
    json_object_update(which == 1 ? last->ask : which == 2 ? last->with : last->says, json);
    json_decref(json);
  }
}

/* Marks after a line belong to all expectations that stand together above it. */
static void read_marks(verify_cases *all, size_t first, const char *text, size_t line_length, unsigned line) {
  const char *at = strstr(text, "//! ");
  if (at == NULL || at >= text + line_length) return;
  for (at += 4; *at != '\0' && *at != '\n';) {
    const size_t length = strcspn(at, " \n");
    for (size_t i = first; i < all->count; i++) {
      verify_case *c = &all->items[i];
      if (c->mark_count == CASES_MOST_MARKS) fail_msg("%s:%u: too many marks", all->path, line);
      c->marks[c->mark_count++] = (case_mark){line, at, length};
    }
    at += length + strspn(at + length, " ");
  }
}

verify_cases cases_read(const char *path) {
  verify_cases all = {.path = mem_strdup(path), .text = read_text(path)};
  size_t together = 0; /* the first expectation that the code below belongs to */
  bool code = true;
  unsigned line = 1;
  for (const char *at = all.text; *at != '\0'; line++) {
    const size_t length = strcspn(at, "\n");
    if (strncmp(at, "// ", 3) == 0) {
      char *text = mem_strndup(at, length);
      const size_t before = all.count;
      read_comment(&all, text, line);
      together = all.count > before && code ? before : together;
      code = all.count > before ? false : code;
      free(text);
    } else {
      code = code || length > 0;
      read_marks(&all, together, at, length, line);
    }
    at += length + (at[length] == '\n' ? 1 : 0);
  }
  for (size_t i = 0; i < all.count; i++)
    json_object_set_new(all.items[i].ask, "kernel", json_string(all.items[i].kernel));
  return all;
}

void cases_free(verify_cases *all) {
  for (size_t i = 0; i < all->count; i++) {
    verify_case *c = &all->items[i];
    free(c->verdict);
    free(c->kernel);
    free(c->array);
    free(c->because);
    free(c->assumes);
    json_decref(c->needs);
    json_decref(c->ask);
    json_decref(c->with);
    json_decref(c->says);
  }
  free(all->items);
  free(all->path);
  free(all->text);
  *all = (verify_cases){0};
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static const char *text_in(const json_t *in, const char *key) {
  const char *text = json_string_value(json_object_get(in, key));
  return text == NULL ? "" : text;
}

static bool same_word(const case_mark *m, const char *word) {
  const size_t length = m->length - (m->word[m->length - 1] == '?' ? 1 : 0);
  return strlen(word) == length && strncmp(m->word, word, length) == 0;
}

static bool is_marked(const verify_case *c, const json_t *at, const char *word) {
  const json_int_t line = json_integer_value(json_object_get(at, "line"));
  for (size_t i = 0; i < c->mark_count; i++)
    if (c->marks[i].line == line && same_word(&c->marks[i], word)) return true;
  return false;
}

/* How a mark names the place. */
static const char *word_of(const json_t *place) {
  const char *role = text_in(place, "role");
  return strcmp(role, "barrier") == 0 || strcmp(role, "decision") == 0 ? role : text_in(place, "access");
}

static bool is_found(const case_mark *m, const json_t *places) {
  size_t i = 0, n = 0;
  json_t *place = NULL, *caller = NULL;
  json_array_foreach(places, i, place) {
    if (json_integer_value(json_object_get(place, "line")) == m->line && same_word(m, word_of(place))) return true;
    json_array_foreach(json_object_get(place, "inlined"), n, caller) {
      if (json_integer_value(json_object_get(caller, "line")) == m->line && same_word(m, "inlined")) return true;
    }
  }
  return false;
}

static bool places_as_marked(const verify_case *c, const json_t *places) {
  size_t i = 0;
  json_t *place = NULL;
  json_array_foreach(places, i, place) {
    if (!is_marked(c, place, word_of(place))) return false;
  }
  for (i = 0; i < c->mark_count; i++) {
    const bool optional = c->marks[i].word[c->marks[i].length - 1] == '?';
    if (!optional && !is_found(&c->marks[i], places)) return false;
  }
  return true;
}

/* All that is expected is there; `exactly`: and nothing else. Looking for the weakest ends after a time, which is too short for a
 * sanitised build. */
static const char *text_of_premise(const json_t *p) {
  const char *expression = json_string_value(p);
  return expression != NULL ? expression : text_in(p, "text");
}

static bool same_needs(const json_t *expected, const json_t *found, bool exactly) {
  size_t i = 0, n = 0;
  json_t *one = NULL, *other = NULL;
  json_array_foreach(expected, i, one) {
    bool has = false;
    json_array_foreach(found, n, other) { has = has || strcmp(json_string_value(one), text_of_premise(other)) == 0; }
    if (!has) return false;
  }
  return !exactly || json_array_size(expected) == json_array_size(found);
}

#ifdef __SANITIZE_ADDRESS__
enum { EXACTLY = false };
#else
enum { EXACTLY = true };
#endif

bool case_wants_less(const verify_case *c, const json_t *answer) {
  const json_t *found = json_object_get(answer, "preconditions");
  return c->needs != NULL && strcmp(text_in(answer, "verdict"), c->verdict) == 0 &&
         same_needs(c->needs, found, false) && !same_needs(c->needs, found, EXACTLY);
}

/* Barriers that the answer speaks of, as places. */
static json_t *barriers_of(const json_t *answer) {
  size_t i = 0;
  json_t *places = json_array(), *barrier = NULL;
  json_array_foreach(json_object_get(answer, "barriers"), i, barrier) {
    const json_t *needed = json_object_get(barrier, "needed");
    const char *word = json_is_true(needed) ? "needed" : json_is_false(needed) ? "deletable" : "undecided";
    json_array_append_new(places, json_pack("{s:O,s:s}", "line", json_object_get(barrier, "line"), "access", word));
  }
  return places;
}

static bool barriers_as_marked(const verify_case *c, const json_t *answer) {
  json_t *places = barriers_of(answer);
  const bool same = json_array_size(places) == 0 || places_as_marked(c, places);
  json_decref(places);
  return same;
}

static bool is_assumed(const json_t *assumptions, const char *text) {
  size_t i = 0;
  json_t *one = NULL;
  json_array_foreach(assumptions, i, one) {
    if (strstr(text_of_premise(one), text) != NULL) return true;
  }
  return strcmp(text, "nothing") == 0 && json_array_size(assumptions) == 0;
}

static bool says_all(const json_t *answer, json_t *says) {
  const char *key = NULL;
  json_t *expected = NULL;
  json_object_foreach(says, key, expected) {
    if (json_equal(json_object_get(answer, key), expected) == 0) return false;
  }
  return true;
}

static const char *what_differs(const verify_case *c, const json_t *answer) {
  const json_t *finding = json_array_get(json_object_get(answer, "findings"), 0);
  if (strcmp(text_in(answer, "verdict"), c->verdict) != 0) return "the verdict";
  if (c->because != NULL && strstr(text_in(answer, "reason"), c->because) == NULL &&
      !is_assumed(json_object_get(finding, "depends_on"), c->because))
    return "the reason";
  if (c->assumes != NULL && !is_assumed(json_object_get(answer, "assumptions"), c->assumes)) return "what it rests on";
  if (!says_all(answer, c->says)) return "what it says";
  if (c->needs != NULL && !same_needs(c->needs, json_object_get(answer, "preconditions"), EXACTLY))
    return "the preconditions";
  if (c->array != NULL && strcmp(text_in(finding, "array"), c->array) != 0) return "the array";
  if (c->element >= 0 && json_integer_value(json_object_get(finding, "element")) != c->element) return "the element";
  if (!barriers_as_marked(c, answer)) return "the barriers";
  return c->mark_count > 0 && finding != NULL && !places_as_marked(c, json_object_get(finding, "places")) ? "the places"
                                                                                                          : NULL;
}

char *case_wrong(const verify_case *c, const json_t *answer) {
  buffer b = {0};
  if (answer == NULL) {
    buffer_printf(&b, "kernel %s has no answer", c->kernel);
    return buffer_take(&b);
  }
  const char *differs = what_differs(c, answer);
  if (differs == NULL) return NULL;
  char *text = json_dumps(answer, JSON_COMPACT);
  buffer_printf(&b, "of %s, expected to be %s, %s differs: %s", c->kernel, c->verdict, differs, text);
  free(text);
  return buffer_take(&b);
}
