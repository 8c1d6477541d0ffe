/* A program that is instrumented or mutated: preprocessed, parsed, discovered. */
#include "instrument/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/program_internal.h"

static void take_questions(instrument_result *out, uint32_t source, const pp_result *text) {
  size_t capacity = out->question_count;
  for (size_t i = 0; i < text->question_count; i++) {
    instrument_question *q = ARRAY_ADD(out->questions, out->question_count, capacity);
    q->source = source;
    q->expression = mem_strdup(text->questions[i]);
  }
}

static int preprocess_all(program *p, const pp_input *sources, error *e) {
  for (uint32_t i = 0; i < p->unit_count; i++) {
    if (pp_run(&sources[i], &p->units[i].text, e) != 0) return -1;
    take_questions(p->out, i, &p->units[i].text);
  }
  return 0;
}

static int parse_all(program *p, error *e) {
  for (uint32_t i = 0; i < p->unit_count; i++) {
    unit *u = &p->units[i];
    if (front_read(&u->text, u->text.other_options, &u->tree, e) != 0) return -1;
    u->graph = tree_graph_read(u->tree);
    u->stores = read_stores(u->tree, u->text.other_options);
  }
  return 0;
}

/* A kernel that is called needs a twin that is a plain function, and those cannot declare __local variables. */
static int check_called_kernels(const program *p, error *e) {
  for (size_t i = 0; i < p->function_count; i++) {
    const function *f = &p->functions[i];
    const bool twice = f->node->symbol->kernel && f->called;
    for (const tree_node *n = twice ? f->node : NULL; n != NULL; n = tree_next(f->node, n)) {
      if (n->kind == TREE_VARIABLE && n->type != NULL && n->type->space == TREE_SPACE_LOCAL) {
        return error_set(e, EXIT_INTERNAL, "kernel %s declares __local variables and is called by another function",
                         f->node->symbol->name);
      }
    }
  }
  return 0;
}

static void join_options(const pp_input *sources, size_t count, model *m) {
  buffer joined = {0};
  for (size_t i = 0; i < count; i++)
    buffer_printf(&joined, "%s%s", i == 0 ? "" : "\n", sources[i].options == NULL ? "" : sources[i].options);
  m->options = buffer_take(&joined);
}

int program_prepare(program *p, const pp_input *sources, size_t source_count, instrument_result *out, error *e) {
  *out = (instrument_result){0};
  *p = (program){.out = out, .unit_count = source_count};
  p->units = mem_calloc(source_count, sizeof *p->units);
  int result = preprocess_all(p, sources, e);
  if (result != 0 || out->question_count > 0) return result;
  result = parse_all(p, e);
  if (result == 0) result = discover(p, e);
  if (result == 0) result = check_called_kernels(p, e);
  if (result == 0) join_options(sources, source_count, &out->model);
  return result;
}

void program_free(program *p) {
  for (size_t i = 0; i < p->unit_count; i++) {
    tree_free(p->units[i].tree);
    pp_result_free(&p->units[i].text);
    free(p->units[i].stores.items);
    free(p->units[i].files);
  }
  for (size_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->point_count; k++) free(f->points[k].guards);
    for (size_t k = 0; k < f->instance_count; k++) free(f->instances[k].paths);
    statements_free(&f->statements);
    free(f->decisions);
    free(f->instances);
    free(f->leaves);
    free(f->implied);
    free(f->calls);
    free(f->points);
  }
  free(p->units);
  free(p->functions);
  free(p->planes);
  free(p->kernel_functions);
}
