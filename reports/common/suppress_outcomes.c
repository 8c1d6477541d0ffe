#include "reports/common/suppress_outcomes.h"

#include <stdlib.h>
#include <string.h>

#include "reports/common/place.h"

static const char *const rules[] = {[OUTCOME_ZERO] = "loop-zero",
                                    [OUTCOME_ONE] = "loop-one",
                                    [OUTCOME_MANY] = "loop-many",
                                    [OUTCOME_BOUNDARY] = "loop-boundary"};

static bool is_loop(const model_site *s) { return s->kind == SITE_FOR || s->kind == SITE_WHILE || s->kind == SITE_DO; }

static bool is_named(const suppression *s, const char *name) {
  return s->kernel == NULL || suppress_matches(s->kernel, name, strlen(name));
}

static bool has_function(const view_kernel *k, uint32_t function) {
  bool has = false;
  for (size_t i = 0; i < k->function_count; i++) {
    has = has || k->functions[i] == function;
  }
  return has;
}

/* Is it in a function that is meant, or that only kernels reach that are? */
static bool is_meant(const view *v, const suppression *s, uint32_t function) {
  size_t reach = 0, meant = 0;
  if (function == MODEL_NONE || is_named(s, v->functions[function].name)) {
    return function != MODEL_NONE || s->kernel == NULL;
  }
  for (size_t i = 0; i < v->kernel_count; i++) {
    const bool reaches = has_function(&v->kernels[i], function);
    reach += reaches ? 1 : 0;
    meant += reaches && is_named(s, v->kernels[i].name) ? 1 : 0;
  }
  return reach > 0 && meant == reach;
}

/* Without those that a schedule of work-groups has reached: that refers to outcomes by their places. */
static bool is_unreached(const view *v, const model_site *site) {
  for (size_t l = 0; l < v->launch_count; l++) {
    for (size_t i = 0; i < v->launches[l].schedule_count; i++) {
      const db_schedule *s = &v->launches[l].schedules[i];
      for (size_t k = 0; k < s->reached_count; k++) {
        if (&v->sites[s->reached[k].site] == site) {
          return false;
        }
      }
    }
  }
  return true;
}

static size_t take(model_site *site, const char *pattern) {
  size_t kept = 0;
  for (size_t i = 0; i < site->outcome_count; i++) {
    model_outcome *o = &site->outcomes[i];
    const char *rule = o->index <= OUTCOME_BOUNDARY ? rules[o->index] : "";
    if (o->tests == 0 && rule[0] != '\0' && suppress_matches(pattern, rule, strlen(rule))) {
      free(o->label);
    } else {
      site->outcomes[kept++] = *o;
    }
  }
  const size_t taken = site->outcome_count - kept;
  site->outcome_count = kept;
  return taken;
}

size_t suppress_outcomes(view *v, const suppression *s) {
  size_t taken = 0;
  if (s->rule == NULL || strncmp(s->rule, "loop-", 5) != 0) {
    return 0;
  }
  for (size_t i = 0; i < v->site_count; i++) {
    model_site *site = &v->sites[i];
    if (is_loop(site) && suppress_line_matches(s->line, v, site->file, site->line) && is_meant(v, s, site->function) &&
        is_unreached(v, site)) {
      taken += take(site, s->rule);
    }
  }
  for (size_t k = 0; k < v->kernel_count; k++) {
    for (size_t i = 0; i < v->kernels[k].site_count; i++) {
      model_site *site = &v->kernels[k].sites[i];
      if (is_loop(site) && suppress_line_matches(s->line, v, site->file, site->line) &&
          (is_named(s, v->kernels[k].name) || is_meant(v, s, site->function))) {
        (void)take(site, s->rule);
      }
    }
  }
  return taken;
}
