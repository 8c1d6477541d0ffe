/* Programs are laid over each other: a site is the same where file, offset and kind are, a line where file and number
 * are, a function or kernel where file, line and name are. Evidence is counted on them: by how many test cases each outcome and line
 * was covered, in all and by each kernel alone. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/internal.h"

/* The entry of the key, or the free one where it belongs. */
static index_entry *slot(const index_map *map, const index_key *key) {
  /* The hash map: open addressing, at most half full. */
  uint64_t hash = 0;
  for (int i = 0; i < 4; i++) {
    hash = (hash ^ key->part[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  size_t i = ((size_t)hash) & (map->capacity - 1);
  while (map->entries[i].value != 0 && memcmp(&map->entries[i].key, key, sizeof *key) != 0)
    i = (i + 1) & (map->capacity - 1);
  return &map->entries[i];
}

static void index_grow(mem_arena *a, index_map *map) {
  index_map larger = {.count = map->count, .capacity = map->capacity == 0 ? 64 : map->capacity * 2};
  larger.entries = mem_arena_array(a, larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < map->capacity; i++)
    if (map->entries[i].value != 0) *slot(&larger, &map->entries[i].key) = map->entries[i];
  *map = larger;
}

uint32_t index_find_or_add(mem_arena *a, index_map *map, index_key key, uint32_t value) {
  if (map->count * 2 >= map->capacity) index_grow(a, map);
  index_entry *entry = slot(map, &key);
  if (entry->value == 0) {
    *entry = (index_entry){key, value + 1};
    map->count++;
  }
  return entry->value - 1;
}

/* What a key of build.kernel_parts is about. */
enum { PART_FUNCTION, PART_SITE, PART_LINE };

static void *new_array(build *b, size_t count, size_t size) { return mem_arena_array(&b->v->memory, count, size); }

static uint32_t *new_map(build *b, size_t count) { return new_array(b, count, sizeof(uint32_t)); }

static uint32_t through(const uint32_t *map, uint32_t index) { return index == MODEL_NONE ? MODEL_NONE : map[index]; }

/* A file that several programs name differently has its newest name. */
static uint32_t add_file(build *b, const model_file *f) {
  view *v = b->v;
  uint32_t known = build_file_of(b, f->sha256);
  if (known == MODEL_NONE) {
    known = (uint32_t)v->file_count;
    *BUILD_ADD(b, v->files, v->file_count) = *f;
    v->files[known].homes = NULL; /* they are files of their own */
    v->files[known].home_count = 0;
  }
  v->files[known].name = f->name;
  v->files[known].root = f->root;
  return known;
}

static uint32_t add_function(build *b, const model_function *f, uint32_t file) {
  view *v = b->v;
  for (uint32_t nth = 0;; nth++) {
    index_key key = {{file, f->line, nth, 0}};
    uint32_t index = index_find_or_add(&b->v->memory, &b->functions, key, (uint32_t)v->function_count);
    if (index == v->function_count) {
      model_function *added = BUILD_ADD(b, v->functions, v->function_count);
      *added = *f;
      added->file = file;
      added->site = MODEL_NONE;
    }
    if (strcmp(v->functions[index].name, f->name) == 0) {
      v->functions[index].kernel |= f->kernel;
      return index;
    }
  }
}

/* --- sites -------------------------------------------------------------------------------------------------- */

/* How many outcomes before the k-th have its label. */
static size_t occurrence(const model_site *s, size_t k) {
  size_t n = 0;
  for (size_t i = 0; i < k; i++) n += strcmp(s->outcomes[i].label, s->outcomes[k].label) == 0 ? 1 : 0;
  return n;
}

/* The outcome of the view's site that is the k-th of the model's: by label where cases, or ways through a decision, may
 * come and go with the preprocessor, else by number. */
static uint32_t find_outcome(const model_site *in, const model_site *s, size_t k) {
  bool by_label = s->kind == SITE_SWITCH || s->kind == SITE_DECISION;
  size_t skip = by_label ? occurrence(s, k) : 0;
  for (size_t i = 0; i < in->outcome_count; i++) {
    bool same = by_label ? strcmp(in->outcomes[i].label, s->outcomes[k].label) == 0
                         : in->outcomes[i].index == s->outcomes[k].index;
    if (same && skip-- == 0) return (uint32_t)i;
  }
  return MODEL_NONE;
}

static uint32_t add_outcome(build *b, model_site *to, const model_site *s, size_t k) {
  uint32_t found = find_outcome(to, s, k);
  if (found != MODEL_NONE) return found;
  *BUILD_ADD(b, to->outcomes, to->outcome_count) = s->outcomes[k];
  return (uint32_t)to->outcome_count - 1;
}

static void add_sites(build *b, build_program *p) {
  view *v = b->v;
  uint32_t outcomes = 0;
  for (size_t i = 0; i < p->m.site_count; i++) {
    const model_site *s = &p->m.sites[i];
    const bool named = s->kind == SITE_FUNCTION && s->function != MODEL_NONE;
    const uint32_t name = named ? model_name_digest(p->m.functions[s->function].name) : 0;
    index_key key = {{p->files[s->file], s->offset, (uint32_t)s->kind, name}};
    uint32_t index = index_find_or_add(&b->v->memory, &b->sites, key, (uint32_t)v->site_count);
    if (index == v->site_count) {
      model_site *added = BUILD_ADD(b, v->sites, v->site_count);
      *added = *s;
      added->file = p->files[s->file];
      added->function = through(p->functions, s->function);
      added->outcomes = NULL;
      added->outcome_count = 0;
    }
    p->sites[i] = index;
    p->first[i] = outcomes;
    for (size_t k = 0; k < s->outcome_count; k++)
      *BUILD_ADD(b, p->positions, outcomes) = add_outcome(b, &v->sites[index], s, k);
  }
  p->first[p->m.site_count] = outcomes;
}

/* The place of a program's outcome in its flat arrays, MODEL_NONE when the site does not list it. */
static uint32_t flat_outcome(const build_program *p, uint32_t site, uint32_t number) {
  const model_site *s = &p->m.sites[site];
  for (uint32_t k = 0; k < s->outcome_count; k++)
    if (s->outcomes[k].index == number) return p->first[site] + k;
  return MODEL_NONE;
}

/* Turns the lines' terms round: from an outcome to the lines it executes. */
static void index_terms(build *b, build_program *p) {
  uint32_t outcomes = p->first[p->m.site_count], total = 0;
  p->first_line = new_map(b, (size_t)outcomes + 1);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < p->m.line_count; i++) {
      for (size_t k = 0; k < p->m.lines[i].term_count; k++) {
        const model_term *t = &p->m.lines[i].terms[k];
        uint32_t flat = flat_outcome(p, t->site, t->outcome);
        if (flat == MODEL_NONE) continue;
        if (pass == 0) {
          p->first_line[flat]++;
          total++;
        } else {
          p->lines_of[--p->first_line[flat]] = (uint32_t)i;
        }
      }
    }
    if (pass == 0) { /* counts become ends, which the second pass moves down to the starts */
      for (uint32_t i = 1; i <= outcomes; i++) p->first_line[i] += p->first_line[i - 1];
      p->lines_of = new_map(b, total);
    }
  }
}

static void add_lines(build *b, build_program *p) {
  view *v = b->v;
  for (size_t i = 0; i < p->m.line_count; i++) {
    const model_line *l = &p->m.lines[i];
    index_key key = {{p->files[l->file], l->line, 0, 0}};
    p->lines[i] = index_find_or_add(&b->v->memory, &b->lines, key, (uint32_t)v->line_count);
    if (p->lines[i] == v->line_count) {
      *BUILD_ADD(b, v->lines, v->line_count) =
          (view_line){.file = p->files[l->file], .line = l->line, .function = through(p->functions, l->function)};
    }
  }
  index_terms(b, p);
}

/* --- kernels ------------------------------------------------------------------------------------------------ */

/* The place of a part in a kernel of the view; it is appended to `items` when new. */
static uint32_t add_part(build *b, uint32_t kernel, uint32_t tag, uint32_t part, uint32_t **items, size_t *count) {
  index_key key = {{kernel, tag, part, 0}};
  uint32_t local = index_find_or_add(&b->v->memory, &b->kernel_parts, key, (uint32_t)*count);
  if (local == *count) *BUILD_ADD(b, *items, *count) = part;
  return local;
}

static uint32_t view_kernel_of(build *b, const model_kernel *k, uint32_t function) {
  view *v = b->v;
  uint32_t index = MODEL_NONE;
  for (uint32_t n = 0; index == MODEL_NONE; n++) { /* one macro may define several kernels: same place, other names */
    index =
        index_find_or_add(&b->v->memory, &b->kernel_of, (index_key){{function, n, 0, 0}}, (uint32_t)v->kernel_count);
    if (index < v->kernel_count && strcmp(v->kernels[index].name, k->name) != 0) index = MODEL_NONE;
  }
  if (index == v->kernel_count) {
    size_t count = v->kernel_count;
    (void)BUILD_ADD(b, b->kernels, count);
    *BUILD_ADD(b, v->kernels, v->kernel_count) = (view_kernel){.name = k->name, .function = function};
  }
  return index;
}

static void add_kernel(build *b, size_t program, size_t i) {
  build_program *p = &b->programs[program];
  const model *m = &p->m;
  const model_kernel *k = &m->kernels[i];
  uint32_t index = view_kernel_of(b, k, p->functions[k->function]);
  build_kernel *to = &b->kernels[index];
  build_launcher *launcher = BUILD_ADD(b, b->launchers, b->launcher_count);
  *launcher = (build_launcher){p->ids.kernels[i], program, index, new_map(b, m->site_count), new_map(b, m->line_count)};
  p->kernels[i] = index;
  scoped bool *reached = mem_calloc(m->function_count, sizeof *reached);
  for (size_t f = 0; f < k->function_count; f++) {
    reached[k->functions[f]] = true;
    (void)add_part(b, index, PART_FUNCTION, p->functions[k->functions[f]], &to->functions, &to->function_count);
  }
  scoped bool *used = mem_calloc(m->site_count, sizeof *used);
  for (size_t s = 0; s < k->site_count; s++) used[k->sites[s]] = true;
  for (size_t s = 0; s < m->site_count; s++) {
    uint32_t function = m->sites[s].function;
    used[s] = used[s] || (function != MODEL_NONE && reached[function]);
    launcher->sites[s] =
        !used[s] ? MODEL_NONE : add_part(b, index, PART_SITE, p->sites[s], &to->sites, &to->site_count);
  }
  for (size_t l = 0; l < m->line_count; l++) {
    uint32_t function = m->lines[l].function;
    launcher->lines[l] = function == MODEL_NONE || !reached[function]
                             ? MODEL_NONE
                             : add_part(b, index, PART_LINE, p->lines[l], &to->lines, &to->line_count);
  }
}

void build_add_program(build *b, size_t i) {
  build_program *p = &b->programs[i];
  model *m = &p->m;
  p->functions = new_map(b, m->function_count);
  p->sites = new_map(b, m->site_count);
  p->lines = new_map(b, m->line_count);
  p->kernels = new_map(b, m->kernel_count);
  build_move_home(b, p);
  p->files = new_map(b, m->file_count);
  p->first = new_map(b, m->site_count + 1);
  for (size_t f = 0; f < m->file_count; f++) p->files[f] = add_file(b, &m->files[f]);
  for (size_t f = 0; f < m->function_count; f++)
    p->functions[f] = add_function(b, &m->functions[f], p->files[m->functions[f].file]);
  add_sites(b, p);
  for (size_t f = 0; f < m->function_count; f++)
    b->v->functions[p->functions[f]].site = through(p->sites, m->functions[f].site);
  add_lines(b, p);
  for (size_t k = 0; k < m->kernel_count; k++) add_kernel(b, i, k);
}

/* Counting evidence: by how many test cases each outcome and line was covered, in all and by each kernel alone. */

static void start_kernel(build *b, build_kernel *k) {
  size_t outcomes = 0;
  k->first = new_array(b, k->site_count, sizeof *k->first);
  for (size_t i = 0; i < k->site_count; i++) {
    k->first[i] = outcomes;
    outcomes += b->v->sites[k->sites[i]].outcome_count;
  }
  k->outcomes = new_array(b, outcomes, sizeof *k->outcomes);
  k->line_counters = new_array(b, k->line_count, sizeof *k->line_counters);
}

/* Marks the outcomes that the kernel's own programs have. */
static void list_outcomes(build *b, const build_launcher *launcher) {
  const build_program *p = &b->programs[launcher->program];
  build_kernel *k = &b->kernels[launcher->kernel];
  for (size_t s = 0; s < p->m.site_count; s++)
    for (uint32_t o = p->first[s]; launcher->sites[s] != MODEL_NONE && o < p->first[s + 1]; o++)
      k->outcomes[k->first[launcher->sites[s]] + p->positions[o]].listed = true;
}

static int compare_launchers(const void *a, const void *b) {
  const build_launcher *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

void build_start_counting(build *b) {
  const view *v = b->v;
  size_t outcomes = 0;
  b->first = new_array(b, v->site_count, sizeof *b->first);
  for (size_t i = 0; i < v->site_count; i++) {
    b->first[i] = outcomes;
    outcomes += v->sites[i].outcome_count;
  }
  b->outcomes = new_array(b, outcomes, sizeof *b->outcomes);
  b->line_counters = new_array(b, v->line_count, sizeof *b->line_counters);
  for (size_t i = 0; i < v->kernel_count; i++) start_kernel(b, &b->kernels[i]);
  if (b->launcher_count > 0) qsort(b->launchers, b->launcher_count, sizeof *b->launchers, compare_launchers);
  for (size_t i = 0; i < b->launcher_count; i++) list_outcomes(b, &b->launchers[i]);
}

/* --- counting ----------------------------------------------------------------------------------------------- */

/* Whether it is the first time in this test case. */
static bool count_once(const build *b, counter *c) {
  const bool first = c->last != b->test_case;
  c->first = c->tests == 0 ? b->test_case - 1 : c->first;
  c->tests += first ? 1 : 0;
  c->cases |= b->test_case <= 64 ? UINT64_C(1) << (b->test_case - 1) : 0;
  c->last = b->test_case;
  return first;
}

/* The same of a line. Test cases come in order, so it goes from one set to that with one more; there are few sets. */
static bool count_line(build *b, line_counter *c) {
  if (!count_once(b, &c->count)) return false;
  view *v = b->v;
  const view_test_set next = {c->set == 0 ? MODEL_NONE : c->set - 1, b->test_case - 1};
  uint32_t found =
      index_find_or_add(&b->v->memory, &b->sets, (index_key){{c->set, next.last, 0, 0}}, (uint32_t)v->set_count);
  if (found == v->set_count) *BUILD_ADD(b, v->sets, v->set_count) = next;
  c->set = found + 1;
  return true;
}

static bool is_branch(site_kind kind) { return kind == SITE_IF || kind == SITE_CONDITIONAL || kind == SITE_SWITCH; }

build_launcher *build_find_launcher(const build *b, int64_t id) {
  const build_launcher key = {.id = id};
  return b->launcher_count == 0
             ? NULL
             : bsearch(&key, b->launchers, b->launcher_count, sizeof *b->launchers, compare_launchers);
}

/* Ids of a program's sites follow each other. */
uint32_t build_find_site(const build_program *p, int64_t id) {
  if (p->m.site_count == 0 || id < p->ids.sites[0] || id - p->ids.sites[0] >= (int64_t)p->m.site_count)
    return MODEL_NONE;
  return (uint32_t)(id - p->ids.sites[0]);
}

uint32_t build_find_outcome(const model_site *s, uint32_t number) {
  if (number < s->outcome_count && s->outcomes[number].index == number) return number;
  for (uint32_t k = 0; k < s->outcome_count; k++)
    if (s->outcomes[k].index == number) return k;
  return MODEL_NONE;
}

/* One piece of evidence. What the site does not list (OUTCOME_DIVERGED, say) is nothing to cover. */
static void count_outcome(build *b, const build_launcher *launcher, int64_t site_id, uint32_t number) {
  const build_program *p = &b->programs[launcher->program];
  build_kernel *k = &b->kernels[launcher->kernel];
  uint32_t site = build_find_site(p, site_id);
  uint32_t outcome = site == MODEL_NONE ? MODEL_NONE : build_find_outcome(&p->m.sites[site], number);
  if (outcome == MODEL_NONE) return;
  b->v->covers = true;
  uint32_t flat = p->first[site] + outcome;
  view_test_case *test_case = &b->v->test_cases[b->test_case - 1];
  if (count_once(b, &b->outcomes[b->first[p->sites[site]] + p->positions[flat]]) && is_branch(p->m.sites[site].kind))
    test_case->branches++;
  if (launcher->sites[site] != MODEL_NONE)
    (void)count_once(b, &k->outcomes[k->first[launcher->sites[site]] + p->positions[flat]]);
  for (uint32_t i = p->first_line[flat]; i < p->first_line[flat + 1]; i++) {
    uint32_t line = p->lines_of[i];
    if (launcher->lines[line] != MODEL_NONE) { /* else the site stands in a macro, and the line in another use of it */
      test_case->lines += count_line(b, &b->line_counters[p->lines[line]]) ? 1 : 0;
      (void)count_once(b, &k->line_counters[launcher->lines[line]]);
    }
  }
}

/* Launches of a kernel in an execution of a test case. Its executions in several runs are the same one again: the most
 * count. */
static void count_launches(build *b, uint32_t kernel, int64_t execution, uint64_t launches) {
  build_kernel *k = &b->kernels[kernel];
  if (k->execution != execution) {
    k->execution = execution;
    k->launches = 0;
  }
  if (k->test_case != b->test_case) {
    k->test_case = b->test_case;
    k->most_launches = 0;
  }
  k->launches += launches;
  if (k->launches > k->most_launches) {
    uint64_t more = k->launches - k->most_launches;
    b->v->kernels[kernel].launches += more;
    b->v->test_cases[b->test_case - 1].launches += more;
    k->most_launches = k->launches;
  }
  (void)count_once(b, &k->launched);
}

int build_count_test_case(build *b, const build_test_case *test_case, error *e) {
  b->test_case = test_case->index + 1;
  EACH_ROW(step, row, b->d, SQL_LAUNCHES, e, "i", test_case->id) {
    const build_launcher *launcher = build_find_launcher(b, sqlite3_column_int64(row, 0));
    if (launcher != NULL) count_launches(b, launcher->kernel, test_case->id, (uint64_t)sqlite3_column_int64(row, 1));
  }
  sqlite3_stmt *row = step != 0 ? NULL : sql_bind(b->d, SQL_EVIDENCE, e, "i", test_case->id);
  step = row == NULL ? -1 : sql_step(b->d, row, e);
  const build_launcher *launcher = NULL;
  for (; step == 1; step = sql_step(b->d, row, e)) {
    int64_t kernel = sqlite3_column_int64(row, 0);
    if (launcher == NULL || launcher->id != kernel) launcher = build_find_launcher(b, kernel);
    if (launcher != NULL) count_outcome(b, launcher, sqlite3_column_int64(row, 1), sql_u32(row, 2));
  }
  return step;
}

/* --- into the view ------------------------------------------------------------------------------------------ */

static bool ascending(const model_site *s) {
  for (size_t i = 1; i < s->outcome_count; i++)
    if (s->outcomes[i].index <= s->outcomes[i - 1].index) return false;
  return true;
}

static bool goes_before(const model_outcome *a, const model_outcome *b) {
  bool a_default = strcmp(a->label, "default") == 0;
  bool b_default = strcmp(b->label, "default") == 0;
  return a_default != b_default ? b_default : a->line < b->line;
}

/* Cases of several programs together get numbers of their own: in order of line, default last. */
static void renumber_program(model_site *s) {
  if (s->kind != SITE_SWITCH || ascending(s)) return;
  for (size_t i = 0; i < s->outcome_count; i++) {
    uint32_t before = 0;
    for (size_t k = 0; k < s->outcome_count; k++) {
      const model_outcome *mine = &s->outcomes[i], *other = &s->outcomes[k];
      before += goes_before(other, mine) || (k < i && !goes_before(mine, other)) ? 1 : 0;
    }
    s->outcomes[i].index = before;
  }
}

/* A copy of the site with what the kernel alone did. */
static model_site kernel_site(build *b, const model_site *site, const counter *outcomes) {
  model_site copy = *site;
  copy.outcomes = new_array(b, site->outcome_count, sizeof *copy.outcomes);
  copy.outcome_count = 0;
  for (size_t i = 0; i < site->outcome_count; i++) {
    if (outcomes[i].listed) {
      model_outcome *o = &copy.outcomes[copy.outcome_count++];
      *o = site->outcomes[i];
      o->tests = outcomes[i].tests;
      o->first = outcomes[i].first;
      o->cases = outcomes[i].cases;
    }
  }
  return copy;
}

static void finish_kernel(build *b, const build_kernel *from, view_kernel *to) {
  const view *v = b->v;
  to->tests = from->launched.tests;
  to->functions = from->functions;
  to->function_count = from->function_count;
  to->sites = new_array(b, from->site_count, sizeof *to->sites);
  to->site_count = from->site_count;
  for (size_t i = 0; i < from->site_count; i++)
    to->sites[i] = kernel_site(b, &v->sites[from->sites[i]], &from->outcomes[from->first[i]]);
  to->lines = new_array(b, from->line_count, sizeof *to->lines);
  to->line_count = from->line_count;
  for (size_t i = 0; i < from->line_count; i++) {
    to->lines[i] = v->lines[from->lines[i]];
    to->lines[i].tests = from->line_counters[i].tests;
    to->lines[i].set = MODEL_NONE; /* of a kernel alone that is not asked */
  }
}

void build_finish(build *b) {
  view *v = b->v;
  for (size_t i = 0; i < v->site_count; i++) renumber_program(&v->sites[i]);
  for (size_t i = 0; i < v->kernel_count; i++) finish_kernel(b, &b->kernels[i], &v->kernels[i]);
  for (size_t i = 0; i < v->site_count; i++) {
    for (size_t k = 0; k < v->sites[i].outcome_count; k++) {
      v->sites[i].outcomes[k].tests = b->outcomes[b->first[i] + k].tests;
      v->sites[i].outcomes[k].first = b->outcomes[b->first[i] + k].first;
    }
  }
  for (size_t i = 0; i < v->line_count; i++) {
    v->lines[i].tests = b->line_counters[i].count.tests;
    v->lines[i].set = b->line_counters[i].set == 0 ? MODEL_NONE : b->line_counters[i].set - 1;
  }
}
