/* What the commands before a place leave in memory, kept for turns that begin there. It is looked at once, when a turn
 * that began earlier comes by; places that were not used for long give way. */
#include "replay/replay_internal.h"

#define CHECKPOINTS 32u

void checkpoint_drop(replay *r, start *s) {
  for (size_t i = 0; i < s->saved_count; i++) {
    contents_release(r, s->saved[i].contents);
    s->saved[i].contents = NULL;
  }
  s->ready = false;
  s->kept = false;
}

/* The place that was not used for longest, of those that keep something; `*count` of them. */
static start *oldest(const replay *r, unsigned *count) {
  start *found = NULL;
  *count = 0;
  for (start *s = r->starts; s != NULL; s = s->next) {
    if (s->kept) {
      (*count)++;
      found = found == NULL || s->used < found->used ? s : found;
    }
  }
  return found;
}

/* Bytes that have to be copied. */
static uint64_t needed(const replay *r, const start *s) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < s->saved_count; i++) {
    const storage *memory = &r->storages[s->saved[i].storage];
    bytes += memory->holds == NULL ? memory->size : 0;
  }
  return bytes;
}

/* Drops old ones until there is room on the device, or at least in the host's memory. That may make more of it needed:
 * what they kept is no more known to be there. */
static void make_room(turn *t, const start *s) {
  replay *r = t->replay;
  unsigned count;
  for (start *old; (old = oldest(r, &count)) != NULL;) {
    const uint64_t bytes = needed(r, s);
    const bool on_device = r->on_device + bytes <= r->snapshots;
    const bool on_host = bytes > r->snapshots && r->on_host + bytes <= r->host_snapshots;
    if (count < CHECKPOINTS && (on_device || on_host)) {
      return;
    }
    (void)clFinish(t->queue); /* what is dropped may be on its way to where the turn began */
    checkpoint_drop(r, old);
  }
}

/* What the storage holds now, from earlier if that is known; NULL: there is no room. */
static contents *save(turn *t, uint32_t number) {
  storage *s = &t->replay->storages[number];
  if (s->holds != NULL) {
    return contents_retain(s->holds);
  }
  s->holds = contents_save(t, t->replay->objects[t->replay->outline.storages[number].object], s);
  return s->holds;
}

void checkpoint_save(turn *t, start *s) {
  replay *r = t->replay;
  if (s->ready || s->hopeless) {
    return;
  }
  s->hopeless = needed(r, s) > r->snapshots + r->host_snapshots;
  if (s->hopeless) {
    return;
  }
  make_room(t, s);
  for (size_t i = 0; i < s->saved_count && !s->hopeless; i++) {
    s->saved[i].contents = save(t, s->saved[i].storage);
    s->hopeless = s->saved[i].contents == NULL;
  }
  if (s->hopeless) {
    checkpoint_drop(r, s);
  } else {
    s->ready = s->kept = true;
  }
}
