/* Programs with many mutants: one schema of them all would take a compiler minutes, in which no verdict comes. What
 * they reach and how long their kernels take tells the original as a clone; their mutants get several schemas, of which
 * the first, those that are run first, are small. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/build/build.h"
#include "runner/campaign/internal.h"

enum { MOST_IN_ONE = 512, FIRST_PART = 16, LARGEST_PART = 256 };

static size_t count_mutants(const campaign_options *o, const campaign_program *p) {
  size_t count = 0;
  for (size_t m = 0; m < p->schema.mutant_count; m++) {
    count += campaign_selects(o, &p->schema.model, &p->schema.mutants[m]) ? 1 : 0;
  }
  return count;
}

int campaign_divide(campaign *c, error *e) {
  for (size_t i = 0; i < c->programs.count; i++) {
    campaign_program *p = c->programs.list[i];
    if (p->reason == NULL && !p->cloned && count_mutants(c->options, p) > MOST_IN_ONE) {
      if (campaign_write_original(c, p, e) != 0) {
        return -1;
      }
      p->divided = p->original.texts != NULL;
    }
  }
  return 0;
}

/* The part that a mutant comes into: the program's last one, if it has room. */
static uint32_t part_with_room(campaign_program *p, size_t *room) {
  schema_part *last = p->part_count == 0 ? NULL : &p->parts[p->part_count - 1];
  if (last == NULL || last->count == *room) {
    *room = last == NULL ? FIRST_PART : *room * 2 < LARGEST_PART ? *room * 2 : LARGEST_PART;
    last = ARRAY_ADD(p->parts, p->part_count, p->part_capacity);
    last->numbers = mem_calloc(*room, sizeof *last->numbers);
  }
  return (uint32_t)(last - p->parts);
}

void campaign_cut(campaign *c) {
  size_t *rooms = mem_calloc(c->programs.count + 1, sizeof *rooms);
  for (size_t i = 0; i < c->queue.count; i++) {
    const mutant_index at = c->queue.list[i];
    campaign_program *p = c->programs.list[at.program];
    campaign_mutant *m = &p->mutants[at.index];
    if (p->divided && m->reached && m->form == MUTANT_SELECTED) {
      m->part = part_with_room(p, &rooms[at.program]);
      schema_part *part = &p->parts[m->part];
      part->numbers[part->count++] = m->mutant->number;
    }
  }
  free(rooms);
}

bool campaign_write_part(const campaign_options *o, campaign_program *p, uint32_t index) {
  schema_part *part = &p->parts[p->mutants[index].part];
  if (!part->written) {
    error ignored;
    const build_mutants which = {part->numbers, part->count, true, o->operators};
    part->written = true;
    (void)build_mutated(&p->request, &which, &part->made, &ignored);
    campaign_keep_texts(&part->made);
  }
  return part->made.texts != NULL;
}
