#include "runner/engine/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "reports/words/words.h"

/* --- places ------------------------------------------------------------------------------------------------------- */

static uint32_t column_of(const answer_spot *s) { return s->column == 0 ? 1 : s->column; }

static char *three_text(const uint64_t *n) {
  buffer text = {0};
  buffer_printf(&text, "%llu,%llu,%llu", (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
  return buffer_take(&text);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static const char *own(finding_record *r, char *text) {
  return *ARRAY_ADD(r->texts, r->text_count, r->text_capacity) = text;
}

/* Takes over the value. */
static void add_witness(finding_record *r, db_witness w, char *value) {
  w.value = own(r, value);
  *ARRAY_ADD(r->witness, r->witness_count, r->witness_capacity) = w;
}

/* How an access is made, beside what it is. */
static const char *how_of(const answer_place *p) {
  static const char *const scopes[] = {"own", "group", "sub-group"};
  for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
    if (strcmp(scopes[i], p->scope) == 0) {
      return scopes[i];
    }
  }
  return "";
}

/* The files of places. */
typedef struct naming {
  record_file *file;
  const void *context;
} naming;

static uint32_t number_of(const naming *n, const char *name) { return n->file(n->context, name); }

static void add_places(finding_record *r, const naming *n, const answer_finding *f) {
  size_t calls = 0;
  for (size_t i = 0; i < f->place_count; i++) {
    calls += f->places[i].inlined_count;
  }
  r->places = mem_calloc(f->place_count + 1, sizeof *r->places);
  r->calls = mem_calloc(calls + 1, sizeof *r->calls);
  db_call *next = r->calls;
  for (size_t i = 0; i < f->place_count; i++) {
    const answer_place *p = &f->places[i];
    const uint32_t file = number_of(n, p->at.file);
    if (file == MODEL_NONE || p->at.line == 0) {
      continue;
    }
    db_place *to = &r->places[r->place_count++];
    *to = (db_place){.role = p->role,
                     .access = p->access,
                     .how = how_of(p),
                     .file = file,
                     .line = p->at.line,
                     .column = column_of(&p->at),
                     .who = p->copy && p->access[0] != '\0' ? "copy" : ""};
    to->local = p->has_item ? own(r, three_text(p->local)) : NULL;
    to->group = p->has_item ? own(r, three_text(p->group)) : NULL;
    to->condition = p->condition[0] == '\0' ? NULL : p->condition;
    to->inlined = next;
    for (size_t c = 0; c < p->inlined_count; c++) {
      const answer_spot *call = &p->inlined[c];
      const uint32_t where = number_of(n, call->file);
      if (where != MODEL_NONE && call->line > 0) {
        *next++ = (db_call){where, call->line, column_of(call)};
        to->inlined_count++;
      }
    }
  }
}

static void add_path(finding_record *r, const naming *n, const answer_finding *f) {
  r->path = mem_calloc(f->path_count + 1, sizeof *r->path);
  for (size_t i = 0; i < f->path_count; i++) {
    const answer_step *s = &f->path[i];
    const uint32_t file = number_of(n, s->at.file);
    if (file != MODEL_NONE && s->at.line > 0) {
      r->path[r->path_count++] = (db_step){s->thread, file, s->at.line, column_of(&s->at), s->text};
    }
  }
}

static char *number_text(int64_t n) {
  buffer text = {0};
  buffer_printf(&text, "%lld", (long long)n);
  return buffer_take(&text);
}

static const parameter *parameter_named(const signature *of, const char *name) {
  return of == NULL ? NULL : NAMED(of->parameters, of->count, name, name);
}

static unsigned nibble(char c) { return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10); }

/* The number of `bytes` bytes, the lowest first. */
static uint64_t bits_of(const char *hexadecimal, size_t bytes) {
  uint64_t bits = 0;
  for (size_t i = bytes; i-- > 0;) {
    bits = bits << 8 | nibble(hexadecimal[2 * i]) << 4 | nibble(hexadecimal[2 * i + 1]);
  }
  return bits;
}

static void put_real(const char *hexadecimal, bool twice, buffer *out) {
  const uint64_t bits = bits_of(hexadecimal, twice ? sizeof(double) : sizeof(float));
  const uint32_t low = (uint32_t)bits;
  double wide = 0;
  float narrow = 0;
  memcpy(&wide, &bits, sizeof wide);
  memcpy(&narrow, &low, sizeof narrow);
  buffer_printf(out, "%.*g", twice ? 17 : 9, twice ? wide : (double)narrow);
}

/* Of float and double, and of vectors of these, their numbers; of anything else its bytes. */
static char *value_text(const parameter *p, const char *hexadecimal) {
  const bool twice = p != NULL && strncmp(p->type, "double", 6) == 0;
  const bool real = twice || (p != NULL && strncmp(p->type, "float", 5) == 0);
  const size_t digits = twice ? 16 : 8, count = strlen(hexadecimal) / digits;
  buffer text = {0};
  if (!real || count == 0 || strlen(hexadecimal) % digits != 0) {
    buffer_printf(&text, "bytes %s", hexadecimal);
    return buffer_take(&text);
  }
  for (size_t i = 0; i < count; i++) {
    buffer_puts(&text, i > 0 ? ", " : count > 1 ? "(" : "");
    put_real(hexadecimal + i * digits, twice, &text);
  }
  buffer_puts(&text, count > 1 ? ")" : "");
  return buffer_take(&text);
}

static void set_memory(finding_record *r, const answer_finding *f) {
  db_detail *d = &r->detail;
  d->object = f->array;
  d->space = f->space;
  d->pixel = f->pixel;
  d->size = (db_number){f->object_size > 0, f->object_size};
  d->element = (db_number){f->has_element, f->element};
  d->element_size = (db_number){f->element_size > 0, f->element_size};
  d->byte = (db_number){f->has_byte, f->byte};
}

static void set_launch(finding_record *r, const answer_finding *f) {
  db_detail *d = &r->detail;
  d->launch = (db_number){f->launches_made > 0, f->launch_number - 1};
  d->launches = (db_number){f->launches_made > 0, f->launches_made};
  if (f->has_sizes) {
    d->local_size = own(r, three_text(f->local_size));
    d->groups = own(r, three_text(f->groups));
  }
  if (f->offset[0] + f->offset[1] + f->offset[2] > 0) {
    d->offset = own(r, three_text(f->offset));
  }
  d->call = f->call;
  d->cause = f->cause;
  d->local = f->has_other ? own(r, three_text(f->other)) : NULL;
}

static void add_values(finding_record *r, const signature *of, const answer_finding *f) {
  for (size_t i = 0; i < f->argument_count; i++) {
    const answer_argument *a = &f->arguments[i];
    add_witness(r, (db_witness){.kind = "argument", .what = a->name},
                a->is_integer ? number_text(a->integer) : value_text(parameter_named(of, a->name), a->hexadecimal));
  }
  for (size_t i = 0; i < f->contents_count; i++) {
    for (size_t c = 0; c < f->contents[i].count; c++) {
      const answer_cell *cell = &f->contents[i].cells[c];
      add_witness(r, (db_witness){"content", f->contents[i].buffer, db_known(cell->element), NULL},
                  number_text(cell->value));
    }
  }
  for (size_t i = 0; i < f->depends_on.count; i++) {
    add_witness(r, (db_witness){.kind = "doubt", .what = ""}, mem_strdup(f->depends_on.items[i]));
  }
}

void record_free(finding_record *r) {
  mem_free_all(r->texts, r->text_count);
  free(r->places);
  free(r->calls);
  free(r->path);
  free(r->witness);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

void record_make(const answer_finding *f, const signature *of, record_file *file, const void *context,
                 finding_record *out) {
  const naming n = {file, context};
  *out = (finding_record){0};
  add_places(out, &n, f);
  add_path(out, &n, f);
  set_memory(out, f);
  set_launch(out, f);
  add_values(out, of, f);
}

static uint32_t any_file(const void *context, const char *name) {
  (void)context;
  (void)name;
  return 0;
}

void record_sentence(const answer_finding *f, buffer *to) {
  finding_record r;
  record_make(f, NULL, any_file, NULL, &r);
  const db_finding told = {.rule = f->rule,
                           .proved = true,
                           .detail = r.detail,
                           .places = r.places,
                           .place_count = r.place_count,
                           .witness = r.witness,
                           .witness_count = r.witness_count};
  finding_sentence(&told, NULL, to);
  finding_sight(&told, to);
  record_free(&r);
}
