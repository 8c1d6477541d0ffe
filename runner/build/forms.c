/* The table of forms. */
#include "runner/build/forms.h"

#include "schedamp/gate.h"
#include "wire/check_record.h"
#include "wire/memory_record.h"

const form_row form_rows[] = {
    [FORM_COVERAGE] = {KERNEL_COUNTED, "", false},
    [FORM_UNTOUCHED] = {KERNEL_UNKNOWN, "", true},
    [FORM_GATED_COVERAGE] = {KERNEL_GATED, "", false},
    [FORM_GATED] = {KERNEL_GATED, " " GATE_OPTION_BARE, true},
    [FORM_GATED_WATCHED] = {KERNEL_GATED, " " GATE_OPTION_BARE " " GATE_OPTION_WATCH, true},
    [FORM_CHECKED] = {KERNEL_CHECKED, "", false},
    [FORM_CHECKED_STRICT] = {KERNEL_CHECKED, " " OPTION_STRICT, false},
    [FORM_CHECKED_REVERSED] = {KERNEL_CHECKED, " " OPTION_REVERSED, false},
    [FORM_CHECKED_BOUNDS] = {KERNEL_CHECKED, " " OPTION_BOUNDS, false},
    [FORM_MEMORY] = {KERNEL_MEMORY, "", false},
    [FORM_FILLED] = {KERNEL_FILLED, " " OPTION_BRIEF, true},
    [FORM_BOUNDS] = {KERNEL_BOUNDS, " " OPTION_BRIEF, false},
};
