/* The parts of the text report on schedule amplification. */
#ifndef CLTC_REPORTS_TEXT_TEXT_AMPLIFICATION_H
#define CLTC_REPORTS_TEXT_TEXT_AMPLIFICATION_H

#include "reports/common/amplification.h"
#include "reports/text/text.h"

/* Launches with a verdict other than consistent: a row a schedule, a character a run (text_picture.c). */
void text_write_pictures(text *t, const amplification *a);
/* Races, deadlocks and crashes with their explanations, then those that are meant (text_failing.c). */
void text_write_failing(text *t, const amplification *a);

#endif
