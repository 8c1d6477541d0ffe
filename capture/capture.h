/* Reading, packing and comparing captures (wire/capture.h). */
#ifndef CLTC_CAPTURE_CAPTURE_H
#define CLTC_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "wire/capture.h"

/* Whether a path is absolute, without "." and "..". */
bool capture_path_plain(const char *path);

/* Writes `to` (a new file that takes its place at the end, or not at all) from the raw or packed capture `from`. With a
 * raw one, files that its kernels include are looked for where they were, and come along. */
int capture_pack(const char *from, const char *to, error *e);

/* Whether two captures tell of the same commands with the same data; what was read may differ. False also when one of
 * them cannot be replayed or read. */
bool capture_same_work(const char *one, const char *other);

typedef struct capture_change_of {
  const char *old_text, *new_text; /* of sources */
  bool forget;                     /* what the program read is not known any more */
} capture_change_of;

/* Writes `to`, a raw capture: `from`, which has been read, with `new_text` in place of each source that is `old_text`;
 * `*changed` is how many these are. */
int capture_change(const char *from, const char *to, const capture_change_of *what, size_t *changed, error *e);

/* Writes a capture that was composed in memory as a raw file; -1 with `e` set (EXIT_INTERNAL): it cannot be written. What
 * makes no sense is noticed when it is read. */
int capture_write(const capture *c, const char *to, error *e);

/* Reads a file of anyone, raw or packed: -1 with `e` set (EXIT_USAGE, one sentence: what, where, what to do) when it is
 * no capture, of another version, cut off or damaged. Never allocates more than what the file's contents come to. */
int capture_read(const char *path, capture *out, error *e);
void capture_free(capture *c);

/* What a replay of a kernel case reads (--case FOLDER): a file of that name in the folder, one result after another as they come,
 * each with its head. */
#define CAPTURE_RESULTS "results"
typedef struct capture_result {
  uint64_t number; /* of the read, from 0 */
  uint64_t size;   /* of its bytes, which follow */
} capture_result;
typedef struct capture_results {
  char *bytes;
  size_t size;
  size_t *places, count, capacity; /* in `bytes`, of the last head of each number; SIZE_MAX: there is none */
} capture_results;
/* Reads the file, which is gone then; none where there is none. Release with capture_results_free in every case. */
void capture_results_take(const char *folder, capture_results *out);
/* The bytes of the last read of this number, lent; NULL: there is none, or not of this size. */
const unsigned char *capture_results_find(const capture_results *r, uint64_t number, uint64_t size);
void capture_results_free(capture_results *r);

/* The places of a kernel case, beside its capture. Places that cannot be read are none. -1 with `e` set (EXIT_INTERNAL): they
 * cannot be written. */
int capture_places_write(const capture *c, const char *to, error *e);
void capture_places_read(capture *c, const char *from);
/* Of a command; NULL: it is not known. */
const capture_place *capture_place_of(const capture *c, size_t command);

/* Who owns which bytes in a capture: buffers, sub-buffers, images, and images of buffers. */

/* A memory object; its number is its place in the list. */
typedef struct stored_object {
  const capture_command *made; /* lent */
  uint32_t part_of;            /* the object that it is a part of, CAPTURE_NONE: of none */
  uint32_t owner;              /* the object that owns its bytes: what it is, in the end, a part of, or itself */
  uint64_t origin;             /* its first byte in the owner's */
  uint64_t size;               /* of a buffer, in bytes; 0: an image */
  uint64_t flags;              /* as given; 0: the default */
} stored_object;

typedef struct stored_objects {
  stored_object *items;
  size_t count, capacity;
} stored_objects;

bool capture_makes_memory(const capture_command *c);
/* To be called with the commands in order. Returns the object that the command makes, NULL: none; valid until the next
 * call. */
const stored_object *stored_take(stored_objects *list, const capture_command *c);
/* Those of a whole capture. */
stored_objects stored_of(const capture *c);
void stored_free(stored_objects *list);

/* The files that a capture's kernels include, put where a compiler finds them. */

/* Whether all of them are where they were, and as they were. */
bool included_are_there(const capture *c);
/* Puts all of them, and the working directory, below the folder `root`, at the paths that they had. `*directory` is where
 * the working directory is then; to be freed. -1 with `e` set: they could not be written. */
int included_place(const capture *c, const char *root, char **directory, error *e);
/* Build options that find them there; to be freed. */
char *included_options(const capture *c, const char *root, const char *options);
/* Puts one file below `root`, in full or not at all, as several processes may share the folder. `path` begins with "/". */
int included_put(const char *root, const char *path, const char *text, error *e);
/* Makes a folder with all folders above it; what cannot be made is noticed when a file is put there. */
void included_folder(const char *path);
/* Whether the ".." of a path stay below where it begins. */
bool included_stays_below(const char *path);

#endif
