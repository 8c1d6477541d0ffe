/* A counterexample as a case. */
#include "cli/emit_replica.h"

#include "base/buffer.h"
#include "base/say.h"
#include "capture/capture.h"
#include "cases/cases.h"
#include "cli/emit_cases.h"
#include "runner/counterexample/replica.h"
#include "runner/plan/plan.h"

int emit_replica_quietly(const char *folder, const replica *r, const char *name, error *e) {
  capture c = {0};
  size_t ignored = 0;
  buffer path = {0};
  buffer_printf(&path, "%s/%s", folder, name);
  const case_description how = {.name = name, .folder = buffer_text(&path), .reader = case_kernels_read};
  replica_capture(r, &c);
  const int result = emit_folder(folder, e) != 0 || emit_folder(buffer_text(&path), e) != 0 ||
                             case_describe(&c, &how, &ignored, e) != 0
                         ? -1
                         : 0;
  buffer_free(&path);
  capture_free(&c);
  return result;
}

int emit_replica(void *folder, const replica *r, const char *name, error *e) {
  const int result = emit_replica_quietly(folder, r, name, e);
  if (result == 0) {
    say(stderr, "cltestcheck: %s/%s/suite.yaml has the launch of a counterexample\n", (const char *)folder, name);
  }
  return result;
}
