#include "runner/build/checked_slot.h"

bool checked_slot_read(const instrument_result *of, const uint32_t *record, uint32_t number, checked_slot *out) {
  const uint32_t *slot = record + CHECKED_SLOTS + (size_t)number * CHECKED_SLOT_WORDS;
  const uint32_t key = slot[CHECK_KEY] - 1;
  if (slot[CHECK_KEY] == 0) {
    return false;
  }
  *out = (checked_slot){.words = slot, .before = key / 4096, .now = key % 4096};
  out->whole = slot[CHECK_FILLED] != 0 && out->now < of->check_count &&
               (out->before < of->check_count || out->before == CHECKED_ACCESSES);
  out->same = slot[CHECK_SAME] >= slot[CHECK_COUNT];
  return true;
}
