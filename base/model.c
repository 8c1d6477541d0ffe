/* The model of a program: names of its kinds of sites, and its release. */
#include "base/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/names.h"

void model_homes_free(model_home *homes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(homes[i].name);
    free(homes[i].root);
    free(homes[i].text);
    free(homes[i].spans);
  }
  free(homes);
}

void model_files_free(model_file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    model_homes_free(files[i].homes, files[i].home_count);
    free(files[i].name);
    free(files[i].root);
    free(files[i].text);
  }
  free(files);
}

void model_functions_free(model_function *functions, size_t count) {
  for (size_t i = 0; i < count; i++) free(functions[i].name);
  free(functions);
}

void model_sites_free(model_site *sites, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < sites[i].outcome_count; k++) free(sites[i].outcomes[k].label);
    free(sites[i].outcomes);
  }
  free(sites);
}

uint32_t model_name_digest(const char *name) {
  uint32_t digest = 2166136261U; /* FNV-1a */
  for (; *name != '\0'; name++) digest = (digest ^ (unsigned char)*name) * 16777619U;
  return digest;
}

void model_free(model *m) {
  model_files_free(m->files, m->file_count);
  model_functions_free(m->functions, m->function_count);
  model_sites_free(m->sites, m->site_count);
  for (size_t i = 0; i < m->line_count; i++) free(m->lines[i].terms);
  for (size_t i = 0; i < m->kernel_count; i++) {
    free(m->kernels[i].name);
    free(m->kernels[i].functions);
    free(m->kernels[i].sites);
  }
  free(m->lines);
  free(m->kernels);
  free(m->options);
  *m = (model){0};
}

/* Names of the kinds of sites. */

static const char *const names[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = "function",
    [SITE_IF] = "if",
    [SITE_CONDITIONAL] = "conditional",
    [SITE_SWITCH] = "switch",
    [SITE_FOR] = "for",
    [SITE_WHILE] = "while",
    [SITE_DO] = "do",
    [SITE_BARRIER] = "barrier",
    [SITE_REGION] = "region",
    [SITE_CONDITION] = "condition",
    [SITE_ASYNC] = "async",
    [SITE_DECISION] = "decision",
};

const char *site_kind_name(site_kind kind) { return (unsigned)kind < SITE_KIND_COUNT ? names[kind] : "unknown"; }

int site_kind_from_name(const char *name) { return name_number(names, SITE_KIND_COUNT, name); }
