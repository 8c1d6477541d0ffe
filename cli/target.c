/* Finding libraries and device. */
#include "cli/target.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "runner/devices.h"
#include "runner/paths.h"

static int choose_device(const settings *s, target *out, error *e) {
  device d;
  if (s->device == NULL && s->platform == NULL) {
    return 0;
  }
  if (devices_choose(s->device, s->platform, &d, e) != 0) {
    return -1;
  }
  buffer text = {0};
  buffer_printf(&text, "%u:%u", (unsigned)d.platform, (unsigned)d.index);
  out->device = buffer_take(&text);
  return 0;
}

int target_find(const settings *s, target *out, error *e) {
  *out = (target){.layer = own_path("libcltestcheck-layer.so")};
  out->capture = own_path("libcltestcheck-capture.so");
  out->replay = own_path("cltestcheck-replay");
  out->preload = s->preload ? own_path("libcltestcheck-preload.so") : NULL;
  if (out->layer == NULL || (s->preload && out->preload == NULL)) {
    return error_set(e, EXIT_INTERNAL, "the layer library is not where cltestcheck looks for it; install it again");
  }
  return choose_device(s, out, e);
}

void target_free(target *t) {
  free(t->layer);
  free(t->capture);
  free(t->replay);
  free(t->preload);
  free(t->device);
}
