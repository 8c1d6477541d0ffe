/* The order in which mutants are drawn: at random within strata, so that those that have a verdict when a campaign is
 * cut off tell what the score of all would be.
 *
 * Sorted by kernel, operator and line, mutants that are alike stand beside each other; those of one line in a random
 * order. Each half of this list is put into an order in the same way, and then one of each half is taken in turn, where
 * a coin says which goes first. Of an odd number one that is drawn at random gets a random place. So each mutant is as
 * likely as any other to be drawn at any moment, and those that are drawn are spread evenly over the list. The order
 * depends on the mutants and --seed alone. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/campaign/draw.h"
#include "runner/campaign/internal.h"

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int by_stratum(const void *a, const void *b) {
  const draw_item *x = a, *y = b;
  const uint64_t pairs[][2] = {{x->program, y->program}, {x->kernel, y->kernel}, {x->op, y->op},
                               {x->file, y->file},       {x->line, y->line},     {x->lot, y->lot},
                               {x->index, y->index}};
  int result = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && result == 0; i++) {
    result = compare(pairs[i][0], pairs[i][1]);
  }
  return result;
}

typedef struct shuffle {
  draw_item *room; /* for as many as there are */
  uint64_t seed, count;
} shuffle;

static uint64_t next_number(shuffle *s) { return draw_lot(s->seed, s->count++); }

static void put_in_order(shuffle *s, draw_item *items, size_t count) {
  if (count < 2) {
    return;
  }
  if (count % 2 == 1) {
    draw_item *taken = &items[next_number(s) % count];
    const draw_item one = *taken;
    memmove(taken, taken + 1, (size_t)(items + count - taken - 1) * sizeof *items);
    put_in_order(s, items, count - 1);
    draw_item *place = &items[next_number(s) % count];
    memmove(place + 1, place, (size_t)(items + count - place - 1) * sizeof *items);
    *place = one;
    return;
  }
  const size_t half = count / 2;
  put_in_order(s, items, half);
  put_in_order(s, items + half, half);
  for (size_t i = 0; i < half; i++) {
    const size_t first = next_number(s) >> 63;
    s->room[2 * i + first] = items[i];
    s->room[2 * i + 1 - first] = items[half + i];
  }
  memcpy(items, s->room, count * sizeof *items);
}

void draw_order(draw_item *items, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i++) {
    items[i].lot = draw_lot(seed ^ (uint64_t)items[i].program << 32, items[i].id);
  }
  if (count > 1) {
    qsort(items, count, sizeof *items, by_stratum);
  }
  shuffle s = {mem_calloc(count + 1, sizeof *s.room), seed, 0};
  put_in_order(&s, items, count);
  free(s.room);
}

/* --- of a campaign ------------------------------------------------------------------------------------------------ */

/* All that the score may count, decided or not: a campaign that goes on draws as it would have without the pause. */
static draw_item *list_items(const campaign_programs *all, size_t *count) {
  draw_item *items = NULL;
  size_t capacity = 0;
  *count = 0;
  for (uint32_t p = 0; p < all->count; p++) {
    const campaign_program *program = all->list[p];
    for (uint32_t m = 0; m < program->schema.mutant_count; m++) {
      const mutant *is = program->mutants[m].mutant;
      if (program->mutants[m].chosen && !is->suppressed && !is->invalid) {
        *ARRAY_ADD(items, *count, capacity) = (draw_item){.program = p,
                                                          .index = m,
                                                          .id = is->id,
                                                          .kernel = is->kernel_count == 0 ? UINT32_MAX : is->kernels[0],
                                                          .op = (uint32_t)is->op,
                                                          .file = is->file,
                                                          .line = is->line};
      }
    }
  }
  return items;
}

static size_t count_runs(const campaign_progress *p) {
  return p->of[MUTANT_KILLED] + p->of[MUTANT_UNDECIDED] + p->of[MUTANT_SURVIVED];
}

void campaign_order(campaign *c) {
  size_t count = 0;
  draw_item *items = list_items(&c->programs, &count);
  draw_order(items, count, c->base.options->seed);
  free(c->queue.list);
  c->queue.list = mem_calloc(count + 1, sizeof *c->queue.list);
  c->queue.count = 0;
  c->queue.to_run = 0;
  for (size_t i = 0; i < count; i++) {
    const campaign_mutant *m = mutant_at(&c->programs, items[i].program, items[i].index);
    if (!m->decided) {
      c->queue.list[c->queue.count++] = (mutant_index){items[i].program, items[i].index};
      c->queue.to_run += m->reached ? 1 : 0;
    }
  }
  c->queue.ran_before = count_runs(&c->progress);
  free(items);
}

/* Mutants that no test case reaches need no run. They are drawn all the same: each is decided once as many of those
 * before it as there are have been run, so that they never have more than their share. */
int campaign_draw_unreached(campaign *c, bool all, error *e) {
  const size_t runs = count_runs(&c->progress), ran = runs > c->queue.ran_before ? runs - c->queue.ran_before : 0;
  for (; c->queue.drawn < c->queue.count; c->queue.drawn++) {
    const mutant_index at = c->queue.list[c->queue.drawn];
    campaign_program *p = c->programs.list[at.program];
    campaign_mutant *m = &p->mutants[at.index];
    if (!m->reached && !m->decided) {
      if (ran == 0 && c->queue.to_run > 0 && !all) {
        return 0;
      }
      if (campaign_decide(c, p, at.index, MUTANT_NO_COVERAGE, "", e) != 0) {
        return -1;
      }
    } else if (!m->decided || campaign_is_run(m->status)) {
      if (c->queue.passed >= ran && !all) {
        return 0;
      }
      c->queue.passed++;
      m->passed = true;
    }
  }
  return 0;
}
