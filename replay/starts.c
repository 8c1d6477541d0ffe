/* Places where turns can begin: the first command, and the first launch of each kernel that a turn names. What comes
 * before is left out; checkpoint.c knows what it leaves in memory. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "replay/replay_internal.h"

/* --- making one --------------------------------------------------------------------------------------------------- */

static bool kernel_needed(const outline_kernel *k, size_t command) {
  return k->made >= command || (k->launched != NEVER && k->launched >= command);
}

static bool *programs_needed(const outline *o, size_t command) {
  bool *needed = mem_calloc(o->program_count, sizeof *needed);
  for (size_t i = 0; i < o->kernel_count; i++) {
    if (kernel_needed(&o->kernels[i], command)) {
      needed[o->kernels[i].program] = true;
    }
  }
  return needed;
}

static uint64_t reads_before(const capture *c, size_t command) {
  uint64_t reads = 0;
  for (size_t i = 0; i < command; i++) {
    reads += command_reads(c->commands[i].kind);
  }
  return reads;
}

/* Nothing that is used after the place has changed before it. */
static bool unchanged(const outline *o, const start *s) {
  for (size_t i = 0; i < s->saved_count; i++) {
    if (o->storages[s->saved[i].storage].changed < s->command) {
      return false;
    }
  }
  return true;
}

static void list_storages(const outline *o, start *s) {
  s->saved = mem_calloc(o->storage_count, sizeof *s->saved);
  for (size_t i = 0; i < o->storage_count; i++) {
    const outline_storage *memory = &o->storages[i];
    const bool overwritten = memory->overwritten && memory->changed >= s->command;
    if (memory->made < s->command && memory->used >= s->command && !overwritten) {
      s->saved[s->saved_count++] = (saved){.storage = (uint32_t)i};
    }
  }
}

static start *start_make(replay *r, size_t command) {
  start *s = mem_calloc(1, sizeof *s);
  s->command = command;
  s->reads = reads_before(r->capture, command);
  s->programs = programs_needed(&r->outline, command);
  s->arguments = command == 0 ? NULL : outline_arguments(&r->outline, r->capture, command);
  list_storages(&r->outline, s);
  if (unchanged(&r->outline, s)) {
    for (size_t i = 0; i < s->saved_count; i++) {
      s->saved[i].contents = contents_retain(r->storages[s->saved[i].storage].first);
    }
    s->ready = true;
  }
  s->next = r->starts;
  r->starts = s;
  return s;
}

void starts_close(replay *r) {
  while (r->starts != NULL) {
    start *s = r->starts;
    r->starts = s->next;
    checkpoint_drop(r, s);
    free(s->programs);
    free(s->arguments);
    free(s->saved);
    free(s);
  }
}

/* --- choosing one ------------------------------------------------------------------------------------------------- */

static bool listed(const replay_turn *what, const char *name) {
  for (size_t i = 0; i < what->kernel_count; i++) {
    if (strcmp(what->kernels[i], name) == 0) {
      return true;
    }
  }
  return false;
}

static size_t first_launch(const replay *r, const replay_turn *what) {
  size_t first = r->capture->command_count;
  for (size_t i = 0; i < r->outline.name_count; i++) {
    const outline_name *n = &r->outline.names[i];
    if (n->launched < first && listed(what, n->name)) {
      first = n->launched;
    }
  }
  return first;
}

start *starts_wanted(replay *r, const replay_turn *what) {
  /* checkpoints are made with the usual filling */
  const bool whole = what->kernel_count == 0 || what->filling != 0;
  const size_t command = whole ? 0 : first_launch(r, what);
  for (start *s = r->starts; s != NULL; s = s->next) {
    if (s->command == command) {
      return s;
    }
  }
  return start_make(r, command);
}

start *starts_nearest(replay *r, start *wanted) {
  start *nearest = wanted;
  for (start *s = r->starts; !wanted->ready && s != NULL; s = s->next) {
    if (s->ready && s->command <= wanted->command && (!nearest->ready || s->command > nearest->command)) {
      nearest = s;
    }
  }
  return nearest->ready ? nearest : starts_wanted(r, &(replay_turn){0});
}
