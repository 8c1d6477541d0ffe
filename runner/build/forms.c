/* How programs are built in each form. */
#include "runner/build/forms.h"

#include "schedamp/schedule.h"
#include "wire/check_record.h"
#include "wire/gate_record.h"
#include "wire/memory_record.h"

#define FORM_ROW(NAME, KERNELS, OPTIONS, BARE) [FORM_##NAME] = {KERNEL_##KERNELS, OPTIONS, BARE},
const form_row form_rows[] = {CLTC_FORMS(FORMS_IGNORED, FORM_ROW)};
