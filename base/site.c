/* Names of the kinds of sites. */
#include "base/site.h"

#include <string.h>

#include "base/names.h"

static const char *const names[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = "function",
    [SITE_IF] = "if",
    [SITE_CONDITIONAL] = "conditional",
    [SITE_SWITCH] = "switch",
    [SITE_FOR] = "for",
    [SITE_WHILE] = "while",
    [SITE_DO] = "do",
    [SITE_BARRIER] = "barrier",
    [SITE_REGION] = "region",
    [SITE_CONDITION] = "condition",
    [SITE_ASYNC] = "async",
    [SITE_DECISION] = "decision",
};

const char *site_kind_name(site_kind kind) { return (unsigned)kind < SITE_KIND_COUNT ? names[kind] : "unknown"; }

int site_kind_from_name(const char *name) { return name_number(names, SITE_KIND_COUNT, name); }
