/* In the schema of a mutant's place alone, the function that switches it (mutate/schema_place.c) is called twice: as the
 * user's own, and as the mutant. A deleted barrier is asked about as a kernel: without it, each run that the kernel may have
 * is one that the mutant may have, so that both do the same if no order matters to the mutant. */
#include "generate/equal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/build/build.h"

extern const char mutate_schema[], generate_equal[]; /* embedded */

/* --- functions that compare ---------------------------------------------------------------------------------------- */

#define HEAD "CLTC_INLINE "
#define PARAMETERS "(__private cltc_context *cltc, uint k"

/* Appends ", a, b" of the parameters ", int a, int b". */
static void append_names(const char *parameters, size_t length, buffer *out) {
  for (size_t i = 1; i <= length; i++) {
    if (i < length && parameters[i] != ',') continue;
    size_t begin = i;
    while (begin > 0 && (isalnum((unsigned char)parameters[begin - 1]) != 0 || parameters[begin - 1] == '_')) begin--;
    buffer_printf(out, ", %.*s", (int)(i - begin), parameters + begin);
  }
}

/* Appends whether two results of that type differ in any bit. */
static void append_differ(const char *type, buffer *out) {
  const char *const width = type + strcspn(type, "0123456789");
  const char *const bits = strncmp(type, "float", 5) == 0    ? "int"
                           : strncmp(type, "double", 6) == 0 ? "long"
                           : strncmp(type, "half", 4) == 0   ? "short"
                                                             : NULL;
  buffer_puts(out, *width == '\0' ? "(" : "any(");
  if (bits == NULL)
    buffer_puts(out, "own != other)");
  else
    buffer_printf(out, "as_%s%s(own) != as_%s%s(other))", bits, width, bits, width);
}

/* The function that begins here has one beside it that compares, and takes its name. NULL: it switches nothing. */
static const char *append_compared(const char *at, buffer *out) {
  const char *type = at + strlen(HEAD), *list = strstr(type, PARAMETERS), *line = strchr(type, '\n');
  const char *end = strstr(type, "\n}");
  const char *one = line == NULL ? NULL : strstr(type, " }\n"); /* all in one line */
  if (one != NULL && one < line) end = one;
  if (list == NULL || line == NULL || end == NULL || list > line) return NULL;
  const char *name = list, *more = list + strlen(PARAMETERS), *close = strchr(more, ')');
  while (name > type && name[-1] != ' ') name--;
  end += 2;
  scoped_buffer own = buffer_with("%.*s", (int)(list - name), name);
  scoped_buffer result = buffer_with("%.*s", (int)(name - type - 1), type);
  buffer names = {0};
  append_names(more, (size_t)(close - more), &names);
  buffer_append(out, at, (size_t)(end - at));
  buffer_printf(out, "\n" HEAD "%s %s_compared%.*s) {\n", buffer_text(&result), buffer_text(&own), (int)(close - list),
                list);
  buffer_printf(out, "  const %s own = %s(cltc, 0xffffffffu%s), other = %s(cltc, k%s);\n  if (", buffer_text(&result),
                buffer_text(&own), buffer_text(&names), buffer_text(&own), buffer_text(&names));
  append_differ(buffer_text(&result), out);
  buffer_printf(out, ") {\n    (void)cltc_reached();\n  }\n  return own;\n}\n#define %s %s_compared\n",
                buffer_text(&own), buffer_text(&own));
  buffer_free(&names);
  return end;
}

/* The text in which another value is an error; NULL: that cannot be asked. To be freed. */
static char *compared_text(const mutate_result *made) {
  char *text = mem_strdup(made->texts[0]);
  buffer out = {0};
  size_t compared = 0;
  /* what is switched in other ways would not be compared, and so all be proved */
  if (!reach_put(&text, mutate_schema, generate_equal) ||
      strstr(strstr(text, generate_equal) + strlen(generate_equal), "CLTC_IS") != NULL) {
    free(text);
    return NULL;
  }
  const char *from = text;
  for (const char *at = strstr(text, "\n" HEAD); at != NULL; at = strstr(at, "\n" HEAD)) {
    at++;
    buffer_append(&out, from, (size_t)(at - from));
    const char *end = append_compared(at, &out);
    compared += end == NULL ? 0 : 1;
    from = end == NULL ? at : end;
    at = from;
  }
  buffer_puts(&out, from);
  free(text);
  if (compared > 0) return buffer_take(&out);
  buffer_free(&out);
  return NULL;
}

/* --- questions ----------------------------------------------------------------------------------------------------- */

static const mutant *find_mutant(const mutate_result *made, uint32_t number) {
  for (size_t i = 0; i < made->mutant_count; i++)
    if (made->mutants[i].number == number) return &made->mutants[i];
  return NULL;
}

/* Without a barrier nothing races, and no order matters: no atomic function, which may show one. */
static const verify_answer *ask_without_barrier(reach *r, const mutate_result *made, const mutant *m, double seconds) {
  const request_source *source = asked_text(r->source);
  const bool can = r->proof->verdict == ANSWER_VERIFIED && mutant_source(&source->input, 1, &made->model, m) == 0 &&
                   strstr(source->text, "atom") == NULL && strstr(source->text, "#include") == NULL;
  if (!can) return NULL;
  char *text = mutant_text(&source->input, m);
  const verify_answer *a = reach_ask_text(r, text, source->options, NULL, seconds);
  free(text);
  return a;
}

reached equal_ask(reach *r, uint32_t number, double seconds, char **conditions, replica *launch) {
  bool operators[MUTATE_OPERATORS];
  mutate_result made = {0};
  error ignored;
  const verify_answer *a = NULL;
  if (mutate_select_operators("paper", operators, &ignored) == 0 &&
      build_mutated(&r->source->request, &(build_mutants){&number, 1, true, operators}, &made, &ignored) == 0 &&
      made.question_count == 0 && made.source_count == 1) {
    const mutant *m = find_mutant(&made, number);
    char *text = m == NULL || m->form != MUTANT_SELECTED || m->sizes ? NULL : compared_text(&made);
    if (text != NULL) {
      scoped_buffer options =
          buffer_with("%s%s-DCLTC_EQUAL=%uu", made.options[0], made.options[0][0] == '\0' ? "" : " ", (unsigned)number);
      a = reach_ask_text(r, text, buffer_text(&options), REACH_TRAP, seconds);
      free(text);
    } else if (m != NULL && m->op == MUTATE_BARRIER) {
      a = ask_without_barrier(r, &made, m, seconds);
    }
  }
  mutate_free(&made);
  return reach_take(r, a, conditions, launch);
}
