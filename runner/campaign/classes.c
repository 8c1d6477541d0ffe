/* Which mutants of several builds are one change, and which changes are alike in all of them. */
#include "runner/campaign/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/home.h"
#include "base/memory.h"

bool program_is_launched(const campaign *c, size_t program) {
  bool launched = false;
  for (size_t t = 0; t < c->base.options->test_count && !launched; t++) {
    launched = program < c->tests[t].reached_count && c->tests[t].reached[program] != NULL;
  }
  return launched;
}

/* --- one change in several builds --------------------------------------------------------------------------------- */

typedef struct named {
  char name[65]; /* the same for the same change */
  campaign_mutant *mutant;
  size_t order;
} named;

/* As reports see it: by its file and place there, where it is written in a file of the project by the place in that. */
static void name_change(const campaign_program *p, const mutant *m, char name[65]) {
  const model_file *file = &p->schema.model.files[m->file];
  const home_shown at = home_show(file, m->offset, m->end_offset, m->line, m->column, m->end_line);
  const bool moved = at.name != file->name;
  digester d;
  digest_begin(&d);
  digest_text(&d, moved ? at.name : file->sha256);
  digest_number(&d, moved ? at.line : m->id);
  digest_number(&d, moved ? at.column : m->offset);
  digest_number(&d, m->op);
  digest_text(&d, m->original);
  digest_text(&d, m->replacement);
  digest_text(&d, m->description != NULL ? m->description : "");
  digest_end(&d, name);
}

static int by_name(const void *a, const void *b) {
  const named *x = a, *y = b;
  const int names = strcmp(x->name, y->name);
  return names != 0 ? names : (x->order > y->order) - (x->order < y->order);
}

size_t changes_number(const campaign_programs *among) {
  named *all = NULL;
  size_t count = 0, capacity = 0, changes = 0;
  for (size_t p = 0; p < among->count; p++) {
    for (size_t m = 0; m < among->list[p]->schema.mutant_count; m++) {
      campaign_mutant *one = &among->list[p]->mutants[m];
      if (one->chosen && among->list[p]->launches == NULL) {
        named *n = ARRAY_ADD(all, count, capacity);
        *n = (named){.mutant = one, .order = count - 1};
        name_change(among->list[p], one->mutant, n->name);
      }
    }
  }
  if (count > 0) {
    qsort(all, count, sizeof *all, by_name);
  }
  for (size_t i = 0; i < count; i++) {
    changes += i == 0 || strcmp(all[i - 1].name, all[i].name) != 0 ? 1 : 0;
    all[i].mutant->change = (uint32_t)changes - 1;
  }
  free(all);
  return changes;
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

/* The same for the same build in another run. */
static void put_build(digester *d, const campaign_program *p) {
  const model *m = &p->schema.model;
  digest_text(d, m->options);
  for (size_t i = 0; i < m->file_count; i++) {
    digest_text(d, m->files[i].sha256);
  }
}

/* In a build in which nothing is said of it the change is the original: it is not there. */
static void judge(const campaign *c, code_change *change,
                  const code_item *(*original)(const campaign *c, const code_item *of)) {
  digester d;
  size_t built = 0;
  digest_begin(&d);
  change->equivalent = !change->unclear;
  for (size_t i = 0; i < change->count && !change->unclear; i++) {
    const code_item *item = change->items[i], *without = original(c, item);
    const mutant *m = mutant_at(&c->programs, item->program, item->index)->mutant;
    change->unclear = !item->known || !without->known || !without->built || (item->built && item->digest[0] == '\0');
    if (change->unclear || (item->built && strcmp(item->digest, without->digest) == 0)) {
      built += item->built ? 1 : 0;
      continue;
    }
    change->equivalent = change->equivalent && !item->built;
    put_build(&d, c->programs.list[item->program]);
    digest_text(&d, item->built ? item->digest : "invalid");
    digest_bytes(&d, m->kernels, m->kernel_count * sizeof *m->kernels);
    built += item->built ? 1 : 0;
  }
  digest_end(&d, change->key);
  change->unclear = change->unclear || built == 0; /* of one that is nowhere built each build says so by itself */
  change->equivalent = change->equivalent && !change->unclear;
}

static int by_key(const void *a, const void *b) {
  const code_change *x = *(const code_change *const *)a, *y = *(const code_change *const *)b;
  const int keys = strcmp(x->key, y->key);
  if (keys != 0) {
    return keys;
  }
  return x->items[0] != y->items[0] ? (x->items[0] > y->items[0] ? 1 : -1) : 0;
}

void changes_judge(const campaign *c, code_change *changes, size_t count,
                   const code_item *(*original)(const campaign *c, const code_item *of)) {
  code_change **sorted = mem_calloc(count + 1, sizeof(code_change *));
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    changes[i].first = (uint32_t)i;
    if (changes[i].count > 0) {
      judge(c, &changes[i], original);
      sorted[known] = &changes[i];
      known += !changes[i].unclear && !changes[i].equivalent ? 1 : 0;
    }
  }
  if (known > 0) {
    qsort(sorted, known, sizeof(code_change *), by_key);
  }
  for (size_t i = 1; i < known; i++) {
    if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0) {
      sorted[i]->first = sorted[i - 1]->first;
    }
  }
  free(sorted);
}
