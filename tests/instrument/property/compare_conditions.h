/* Conditions and decisions of one program, for some kernels (a mask). */
#ifndef CLTC_TESTS_PROPERTY_COMPARE_CONDITIONS_H
#define CLTC_TESTS_PROPERTY_COMPARE_CONDITIONS_H

#include <stdio.h>

#include "db/db.h"
#include "tree.h"

/* Returns the number of differences between the sites and what was predicted of them; `who` names the kernels. */
size_t compare_conditions(const model_site *sites, size_t count, const tree *p, uint32_t file, uint32_t kernels,
                          const char *who, FILE *report);

#endif
