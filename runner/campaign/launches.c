/* Sites of launches, as runs without any mutant tell of them, and mutants in runs. */
#include "runner/campaign/launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

bool campaign_has_launches(const campaign_options *o) {
  bool any = false;
  for (unsigned op = MUTATE_DIMENSIONS; op <= MUTATE_ARGUMENT; op++) {
    any = any || o->operators[op];
  }
  return any;
}

/* --- what runs tell ------------------------------------------------------------------------------------------------ */

static uint32_t find_site(launch_sites *sites, size_t tests, char *kernel, char *module, uint64_t offset) {
  for (size_t i = 0; i < sites->count; i++) {
    const launch_site *s = &sites->list[i];
    if (s->offset == offset && strcmp(s->kernel, kernel) == 0 && strcmp(s->module, module) == 0) {
      free(kernel);
      free(module);
      return (uint32_t)i;
    }
  }
  *ARRAY_ADD(sites->list, sites->count, sites->capacity) =
      (launch_site){.kernel = kernel, .module = module, .offset = offset, .reached = mem_calloc(tests, sizeof(bool))};
  return (uint32_t)sites->count - 1;
}

int campaign_site(campaign_job *j, wire_reader *in, error *e) {
  campaign *c = j->campaign;
  test_state *t = &c->tests[j->base.test];
  const experiment_case *of = &c->base.cases[j->base.test];
  char *kernel = wire_string(in, NULL), *module = wire_string(in, NULL);
  const uint64_t offset = wire_u64(in);
  launch_moment now = {.number = wire_u64(in), .thread = wire_u64(in)};
  const uint32_t shape = wire_u32(in);
  const uint64_t values = wire_u64(in), nonzero = wire_u64(in);
  if (in->failed) {
    free(kernel);
    free(module);
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  }
  if (j->kind != JOB_PLAIN) {
    free(kernel);
    free(module);
    return 0;
  }
  now.site = find_site(&c->sites, c->base.options->test_count, kernel, module, offset);
  launch_site *s = &c->sites.list[now.site];
  s->shape |= shape;
  s->values |= values;
  s->nonzero |= nonzero;
  s->reached[j->base.test] = true;
  if (of->ended_well + of->failed == 0) { /* of its first run */
    *ARRAY_ADD(t->moments, t->moment_count, t->moment_capacity) = now;
  }
  return 0;
}

/* --- in runs of mutants -------------------------------------------------------------------------------------------- */

static const launch_site *site_of(const launch_sites *sites, const campaign_program *p, uint32_t index) {
  return &sites->list[p->launches[index].site];
}

char *launch_change_text(const launch_sites *sites, const campaign_program *p, uint32_t index) {
  if (p->launches == NULL) {
    return NULL;
  }
  const launch_change *change = &p->launches[index].change;
  const launch_site *s = site_of(sites, p, index);
  buffer text = {0};
  buffer_printf(&text, LAUNCH_CHANGE_FORMAT, (unsigned)change->kind, (unsigned)change->first, (unsigned)change->second,
                change->type, (unsigned long long)s->offset, s->kernel, s->module);
  return buffer_take(&text);
}

bool launch_reached(const launch_sites *sites, size_t test, const campaign_program *p, uint32_t index) {
  return site_of(sites, p, index)->reached[test];
}

/* What happened to the launches of a kernel in a test case. */
static bool is_of_kernel(const launch_sites *sites, const launch_moment *m, const char *kernel) {
  return strcmp(sites->list[m->site].kernel, kernel) == 0;
}

launch_range *launch_ranges(const campaign *c, size_t test, const campaign_program *p, uint32_t index, size_t *count) {
  const test_state *t = &c->tests[test];
  const uint32_t wanted = p->launches[index].site;
  launch_range *ranges = NULL;
  size_t capacity = 0;
  uint32_t last = UINT32_MAX;
  *count = 0;
  for (size_t i = 0; i < t->moment_count; i++) {
    const launch_moment *m = &t->moments[i];
    if (!is_of_kernel(&c->sites, m, c->sites.list[wanted].kernel) || m->site == last) {
      continue;
    }
    if (last == wanted) {
      ranges[*count - 1].behind = m->number;
    }
    if (m->site == wanted) {
      *ARRAY_ADD(ranges, *count, capacity) = (launch_range){m->number, UINT64_MAX};
    }
    last = m->site;
  }
  return ranges;
}

bool launch_is_ordered(const campaign *c, size_t test, const campaign_program *p, uint32_t index) {
  const test_state *t = &c->tests[test];
  const launch_moment *first = NULL;
  bool threads = false, sites = false, unordered = false;
  if (p->launches == NULL) {
    return true;
  }
  for (size_t i = 0; i < t->moment_count; i++) {
    const launch_moment *m = &t->moments[i];
    if (is_of_kernel(&c->sites, m, site_of(&c->sites, p, index)->kernel)) {
      first = first == NULL ? m : first;
      threads = threads || m->thread != first->thread;
      sites = sites || m->site != first->site;
      unordered = unordered || m->number == SITE_UNORDERED;
    }
  }
  return first != NULL && !unordered && !(threads && sites);
}

void launches_free(campaign *c) {
  for (size_t i = 0; i < c->sites.count; i++) {
    free(c->sites.list[i].kernel);
    free(c->sites.list[i].module);
    free(c->sites.list[i].reached);
  }
  free(c->sites.list);
  for (size_t t = 0; t < c->base.options->test_count && c->tests != NULL; t++) {
    free(c->tests[t].moments);
  }
}
