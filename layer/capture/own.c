/* Memory of the program's own that is a buffer: what a kernel has put there is a read where the program learns that the
 * kernel has ended. Where it is not clear when the program looks, a replay cannot look for it. */
#include "layer/capture/layer.h"

static void see(cl_mem handle, const void *bytes, size_t size) {
  capture_command c = {.kind = CAPTURE_READ, .u.bytes = {.size = size}};
  area a = area_of_bytes(bytes, size);
  area_digest(&a, &c);
  memory_command(&c, handle, NULL);
}

void own_memory_missed(void) {
  if (file_is_for_order()) return;
  unsuitable(
      "a kernel wrote to the program's own memory (CL_MEM_USE_HOST_PTR), and when the program looks at it is not "
      "known");
}

void own_memory_finished(cl_command_queue queue) { storage_queue_over(queue, see); }

void own_memory_event(cl_event event) {
  if (!storage_event_over(event, see)) own_memory_missed();
}
