/* Files of captures, and turns of workers. */
#include "runner/experiment/captures.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/scratch.h"
#include "wire/fields.h"
#include "wire/protocol.h"

int run_engine_find(const char *name) {
  static const char *const names[] = {[ENGINE_AUTO] = "auto", [ENGINE_REPLAY] = "replay", [ENGINE_RERUN] = "rerun"};
  return name_number(names, sizeof names / sizeof names[0], name);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

char *captures_open(error *e) { return scratch_temporary("cltestcheck-capture", e); }

void captures_close(char *directory) { scratch_close(directory); }

void capture_file_init(capture_file *f, const char *directory, size_t test, const char *replay_program) {
  buffer path = {0};
  buffer_printf(&path, "%s/%zu", directory, test);
  f->path = buffer_take(&path);
  f->argv[0] = (char *)replay_program;
  f->argv[1] = f->path;
  f->argv[2] = NULL;
}

void capture_file_take(capture_file *f, const char *path) {
  free(f->path);
  f->path = mem_strdup(path);
  f->argv[1] = f->path;
}

void capture_file_free(capture_file *f) {
  free(f->path);
  *f = (capture_file){0};
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

void capture_job(pool_job *job, const char *capture_layer, const capture_file *f) {
  job->child.capture_layer = capture_layer;
  job->child.capture = f->path;
}

void replay_job(pool_job *job, capture_file *f, uint64_t number, void (*turn)(pool_job *, buffer *)) {
  job->child.argv = f->argv;
  job->child.worker = true;
  job->child.preload = NULL;
  job->worker = number;
  job->turn = turn;
}

const char *replay_failed(const pool_job *job) {
  if (job->worker == 0 || job->timed_out) {
    return NULL;
  }
  if (job->replayed) {
    return job->incomplete ? "the device refused a command that it took without a mutant or gate" : NULL;
  }
  return job->status <= 128 ? "the replay ended early" : NULL;
}

const char *replay_obstacle(const transcript *plain) {
  if (plain->count > 1) {
    return "more than one process uses OpenCL";
  }
  return transcript_unstable(plain) || plain->unstable_count ? "what it reads differs from run to run" : NULL;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static void put_expected(const transcript *against, buffer *answer) {
  const transcript_process *p = against->count == 1 ? &against->processes[0] : NULL;
  wire_put_u32(answer, p == NULL ? 0 : (uint32_t)p->count);
  for (size_t i = 0; p != NULL && i < p->count; i++) {
    wire_put_u64(answer, p->reads[i].low);
    wire_put_u64(answer, p->reads[i].high);
  }
}

unsigned char replay_filling(size_t number) {
  static const unsigned char fillings[REPLAY_FILLINGS] = {
      0, 0x7f, /* a large number, whatever the type, which both additions and multiplications change */
      0xff,    /* no number, where numbers float: it stays when it is multiplied by zero */
  };
  return number < REPLAY_FILLINGS ? fillings[number] : 0;
}

void turn_begin(buffer *answer, uint64_t setup, const transcript *against, unsigned char filling, bool partial) {
  wire_begin(answer, MESSAGE_TURN);
  wire_put_u64(answer, setup);
  const bool ordered = against != NULL && (against->count == 0 || !against->processes[0].threads);
  if (!ordered || against->count > 1 || transcript_unstable(against)) {
    wire_put_u32(answer, NO_READS);
  } else {
    put_expected(against, answer);
  }
  wire_put_u32(answer, filling);
  wire_put_u32(answer, partial ? 1 : 0);
}

void turn_end(buffer *answer, const turn_change *change) {
  const char *text = change == NULL ? "" : change->text;
  const size_t count = change == NULL ? 0 : change->count;
  wire_put_string(answer, text, strlen(text));
  wire_put_u32(answer, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    wire_put_u64(answer, change->ranges[i].first);
    wire_put_u64(answer, change->ranges[i].behind);
  }
  wire_end(answer);
}
