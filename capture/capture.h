/* Reading, packing and comparing captures (wire/capture.h). */
#ifndef CLTC_CAPTURE_CAPTURE_H
#define CLTC_CAPTURE_CAPTURE_H

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

/* The places of a kernel case, beside its capture. Places that cannot be read are none. -1 with `e` set (EXIT_INTERNAL): they
 * cannot be written. */
int capture_places_write(const capture *c, const char *to, error *e);
void capture_places_read(capture *c, const char *from);
/* Of a command; NULL: it is not known. */
const capture_place *capture_place_of(const capture *c, size_t command);

#endif
