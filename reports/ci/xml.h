/* Writing XML 1.0: text that may hold anything, made valid. */
#ifndef CLTC_REPORTS_CI_XML_H
#define CLTC_REPORTS_CI_XML_H

#include <stdio.h>

/* Text of an element or of an attribute in double quotes. What is not UTF-8 and characters that XML 1.0 does not have
 * become U+FFFD; line ends in attributes stay line ends. */
void xml_text(FILE *out, const char *text);
/* ` name="text"` */
void xml_attribute(FILE *out, const char *name, const char *text);

#endif
