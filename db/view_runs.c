/* Which runs a view is of, oldest first: those asked for; else the newest of each command on the sources of the newest
 * of all, with the other shards of its campaign. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/view_build.h"

/* A run as far as it matters here. */
typedef struct candidate {
  int64_t id;
  char *command, *settings;
  bool chosen;
} candidate;

typedef struct candidates {
  candidate *list; /* newest first */
  size_t count, capacity;
} candidates;

static int no_such_run(const db *d, int64_t run, error *e) {
  if (run == 0) {
    return error_set(e, EXIT_USAGE,
                     "%s holds no run yet; make one with `cltestcheck coverage -- PROGRAM` or name another file with "
                     "--db FILE",
                     d->path);
  }
  return error_set(e, EXIT_USAGE, "%s holds no run %lld; `cltestcheck list --runs` shows those it holds", d->path,
                   (long long)run);
}

static int read_candidates(db *d, candidates *all, error *e) {
  int step = 0;
  for (sqlite3_stmt *row = sql_rows(d, SQL_RUNS_BY_AGE, &step, e, ""); step == 1; step = sql_step(d, row, e)) {
    *ARRAY_ADD(all->list, all->count, all->capacity) =
        (candidate){.id = sqlite3_column_int64(row, 0), .command = sql_text(row, 1), .settings = sql_text(row, 2)};
  }
  return step;
}

static void free_candidates(candidates *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->list[i].command);
    free(all->list[i].settings);
  }
  free(all->list);
}

/* --- those asked for ----------------------------------------------------------------------------------------- */

static int choose_asked(const db *d, candidates *all, const int64_t *runs, size_t run_count, error *e) {
  for (size_t i = 0; i < run_count; i++) {
    bool found = false;
    for (size_t k = 0; k < all->count; k++) {
      bool is = all->list[k].id == runs[i];
      all->list[k].chosen |= is;
      found |= is;
    }
    if (!found) {
      return no_such_run(d, runs[i], e);
    }
  }
  return 0;
}

/* --- those that belong together ------------------------------------------------------------------------------ */

/* Have two runs a file in common, and none of one name with another text? 1, 0, or -1 on failure. */
static int same_sources(db *d, int64_t a, int64_t b, error *e) {
  int64_t shared = 0;
  int64_t differ = 0;
  if (a == b) {
    return 1;
  }
  if (sql_number(d, SQL_SHARE_FILES, &shared, e, "ii", a, b) < 0 ||
      sql_number(d, SQL_FILES_DIFFER, &differ, e, "ii", a, b) < 0) {
    return -1;
  }
  return shared != 0 && differ == 0 ? 1 : 0;
}

/* Splits the settings of a run of `mutate --shard K/N` into K and all else; 0: it is the whole campaign. */
static unsigned shard_of(const char *settings, buffer *rest) {
  unsigned shard = 0;
  unsigned shards = 0;
  int length = 0;
  const char *at = strstr(settings, " shard ");
  if (at == NULL || sscanf(at, " shard %u/%u%n", &shard, &shards, &length) < 2 || length == 0 || shards < 2) {
    return 0;
  }
  buffer_append(rest, settings, (size_t)(at - settings));
  buffer_printf(rest, " of %u shards%s", shards, at + length);
  return shard;
}

static bool other_shard(const candidate *a, const candidate *b) {
  buffer rest[2] = {{0}, {0}};
  unsigned first = shard_of(a->settings, &rest[0]);
  unsigned second = shard_of(b->settings, &rest[1]);
  bool other = first != 0 && second != 0 && first != second && strcmp(a->command, b->command) == 0 &&
               strcmp(buffer_text(&rest[0]), buffer_text(&rest[1])) == 0;
  buffer_free(&rest[0]);
  buffer_free(&rest[1]);
  return other;
}

/* Is a run the newest of its command, or another shard than all chosen ones of that, which are newer? */
static bool is_wanted(const candidates *all, const candidate *one) {
  for (size_t i = 0; i < all->count; i++) {
    const candidate *other = &all->list[i];
    if (other->chosen && strcmp(other->command, one->command) == 0 && !other_shard(other, one)) {
      return false;
    }
  }
  return true;
}

static int choose_newest(db *d, candidates *all, error *e) {
  if (all->count == 0) {
    return no_such_run(d, 0, e);
  }
  for (size_t i = 0; i < all->count; i++) {
    int same = is_wanted(all, &all->list[i]) ? same_sources(d, all->list[0].id, all->list[i].id, e) : 0;
    if (same < 0) {
      return -1;
    }
    all->list[i].chosen = same == 1;
  }
  return 0;
}

/* --- into the view ------------------------------------------------------------------------------------------- */

/* The newest one gives the view its name. */
static int read_newest(db *d, int64_t run, view *v, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_RUN, &step, e, "i", run);
  if (step != 1) {
    return step == 0 ? no_such_run(d, run, e) : -1;
  }
  v->run = run;
  v->command = sql_text(row, 1);
  v->version = sql_text(row, 2);
  v->started = sql_text(row, 3);
  v->device = sql_text(row, 4);
  v->revision = sql_text(row, 7);
  (void)sqlite3_reset(row);
  return 0;
}

static void add_run(view *v, size_t *capacity, const candidate *one) {
  *ARRAY_ADD(v->runs, v->run_count, *capacity) = (view_run){.id = one->id, .command = mem_strdup(one->command)};
  v->covers |= strcmp(one->command, "coverage") == 0;
  if (v->settings == NULL || strcmp(one->command, "mutate") == 0) {
    free(v->settings);
    v->settings = mem_strdup(strcmp(one->command, "mutate") == 0 ? one->settings : "");
  }
}

int build_choose_runs(build *b, const int64_t *runs, size_t run_count, id_list *out, error *e) {
  candidates all = {0};
  size_t capacity = 0;
  int result = read_candidates(b->d, &all, e);
  if (result == 0) {
    result = run_count == 0 ? choose_newest(b->d, &all, e) : choose_asked(b->d, &all, runs, run_count, e);
  }
  for (size_t i = all.count; result == 0 && i-- > 0;) {
    if (all.list[i].chosen) {
      *ARRAY_ADD(out->ids, out->count, out->capacity) = all.list[i].id;
      add_run(b->v, &capacity, &all.list[i]);
    }
  }
  free_candidates(&all);
  return result == 0 ? read_newest(b->d, out->ids[out->count - 1], b->v, e) : result;
}
