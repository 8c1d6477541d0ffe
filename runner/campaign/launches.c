/* Sites of launches, as runs without any mutant tell of them, and mutants in runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/files.h"
#include "base/memory.h"
#include "runner/call_places.h"
#include "runner/campaign/internal.h"

bool campaign_has_launches(const campaign_options *o) {
  bool any = false;
  for (unsigned op = MUTATE_DIMENSIONS; op <= MUTATE_ARGUMENT; op++) any = any || o->operators[op];
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
  if (of->ended_well + of->failed == 0) /* of its first run */
    *ARRAY_ADD(t->moments, t->moment_count, t->moment_capacity) = now;
  return 0;
}

/* --- in runs of mutants -------------------------------------------------------------------------------------------- */

static const launch_site *site_of(const launch_sites *sites, const campaign_program *p, uint32_t index) {
  return &sites->list[p->launches[index].site];
}

char *launch_change_text(const launch_sites *sites, const campaign_program *p, uint32_t index) {
  if (p->launches == NULL) return NULL;
  const launch_change *change = &p->launches[index].change;
  const launch_site *s = site_of(sites, p, index);
  return mem_printf(LAUNCH_CHANGE_FORMAT, (unsigned)change->kind, (unsigned)change->first, (unsigned)change->second,
                    change->type, (unsigned long long)s->offset, s->kernel, s->module);
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
    if (!is_of_kernel(&c->sites, m, c->sites.list[wanted].kernel) || m->site == last) continue;
    if (last == wanted) ranges[*count - 1].behind = m->number;
    if (m->site == wanted) *ARRAY_ADD(ranges, *count, capacity) = (launch_range){m->number, UINT64_MAX};
    last = m->site;
  }
  return ranges;
}

bool launch_is_ordered(const campaign *c, size_t test, const campaign_program *p, uint32_t index) {
  const test_state *t = &c->tests[test];
  const launch_moment *first = NULL;
  bool threads = false, sites = false, unordered = false;
  if (p->launches == NULL) return true;
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
  for (size_t t = 0; t < c->base.options->test_count && c->tests != NULL; t++) free(c->tests[t].moments);
}

/* The mutants of launch sites, as those of programs whose files are the host's. */

/* A program in the making: what one executable file launches. */
typedef struct making {
  campaign *c;
  campaign_program *p;
  const char *module;
  char identity[65];
  uint32_t *sites; /* of the campaign */
  call_place *places;
  size_t site_count;
  mutant *mutants;
  size_t mutant_count, mutant_capacity, launch_capacity;
} making;

/* --- files --------------------------------------------------------------------------------------------------------- */

/* The file that a call is in, or one without text that stands for the call. */
static uint32_t file_of(making *k, size_t site) {
  model *m = &k->p->schema.model;
  const call_place *at = &k->places[site];
  model_file file = {0};
  if (at->path != NULL) {
    file.name = project_name(at->path, &file.root);
    file.text = catalogue_read(at->path, &file.length);
  } else {
    char name[512];
    (void)snprintf(name, sizeof name, "%.400s+0x%llx", path_end(k->module),
                   (unsigned long long)k->c->sites.list[k->sites[site]].offset);
    file.name = mem_strdup(name);
  }
  if (file.text != NULL) {
    (void)SHA256Data((const uint8_t *)file.text, file.length, file.sha256);
  } else {
    digester d;
    digest_begin(&d);
    digest_text(&d, k->identity);
    digest_text(&d, file.name);
    digest_end(&d, file.sha256);
    file.text = mem_strdup("");
  }
  for (uint32_t i = 0; i < m->file_count; i++) {
    if (strcmp(m->files[i].name, file.name) == 0) {
      free(file.name);
      free(file.root);
      free(file.text);
      return i;
    }
  }
  *ARRAY_ADD(m->files, m->file_count, m->file_capacity) = file;
  return (uint32_t)m->file_count - 1;
}

/* From the call, or the first word of its line, to the end of the line. */
static void set_place(const model_file *file, const call_place *at, mutant *m) {
  size_t begin = 0;
  m->line = m->end_line = at->path == NULL ? 1 : at->line;
  for (uint32_t line = 1; line < m->line && begin < file->length; begin++) line += file->text[begin] == '\n' ? 1 : 0;
  const size_t length = strcspn(file->text + begin, "\r\n");
  size_t skipped = at->column > 0 ? at->column - 1 : strspn(file->text + begin, " \t");
  skipped = skipped < length ? skipped : 0;
  m->column = (uint32_t)skipped + 1;
  m->offset = (uint32_t)(begin + skipped);
  m->end_offset = (uint32_t)(begin + length);
  m->end_column = (uint32_t)length + 1;
}

/* --- mutants ------------------------------------------------------------------------------------------------------- */

/* The number of a kernel among the model's, which names them alone. */
static uint32_t kernel_of(model *m, const char *name) {
  for (uint32_t i = 0; i < m->kernel_count; i++)
    if (strcmp(m->kernels[i].name, name) == 0) return i;
  *ARRAY_ADD(m->kernels, m->kernel_count, m->kernel_capacity) =
      (model_kernel){.name = mem_strdup(name), .function = MODEL_NONE};
  return (uint32_t)m->kernel_count - 1;
}

/* Sites before this one that nothing but their addresses tells from it. */
static size_t same_before(const making *k, size_t site) {
  size_t count = 0;
  const call_place *at = &k->places[site];
  for (size_t i = 0; i < site && at->path != NULL; i++) {
    const call_place *other = &k->places[i];
    count += other->path != NULL && strcmp(other->path, at->path) == 0 && other->line == at->line &&
                     other->column == at->column &&
                     strcmp(k->c->sites.list[k->sites[i]].kernel, k->c->sites.list[k->sites[site]].kernel) == 0
                 ? 1
                 : 0;
  }
  return count;
}

/* The same on every machine where debug information names the place, else for the same build. */
static uint32_t id_of(const making *k, size_t site, const mutant *m) {
  const launch_site *s = &k->c->sites.list[k->sites[site]];
  const model_file *file = &k->p->schema.model.files[m->file];
  digester d;
  char digest[65];
  digest_begin(&d);
  digest_text(&d, file->sha256);
  digest_number(&d, file->length > 0 ? m->offset : s->offset);
  digest_number(&d, same_before(k, site));
  digest_text(&d, s->kernel);
  digest_text(&d, m->description);
  digest_end(&d, digest);
  digest[8] = '\0';
  uint32_t id = (uint32_t)strtoul(digest, NULL, 16);
  for (size_t i = 0; i < k->mutant_count; i++) { /* two of one number are as rare as they are unlikely */
    if (id == 0 || k->mutants[i].id == id) {
      id++;
      i = 0;
    }
  }
  return id;
}

static void add(making *k, size_t site, mutate_operator op, launch_change change, const char *words) {
  model *of = &k->p->schema.model;
  const launch_site *s = &k->c->sites.list[k->sites[site]];
  mutant m = {.number = (uint32_t)k->mutant_count + 1,
              .op = op,
              .form = MUTANT_LAUNCHED,
              .file = file_of(k, site),
              .function = MODEL_NONE,
              .original = mem_strdup(""),
              .replacement = mem_strdup(""),
              .change = mem_strdup(""),
              .kernels = mem_calloc(1, sizeof(uint32_t)),
              .kernel_count = 1};
  m.description = mem_printf("%s is launched with %s", s->kernel, words);
  m.kernels[0] = kernel_of(of, s->kernel);
  set_place(&of->files[m.file], &k->places[site], &m);
  m.id = id_of(k, site, &m);
  *ARRAY_ADD(k->mutants, k->mutant_count, k->mutant_capacity) = m;
  size_t count = k->mutant_count - 1;
  *ARRAY_ADD(k->p->launches, count, k->launch_capacity) = (launch_mutant){k->sites[site], change};
}

/* --- operators ----------------------------------------------------------------------------------------------------- */

static void add_sizes(making *k, size_t site) {
  static const struct {
    mutate_operator op;
    launch_change_kind kind;
    const char *words;
  } each[] = {
      {MUTATE_GROUPS, CHANGE_MORE, "a work-group more in dimension %u"},
      {MUTATE_GROUPS, CHANGE_LESS, "a work-group less in dimension %u"},
      {MUTATE_LOCAL_SIZE, CHANGE_HALVED, "half the work-group size in dimension %u"},
      {MUTATE_LOCAL_SIZE, CHANGE_DOUBLED, "twice the work-group size in dimension %u"},
      {MUTATE_OFFSET, CHANGE_OFFSET, "the global offset + 1 in dimension %u"},
  };
  const uint32_t shape = k->c->sites.list[k->sites[site]].shape;
  char words[128];
  for (uint32_t d = 0; d < 3; d++) {
    for (uint32_t other = d + 1; other < 3; other++) {
      if ((shape & SHAPE_UNEQUAL(d, other)) != 0) {
        (void)snprintf(words, sizeof words, "dimensions %u and %u of the global size exchanged", (unsigned)d,
                       (unsigned)other);
        add(k, site, MUTATE_DIMENSIONS, (launch_change){CHANGE_EXCHANGED, d, other, LAUNCH_OTHER}, words);
      }
    }
  }
  for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
    for (uint32_t d = 0; d < 3; d++) {
      const uint32_t needed = each[i].kind == CHANGE_HALVED    ? SHAPE_EVEN(d)
                              : each[i].kind == CHANGE_DOUBLED ? SHAPE_LOCAL(d)
                                                               : SHAPE_DIMENSION(d);
      if ((shape & needed) != 0) {
        (void)snprintf(words, sizeof words, each[i].words, (unsigned)d);
        add(k, site, each[i].op, (launch_change){each[i].kind, d, 0, LAUNCH_OTHER}, words);
      }
    }
  }
}

/* The parameters of a kernel of this name, as mutate_result has them; NULL: no source that was read has it, or several
 * have, and they differ. */
static const char *parameters_of(const campaign_programs *all, const char *kernel) {
  const char *found = NULL;
  for (size_t p = 0; p < all->count; p++) {
    const mutate_result *r = &all->list[p]->schema;
    for (size_t i = 0; i < r->kernel_parameter_count; i++) {
      if (strcmp(r->model.kernels[i].name, kernel) != 0) continue;
      if (found != NULL && strcmp(found, r->kernel_parameters[i]) != 0) return NULL;
      found = r->kernel_parameters[i];
    }
  }
  return found;
}

static void add_arguments(making *k, size_t site) {
  static const struct {
    launch_change_kind kind;
    const char *words;
  } each[] = {{CHANGE_ADD, "argument %u (%.80s) + 1"},
              {CHANGE_SUBTRACT, "argument %u (%.80s) - 1"},
              {CHANGE_ZERO, "argument %u (%.80s) 0"}};
  const launch_site *s = &k->c->sites.list[k->sites[site]];
  const char *at = parameters_of(&k->c->programs, s->kernel);
  for (uint32_t i = 0; at != NULL && *at != '\0' && i < 64; i++) {
    const char type = *at;
    const size_t length = strcspn(at, "\n");
    char name[128], words[256];
    (void)snprintf(name, sizeof name, "%.*s", (int)(length - 1), at + 1);
    const bool scalar = type != LAUNCH_OTHER && (s->values >> i & 1) != 0;
    for (size_t n = 0; n < sizeof each / sizeof each[0] && scalar; n++) {
      if (each[n].kind != CHANGE_ZERO || (s->nonzero >> i & 1) != 0) {
        (void)snprintf(words, sizeof words, each[n].words, (unsigned)i, name);
        add(k, site, MUTATE_ARGUMENT, (launch_change){each[n].kind, i, 0, type}, words);
      }
    }
    at += length + (at[length] == '\n' ? 1 : 0);
  }
}

/* --- programs ------------------------------------------------------------------------------------------------------ */

/* Rows of the kernels where their sources are stored; 0: there is none. */
static int64_t *kernel_rows(const campaign_programs *all, const model *m) {
  int64_t *rows = mem_calloc(m->kernel_count + 1, sizeof *rows);
  for (size_t k = 0; k < m->kernel_count; k++) {
    for (size_t p = all->count; p-- > 0;) {
      const campaign_program *of = all->list[p];
      for (size_t i = 0; of->launches == NULL && of->mutants != NULL && i < of->schema.model.kernel_count; i++) {
        const bool same = strcmp(of->schema.model.kernels[i].name, m->kernels[k].name) == 0;
        rows[k] = same ? of->stored.kernels[i] : rows[k];
      }
    }
  }
  return rows;
}

/* Its kernels are stored with their own programs. */
static int store(making *k, error *e) {
  campaign *c = k->c;
  campaign_program *p = k->p;
  model files = p->schema.model;
  files.kernel_count = 0;
  if (db_add_program(c->base.db, c->base.run, &files, &p->stored, e) != 0) return -1;
  free(p->stored.kernels);
  p->stored.kernels = kernel_rows(&c->programs, &p->schema.model);
  return 0;
}

static int make_program(campaign *c, const char *module, error *e) {
  campaign_program *p = mem_calloc(1, sizeof *p);
  making k = {.c = c, .p = p, .module = module};
  k.sites = mem_calloc(c->sites.count, sizeof *k.sites);
  k.places = mem_calloc(c->sites.count, sizeof *k.places);
  scoped uint64_t *offsets = mem_calloc(c->sites.count, sizeof *offsets);
  for (uint32_t i = 0; i < c->sites.count; i++) {
    if (strcmp(c->sites.list[i].module, module) == 0) {
      offsets[k.site_count] = c->sites.list[i].offset;
      k.sites[k.site_count++] = i;
    }
  }
  p->name = mem_strdup(path_end(module));
  p->schema.model.options = mem_strdup("");
  module_identity(module, k.identity);
  find_call_places(module, offsets, k.site_count, k.places);
  for (size_t i = 0; i < k.site_count; i++) {
    add_sizes(&k, i);
    add_arguments(&k, i);
  }
  p->schema.mutants = k.mutants;
  p->launch_count = k.mutant_count;
  p->mutants = mem_calloc(k.mutant_count + 1, sizeof *p->mutants);
  for (size_t i = 0; i < k.mutant_count; i++)
    p->mutants[i] = (campaign_mutant){.mutant = &k.mutants[i], .form = MUTANT_LAUNCHED, .batch = NO_BATCH};
  const int result = k.mutant_count == 0 ? 0 : store(&k, e);
  *ARRAY_ADD(c->programs.list, c->programs.count, c->programs.capacity) = p;
  for (size_t i = 0; i < k.site_count; i++) free(k.places[i].path);
  free(k.places);
  free(k.sites);
  return result;
}

int campaign_launches(campaign *c, error *e) {
  int result = 0;
  for (size_t i = 0; i < c->sites.count && result == 0; i++) {
    bool first = true;
    for (size_t before = 0; before < i; before++)
      first = first && strcmp(c->sites.list[before].module, c->sites.list[i].module) != 0;
    result = first ? make_program(c, c->sites.list[i].module, e) : 0;
  }
  return result;
}

void campaign_take_launches(const campaign_programs *all) {
  for (size_t p = 0; p < all->count; p++)
    if (all->list[p]->launches != NULL) all->list[p]->schema.mutant_count = all->list[p]->launch_count;
}
