/* All work-items of a group go through the tree together, statement by statement, each as far as its conditions let it. That is
 * one of the orders that are allowed; where nothing races in it, all others do the same. */
#include "tests/proofs/verify/random/interpret.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/instrument/property/random.h"

enum { MOST_STEPS = 200000, MOST_TURNS = 100, CELLS = 4096 };
typedef enum leaving { GOES_ON, CONTINUES, BREAKS, RETURNS } leaving;

/* One access to an element. */
typedef struct touch {
  touch_kind kind;
  unsigned line;
  uint32_t item, group;
  uint32_t epoch;                /* barriers so far of the group that order this memory */
  uint32_t value;                /* written */
  uint32_t bits;                 /* of the element */
  uint32_t sub_group, sub_epoch; /* barriers of the sub-group */
  uint32_t waits;                /* for events, of the group so far */
  uint32_t copy;                 /* of a copy: its number; else 0 */
  bool locked;
} touch;

/* An asynchronous copy. */
typedef struct copy {
  uint32_t event;
  uint32_t over; /* so many waits were made when it was over; UINT32_MAX: it never was */
} copy;

/* An element that was used. */
typedef struct cell {
  struct cell *next;
  uint32_t array, element, group; /* group: of local memory */
  uint32_t value;
  touch *touches;
  size_t count, capacity;
} cell;

typedef struct machine {
  const program *p;
  execution *e;
  random_state random;
  cell *cells[CELLS];
  uint32_t group;
  uint32_t epochs[2];        /* of local, of global memory */
  uint32_t (*sub_epochs)[2]; /* by sub-group */
  uint32_t sub_size;         /* of sub-groups but the last */
  uint32_t *events;          /* by work-item, then by variable; 0: none */
  uint32_t waits;
  copy *copies; /* by number, of all groups; the first is none */
  size_t copy_count, copy_capacity;
  uint32_t copying;    /* the number of the copy that is made; 0: none */
  uint32_t *variables; /* by work-item */
  leaving *leaves;     /* by work-item */
  uint32_t *order;
  unsigned long steps;
  unsigned line; /* of the statement */
  bool stopped, locked;
} machine;

enum { ALL_VARIABLES = VARIABLES + COUNTERS + PRIVATES };

static uint32_t *variables_of(const machine *m, uint32_t item) { return &m->variables[item * ALL_VARIABLES]; }

/* --- memory ------------------------------------------------------------------------------------------------------- */

uint32_t content_of(content what, uint64_t seed, uint32_t element) {
  const uint32_t some = (uint32_t)(seed % 64);
  random_state r = {seed * 31 + element * 7919};
  switch (what) {
    case DISTINCT: return element * (2 * (some % 8) + 1) + some / 8;
    case ASCENDING: return element / (2 + some % 3) + (element > some ? some % 5 : 0);
    case OWN_INDEX: return element;
    default: return (uint32_t)(random_next(&r) % 8);
  }
}

static uint32_t first_content(const machine *m, uint32_t array, uint32_t element, uint32_t group) {
  for (size_t i = 0; i < m->e->content_count; i++)
    if (m->e->contents[i][0] == array && m->e->contents[i][1] == element) return m->e->contents[i][2];
  if (array == ARRAY_C && m->e->content != ANY_CONTENT) return content_of(m->e->content, m->e->content_seed, element);
  random_state r = {m->e->seed * 31 + array * 1000003 + element * 7919 + group * 65537};
  const uint64_t number = random_next(&r);
  return m->e->seed % 4 == 0 ? 0
                             : (uint32_t)(number % (m->e->seed % 4 == 1   ? 4
                                                    : m->e->seed % 4 == 2 ? 16
                                                                          : UINT32_MAX));
}

static cell *cell_of(machine *m, uint32_t array, uint32_t element) {
  const uint32_t group = array == ARRAY_T ? m->group : 0;
  cell **at = &m->cells[(element * 2654435761U + array * 97 + group * 31) % CELLS];
  for (; *at != NULL; at = &(*at)->next)
    if ((*at)->array == array && (*at)->element == element && (*at)->group == group) return *at;
  *at = mem_calloc(1, sizeof **at);
  **at = (cell){.array = array, .element = element, .group = group};
  (*at)->value = first_content(m, array, element, group);
  return *at;
}

/* NULL: the element is not there. */
static cell *touch_bits(machine *m, uint32_t item, uint32_t array, uint32_t element, touch_kind kind, uint32_t value,
                        uint32_t bits) {
  const bool outside = m->e->elements[array] > 0 && element >= m->e->elements[array];
  if (outside) /* two that meet there race, too */
    m->e->outside = m->e->outside == 0 ? m->line : m->e->outside;
  cell *c = cell_of(m, array, element);
  touch t;
  memset(&t, 0, sizeof t); /* it is compared as bytes */
  t.kind = kind;
  t.line = m->line;
  t.item = item;
  t.group = m->group;
  t.epoch = m->epochs[array == ARRAY_T ? 0 : 1];
  t.value = kind == TOUCH_WRITE ? value & bits : 0;
  t.bits = bits;
  t.sub_group = m->copying == 0 ? item / m->sub_size : 0;
  t.sub_epoch = m->copying == 0 ? m->sub_epochs[t.sub_group][array == ARRAY_T ? 0 : 1] : 0;
  t.waits = m->waits;
  t.copy = m->copying;
  t.locked = m->locked;
  for (size_t i = c->count; i-- > 0 && c->count - i < 40;)
    if (memcmp(&c->touches[i], &t, sizeof t) == 0) return outside ? NULL : c;
  *ARRAY_ADD(c->touches, c->count, c->capacity) = t;
  return outside ? NULL : c;
}

static cell *touch_element(machine *m, uint32_t item, uint32_t array, uint32_t element, touch_kind kind,
                           uint32_t value) {
  return touch_bits(m, item, array, element, kind, value, UINT32_MAX);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static uint32_t evaluate(machine *m, uint32_t item, const expression *e);

/* What a division by 0 gives: any number, for each work-item and each time another. */
static uint32_t anything(machine *m, uint32_t item) {
  random_state r = {m->e->seed * 131 + m->group * 65537 + item * 7919 + m->steps};
  m->e->by_zero = true;
  return m->e->seed % 2 == 0 ? (uint32_t)(random_next(&r) % 8) : (uint32_t)random_next(&r);
}

static uint32_t combine(expression_kind kind, uint32_t a, uint32_t b) {
  switch (kind) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case BIT_AND: return a & b;
    case BIT_OR: return a | b;
    case BIT_XOR: return a ^ b;
    case SHIFT_LEFT: return a << b;
    case SHIFT_RIGHT: return a >> b;
    case REMAINDER: return a % b;
    case QUOTIENT: return a / b;
    case LESS: return a < b ? 1 : 0;
    default: return a == b ? 1 : 0;
  }
}

static uint32_t size_of_sub_group(const machine *m, uint32_t number) {
  const uint32_t left = m->e->local - number * m->sub_size;
  return left < m->sub_size ? left : m->sub_size;
}

static uint32_t evaluate(machine *m, uint32_t item, const expression *e) {
  const execution *x = m->e;
  switch (e->kind) {
    case NUMBER: return e->number;
    case LOCAL_ID: return item;
    case GLOBAL_ID: return m->group * x->local + item;
    case GROUP_ID: return m->group;
    case LOCAL_SIZE: return x->local;
    case GLOBAL_SIZE: return x->local * x->groups;
    case SUB_GROUP_ID: return item / m->sub_size;
    case SUB_GROUP_LOCAL_ID: return item % m->sub_size;
    case SUB_GROUP_SIZE: return size_of_sub_group(m, item / m->sub_size);
    case ARGUMENT_N: return x->n;
    case ARGUMENT_M: return x->m;
    case VARIABLE: return variables_of(m, item)[e->number];
    case PRIVATE_LOAD: return variables_of(m, item)[VARIABLES + COUNTERS + evaluate(m, item, e->parts[0]) % PRIVATES];
    case CHOOSE: return evaluate(m, item, evaluate(m, item, e->parts[0]) != 0 ? e->parts[1] : e->parts[2]);
    case LOAD: {
      const cell *c = touch_element(m, item, e->number, evaluate(m, item, e->parts[0]), TOUCH_READ, 0);
      return c == NULL ? 0 : c->value;
    }
    default: {
      const uint32_t a = evaluate(m, item, e->parts[0]), b = evaluate(m, item, e->parts[1]);
      return b == 0 && (e->kind == QUOTIENT || e->kind == REMAINDER) ? anything(m, item) : combine(e->kind, a, b);
    }
  }
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void run_list(machine *m, const statement *s, const bool *active);

static bool runs(const machine *m, const bool *active, uint32_t item) {
  return active[item] && m->leaves[item] == GOES_ON;
}

static void run_simple(machine *m, uint32_t item, const statement *s) {
  const uint32_t value = s->value == NULL ? 1 : evaluate(m, item, s->value);
  const bool atomic = s->kind == ATOMIC_ADD || s->kind == ATOMIC_COUNT;
  if (s->kind == ASSIGN) {
    variables_of(m, item)[s->number] = value;
    return;
  }
  if (s->kind == EVENT_MOVE) {
    m->events[item * EVENTS + s->variable] = m->events[item * EVENTS + s->source];
    return;
  }
  if (s->kind == PRIVATE_STORE) {
    variables_of(m, item)[VARIABLES + COUNTERS + evaluate(m, item, s->index) % PRIVATES] = value;
    return;
  }
  if (s->kind == PRIVATE_HALF_STORE) {
    const uint32_t at = evaluate(m, item, s->index) % (2 * PRIVATES), shift = at % 2 * 16, bits = 0xFFFFU << shift;
    uint32_t *whole = &variables_of(m, item)[VARIABLES + COUNTERS + at / 2];
    *whole = (*whole & ~bits) | (value << shift & bits);
    return;
  }
  if (s->kind == HALF_STORE) {
    const uint32_t at = evaluate(m, item, s->index), shift = at % 2 * 16, bits = 0xFFFFU << shift;
    cell *half = touch_bits(m, item, s->number, at / 2, TOUCH_WRITE, value << shift, bits);
    if (half != NULL) half->value = (half->value & ~bits) | (value << shift & bits);
    return;
  }
  cell *c = touch_element(m, item, s->number, evaluate(m, item, s->index), atomic ? TOUCH_ATOMIC : TOUCH_WRITE, value);
  const uint32_t before = c == NULL ? 0 : c->value;
  if (c != NULL) c->value = atomic ? before + value : value;
  if (s->kind == ATOMIC_COUNT) variables_of(m, item)[s->variable] = before;
}

/* --- what work-items do together ------------------------------------------------------------------------------------------ */

/* Some of a group, side by side: all of it, or a sub-group. */
typedef struct members {
  uint32_t first, count;
} members;

static void diverge(machine *m, const statement *s) {
  m->e->diverged = s->line;
  m->stopped = true;
}

/* Whether they come there; where some come and others do not they diverge. */
static bool meet(machine *m, const statement *s, const bool *active, members who) {
  uint32_t here = 0;
  for (uint32_t n = 0; n < who.count; n++) here += runs(m, active, who.first + n) ? 1 : 0;
  if (here > 0 && here < who.count) diverge(m, s);
  return here == who.count;
}

/* What the expression is, which has to be the same for all; else they diverge. NULL: 0. */
static uint32_t common(machine *m, const statement *s, const expression *e, members who) {
  const uint32_t first = e == NULL ? 0 : evaluate(m, who.first, e);
  for (uint32_t n = 1; e != NULL && n < who.count; n++)
    if (evaluate(m, who.first + n, e) != first) diverge(m, s);
  return first;
}

static void order(uint32_t epochs[2], uint32_t flags) {
  epochs[0] += (flags & FLAG_OF_LOCAL) != 0 ? 1 : 0;
  epochs[1] += (flags & FLAG_OF_GLOBAL) != 0 ? 1 : 0;
}

static void run_barrier(machine *m, const statement *s, members who) {
  const bool whole = who.count == m->e->local && (s->kind == BARRIER ? s->variable >= SCOPE_GROUP : true);
  for (uint32_t n = 0; n < who.count && s->variable != SCOPE_ITEM; n++)
    if ((who.first + n) % m->sub_size == 0) order(m->sub_epochs[(who.first + n) / m->sub_size], s->number);
  if (whole && s->variable != SCOPE_ITEM) order(m->epochs, s->number);
}

static uint32_t joined(uint32_t which, uint32_t so_far, uint32_t value) {
  switch (which) {
    case REDUCE_MAX: return value > so_far ? value : so_far;
    case ANY_OF: return so_far != 0 || value != 0;
    case ALL_OF: return so_far != 0 && value != 0;
    default: return so_far + value;
  }
}

/* work_group_reduce_add and the like. */
static void run_together(machine *m, const statement *s, members who) {
  uint32_t *values = mem_calloc(who.count, sizeof *values), all = s->number == ALL_OF;
  for (uint32_t n = 0; n < who.count; n++) values[n] = evaluate(m, who.first + n, s->value);
  uint32_t from = 0;
  for (uint32_t n = 0; n < who.count && s->number == BROADCAST; n++) {
    const uint32_t here = evaluate(m, who.first + n, s->index) % who.count;
    if (n > 0 && here != from) diverge(m, s);
    from = here;
  }
  for (uint32_t n = 0; n < who.count; n++) {
    all = joined(s->number, all, values[n]);
    values[n] = s->number == SCAN_ADD ? all : values[n];
  }
  for (uint32_t n = 0; n < who.count && !m->stopped; n++) {
    variables_of(m, who.first + n)[s->variable] = s->number == SCAN_ADD    ? values[n]
                                                  : s->number == BROADCAST ? values[from]
                                                                           : all;
  }
  free(values);
}

static void run_copy(machine *m, const statement *s, members who) {
  const uint32_t to = common(m, s, s->index, who), from = common(m, s, s->value, who),
                 count = common(m, s, s->limit, who), given = s->handed == 0 ? 0 : m->events[s->handed - 1];
  for (uint32_t n = 1; n < who.count && s->handed > 0; n++)
    if (m->events[n * EVENTS + s->handed - 1] != given) diverge(m, s);
  if (m->stopped) return;
  const uint32_t number = (uint32_t)m->copy_count, event = given != 0 ? given : number;
  *ARRAY_ADD(m->copies, m->copy_count, m->copy_capacity) = (copy){event, UINT32_MAX};
  m->copying = number;
  for (uint32_t n = 0; n < count; n++) {
    const cell *source = touch_element(m, 0, s->source, from + n, TOUCH_READ, 0);
    const uint32_t value = source == NULL ? 0 : source->value;
    cell *target = touch_element(m, 0, s->number, to + n, TOUCH_WRITE, value);
    if (target != NULL) target->value = value;
  }
  m->copying = 0;
  for (uint32_t n = 0; n < who.count; n++) m->events[n * EVENTS + s->variable] = event;
}

static void run_wait(machine *m, const statement *s, members who) {
  m->waits++;
  for (uint32_t k = s->variable; k < s->variable + s->number; k++) {
    for (uint32_t n = 1; n < who.count; n++)
      if (m->events[n * EVENTS + k] != m->events[k]) diverge(m, s);
    for (size_t c = 1; c < m->copy_count; c++)
      if (m->copies[c].event == m->events[k] && m->copies[c].over == UINT32_MAX) m->copies[c].over = m->waits;
  }
}

static void run_meeting(machine *m, const statement *s, const bool *active) {
  const bool few = s->kind == SUB_GROUP_BARRIER || s->kind == SUB_GROUP_FUNCTION;
  const uint32_t size = few ? m->sub_size : m->e->local;
  for (uint32_t first = 0; first < m->e->local && !m->stopped; first += size) {
    const members who = {first, few ? size_of_sub_group(m, first / size) : size};
    if (!meet(m, s, active, who)) continue;
    if (s->kind == COPY)
      run_copy(m, s, who);
    else if (s->kind == WAIT)
      run_wait(m, s, who);
    else if (s->kind == BARRIER || s->kind == SUB_GROUP_BARRIER)
      run_barrier(m, s, who);
    else
      run_together(m, s, who);
  }
}

static void run_if(machine *m, const statement *s, const bool *active) {
  bool *yes = mem_calloc(m->e->local * 2, sizeof *yes), *no = yes + m->e->local;
  for (uint32_t item = 0; item < m->e->local; item++) {
    if (runs(m, active, item)) {
      yes[item] = evaluate(m, item, s->value) != 0;
      no[item] = !yes[item];
    }
  }
  run_list(m, s->body, yes);
  run_list(m, s->otherwise, no);
  free(yes);
}

/* The bits of the counter: one of 64 is never so large that it needs more than 32. */
static uint32_t narrow(const statement *s) { return s->variable >= 32 ? UINT32_MAX : UINT32_MAX >> (32 - s->variable); }

/* Which go round once more. */
static bool turn(machine *m, const statement *s, bool *inside) {
  bool any = false;
  for (uint32_t item = 0; item < m->e->local; item++) {
    if (inside[item]) {
      const uint32_t counter = variables_of(m, item)[VARIABLES + s->number];
      inside[item] =
          m->leaves[item] == GOES_ON && (s->kind == HALVING ? counter > 0 : counter < evaluate(m, item, s->limit));
      any = any || inside[item];
    }
  }
  return any;
}

/* The step of a turn. */
static void count(machine *m, uint32_t item, const statement *s) {
  uint32_t *counter = &variables_of(m, item)[VARIABLES + s->number];
  const uint32_t step = s->kind == HALVING ? 0 : evaluate(m, item, s->index), next = *counter + step;
  if (s->variable == 64 && next < *counter) m->stopped = m->e->too_long = true;
  *counter = (s->kind == HALVING ? *counter >> 1 : next) & narrow(s);
}

static void run_loop(machine *m, const statement *s, const bool *active) {
  bool *inside = mem_calloc(m->e->local * 2, sizeof *inside), *entered = inside + m->e->local;
  for (uint32_t item = 0; item < m->e->local; item++) {
    entered[item] = inside[item] = runs(m, active, item);
    if (inside[item]) variables_of(m, item)[VARIABLES + s->number] = evaluate(m, item, s->value) & narrow(s);
  }
  for (unsigned turns = 0; !m->stopped; turns++) {
    m->line = s->line;
    if (!turn(m, s, inside)) break;
    m->stopped = m->e->too_long = turns == MOST_TURNS;
    run_list(m, s->body, inside);
    m->line = s->line;
    for (uint32_t item = 0; item < m->e->local; item++) {
      m->leaves[item] = inside[item] && m->leaves[item] == CONTINUES ? GOES_ON : m->leaves[item];
      if (inside[item] && m->leaves[item] == GOES_ON) count(m, item, s);
    }
  }
  for (uint32_t item = 0; item < m->e->local; item++)
    m->leaves[item] = entered[item] && m->leaves[item] == BREAKS ? GOES_ON : m->leaves[item];
  free(inside);
}

static void run_each(machine *m, const statement *s, const bool *active) {
  for (uint32_t n = 0; n < m->e->local; n++) {
    const uint32_t item = m->order[n];
    if (!runs(m, active, item)) continue;
    if (s->kind >= RETURN)
      m->leaves[item] = s->kind == RETURN ? RETURNS : s->kind == BREAK ? BREAKS : CONTINUES;
    else
      run_simple(m, item, s);
  }
}

static void run_list(machine *m, const statement *s, const bool *active) {
  for (; s != NULL && !m->stopped; s = s->next) {
    m->line = s->line;
    m->steps += m->e->local;
    if (m->steps > MOST_STEPS) {
      m->e->too_long = m->stopped = true;
      return;
    }
    if (s->kind == FENCE) continue;
    if (s->kind == LOCKED) { /* the groups come one after another here, which is an order that the lock allows */
      bool *first = mem_calloc(m->e->local, sizeof *first);
      first[0] = active[0];
      m->locked = true;
      run_list(m, s->body, first);
      m->locked = false;
      free(first);
    } else if (s->kind >= BARRIER && s->kind <= WAIT) {
      run_meeting(m, s, active);
    } else if (s->kind == IF) {
      run_if(m, s, active);
    } else if (s->kind == LOOP || s->kind == HALVING) {
      run_loop(m, s, active);
    } else {
      run_each(m, s, active);
    }
  }
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static void run_group(machine *m, uint32_t group) {
  bool *all = mem_calloc(m->e->local, sizeof *all);
  m->group = group;
  m->epochs[0] = m->epochs[1] = m->waits = 0;
  memset(m->sub_epochs, 0, m->e->local * sizeof *m->sub_epochs);
  memset(m->events, 0, m->e->local * EVENTS * sizeof *m->events);
  for (uint32_t item = 0; item < m->e->local; item++) {
    uint32_t *v = variables_of(m, item);
    memset(v, 0, ALL_VARIABLES * sizeof *v);
    v[1] = 1;
    v[2] = item;
    all[item] = true;
    m->leaves[item] = GOES_ON;
    const uint32_t other = random_below(&m->random, item + 1); /* any order */
    m->order[item] = m->order[other];
    m->order[other] = item;
  }
  run_list(m, m->p->body, all);
  free(all);
}

/* A copy is over after a wait for it, and begins after what a barrier stands behind. */
static bool copy_is_apart(const machine *m, const touch *a, const touch *other) {
  return other->waits >= m->copies[a->copy].over || (other->copy == 0 && other->epoch < a->epoch);
}

static bool are_ordered(const machine *m, const touch *a, const touch *b) {
  if (a->copy == 0 && b->copy == 0)
    return a->item == b->item || a->epoch != b->epoch || (a->sub_group == b->sub_group && a->sub_epoch != b->sub_epoch);
  return a->copy == b->copy || (a->copy != 0 && copy_is_apart(m, a, b)) || (b->copy != 0 && copy_is_apart(m, b, a));
}

static bool is_race(const machine *m, uint32_t array, const touch *a, const touch *b) {
  const bool same_group = a->group == b->group;
  if ((same_group && are_ordered(m, a, b)) || (!same_group && array == ARRAY_T)) return false;
  if ((a->kind == TOUCH_READ && b->kind == TOUCH_READ) || (a->kind == TOUCH_ATOMIC && b->kind == TOUCH_ATOMIC))
    return false;
  if ((a->locked && b->locked) || (a->bits & b->bits) == 0) return false;
  return a->kind != TOUCH_WRITE || b->kind != TOUCH_WRITE || ((a->value ^ b->value) & a->bits & b->bits) != 0;
}

bool execution_has(const execution *e, const seen_race *r) {
  for (size_t i = 0; i < e->race_count; i++) {
    const seen_race *s = &e->races[i];
    if (s->array == r->array && s->lines[0] == r->lines[0] && s->lines[1] == r->lines[1] &&
        s->kinds[0] == r->kinds[0] && s->kinds[1] == r->kinds[1])
      return true;
  }
  return false;
}

static void find_races(const machine *m, const cell *c) {
  execution *e = m->e;
  for (size_t i = 0; i < c->count; i++) {
    for (size_t j = 0; j < i; j++) {
      const touch *a = &c->touches[i], *b = &c->touches[j];
      if (is_race(m, c->array, a, b)) {
        const bool turned = a->line > b->line || (a->line == b->line && a->kind > b->kind);
        const touch *low = turned ? b : a, *high = turned ? a : b;
        const seen_race r = {c->array, {low->line, high->line}, {low->kind, high->kind}};
        if (!execution_has(e, &r)) *ARRAY_ADD(e->races, e->race_count, e->race_capacity) = r;
      }
    }
  }
}

void interpret(const program *p, execution *e) {
  machine m = {.p = p, .e = e, .random = {e->seed + 77}};
  m.variables = mem_calloc((size_t)e->local * ALL_VARIABLES, sizeof *m.variables);
  m.leaves = mem_calloc(e->local, sizeof *m.leaves);
  m.order = mem_calloc(e->local, sizeof *m.order);
  m.events = mem_calloc((size_t)e->local * EVENTS, sizeof *m.events);
  m.sub_epochs = mem_calloc(e->local, sizeof *m.sub_epochs);
  m.sub_size = (uint32_t[]){1, 2, 4, e->local}[e->seed / 4 % 4];
  m.sub_size = m.sub_size > e->local ? e->local : m.sub_size;
  *ARRAY_ADD(m.copies, m.copy_count, m.copy_capacity) = (copy){0};
  for (uint32_t group = 0; group < e->groups && !m.stopped; group++) run_group(&m, group);
  for (size_t i = 0; i < CELLS; i++) {
    for (cell *c = m.cells[i], *next = NULL; c != NULL; c = next) {
      next = c->next;
      find_races(&m, c);
      free(c->touches);
      free(c);
    }
  }
  free(m.variables);
  free(m.leaves);
  free(m.order);
  free(m.events);
  free(m.sub_epochs);
  free(m.copies);
}

void execution_free(execution *e) {
  free(e->races);
  *e = (execution){0};
}
