/* How programs are built in each form. */
#include "runner/build/forms.h"

#include "detectors/gates/record.h"
#include "detectors/memory/record.h"
#include "detectors/races/record.h"
#include "schedamp/schedule.h"

#define FORM_ROW(NAME, KERNELS, OPTIONS, BARE) [FORM_##NAME] = {KERNEL_##KERNELS, OPTIONS, BARE},
const form_row form_rows[] = {CLTC_FORMS(FORMS_IGNORED, FORM_ROW)};
