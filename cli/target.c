/* Finding libraries and device. */
#include "cli/target.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/devices.h"
#include "runner/paths.h"

static int choose_device(const device_settings *s, bool alike, target *out, error *e) {
  device *all = NULL;
  if (s->name == NULL && s->platform == NULL) {
    return 0;
  }
  if (devices_choose_all(s->name, s->platform, alike, &all, &out->device_count, e) != 0) {
    return -1;
  }
  out->devices = mem_calloc(out->device_count, sizeof *out->devices);
  for (size_t i = 0; i < out->device_count; i++) {
    buffer text = {0};
    buffer_printf(&text, "%u:%u", (unsigned)all[i].platform, (unsigned)all[i].index);
    out->devices[i] = buffer_take(&text);
  }
  free(all);
  out->device = out->devices[0];
  return 0;
}

static int find(const device_settings *s, bool alike, target *out, error *e) {
  *out = (target){.layer = own_path("libcltestcheck-layer.so")};
  out->capture = own_path("libcltestcheck-capture.so");
  out->replay = own_path("cltestcheck-replay");
  out->preload = s->preload ? own_path("libcltestcheck-preload.so") : NULL;
  if (out->layer == NULL || (s->preload && out->preload == NULL)) {
    return error_set(e, EXIT_INTERNAL, "the layer library is not where cltestcheck looks for it; install it again");
  }
  return choose_device(s, alike, out, e);
}

int target_find(const device_settings *s, target *out, error *e) { return find(s, true, out, e); }

int target_find_any(const device_settings *s, target *out, error *e) { return find(s, false, out, e); }

int target_find_one(const device_settings *s, target *out, error *e) {
  if (target_find(s, out, e) != 0) {
    return -1;
  }
  return out->device_count <= 1
             ? 0
             : error_set(e, EXIT_USAGE, "--device %s: this command runs on one device; mutate and amplify take several",
                         s->name);
}

void target_free(target *t) {
  free(t->layer);
  free(t->capture);
  free(t->replay);
  free(t->preload);
  mem_free_all(t->devices, t->device_count);
}
