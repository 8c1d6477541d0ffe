/* Two tables: what holds in a state, and which state comes after it. */
#include "runner/experiment/case_state.h"

enum { WANTED = 1, KEPT = 2, REPLAYED = 4, VARIES = 8, BLOCKS = 16, UNWRITTEN = 32, SHOWN = KEPT | REPLAYED };

static const unsigned char holds[CASE_STATES] = {
    [CASE_PROGRAM] = 0,
    [CASE_RECORDED] = KEPT,
    [CASE_IDLE] = 0,
    [CASE_WANTED] = WANTED,
    [CASE_WANTED_VARYING] = WANTED | VARIES,
    [CASE_CAPTURED] = SHOWN,
    [CASE_CAPTURED_VARYING] = SHOWN | VARIES | BLOCKS,
    [CASE_UNCLEAR] = SHOWN | BLOCKS,
    [CASE_REPLAYED] = SHOWN,
    [CASE_REPLAYED_BLOCKS] = SHOWN | BLOCKS,
    [CASE_REPLAYED_UNWRITTEN] = SHOWN | BLOCKS | UNWRITTEN,
    [CASE_REPLAYED_VARYING] = SHOWN | VARIES | BLOCKS,
    [CASE_REPLAYED_VARYING_UNWRITTEN] = SHOWN | VARIES | BLOCKS | UNWRITTEN,
};

static const struct {
  case_state from;
  case_event event;
  case_state to;
} steps[] = {
    {CASE_PROGRAM, EVENT_STEADY, CASE_WANTED},
    {CASE_PROGRAM, EVENT_VARIES, CASE_WANTED_VARYING},
    {CASE_PROGRAM, EVENT_CAPTURED, CASE_RECORDED}, /* for what is known of it alone */
    {CASE_PROGRAM, EVENT_NOTHING, CASE_IDLE},
    {CASE_RECORDED, EVENT_REGAINED, CASE_CAPTURED},
    {CASE_WANTED, EVENT_CAPTURED, CASE_CAPTURED},
    {CASE_WANTED, EVENT_NOTHING, CASE_IDLE},
    {CASE_WANTED, EVENT_LOST, CASE_PROGRAM},
    {CASE_WANTED_VARYING, EVENT_CAPTURED, CASE_CAPTURED_VARYING},
    {CASE_WANTED_VARYING, EVENT_NOTHING, CASE_IDLE},
    {CASE_WANTED_VARYING, EVENT_LOST, CASE_PROGRAM},
    {CASE_CAPTURED, EVENT_UNCLEAR, CASE_UNCLEAR},
    {CASE_CAPTURED, EVENT_SAME, CASE_REPLAYED},
    {CASE_CAPTURED, EVENT_LOST, CASE_RECORDED},
    {CASE_CAPTURED_VARYING, EVENT_SAME, CASE_REPLAYED_VARYING},
    {CASE_CAPTURED_VARYING, EVENT_UNWRITTEN, CASE_REPLAYED_VARYING_UNWRITTEN},
    {CASE_CAPTURED_VARYING, EVENT_LOST, CASE_RECORDED},
    {CASE_UNCLEAR, EVENT_SAME, CASE_REPLAYED_BLOCKS},
    {CASE_UNCLEAR, EVENT_UNWRITTEN, CASE_REPLAYED_UNWRITTEN},
    {CASE_UNCLEAR, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_BLOCKS, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_UNWRITTEN, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_VARYING, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_VARYING_UNWRITTEN, EVENT_LOST, CASE_RECORDED},
};

case_state case_after(case_state s, case_event event) {
  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    if (steps[i].from == s && steps[i].event == event) {
      return steps[i].to;
    }
  }
  return s;
}

bool case_is_wanted(case_state s) { return (holds[s] & WANTED) != 0; }
bool case_is_captured(case_state s) { return (holds[s] & KEPT) != 0; }
bool case_is_replayed(case_state s) { return (holds[s] & REPLAYED) != 0; }
bool case_varies(case_state s) { return (holds[s] & VARIES) != 0; }
bool case_by_blocks(case_state s) { return (holds[s] & BLOCKS) != 0; }
bool case_reads_unwritten(case_state s) { return (holds[s] & UNWRITTEN) != 0; }
