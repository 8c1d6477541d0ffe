/* What coverage is about: kinds of sites and their outcomes (docs/coverage.md). Shared by the instrumenter, the
 * database and the reports; everything here is a table. */
#ifndef CLTC_BASE_SITE_H
#define CLTC_BASE_SITE_H

#include <stdint.h>

typedef enum site_kind {
  SITE_FUNCTION,    /* outcome 0: entered */
  SITE_IF,          /* outcomes: OUTCOME_TRUE, OUTCOME_FALSE */
  SITE_CONDITIONAL, /* `?:`, the same */
  SITE_SWITCH,      /* outcomes 0..n-1: the cases in source order; n: default, written or not */
  SITE_FOR,         /* loops: OUTCOME_ZERO … OUTCOME_BOUNDARY, as far as the loop has them (`outcomes` mask) */
  SITE_WHILE,
  SITE_DO,
  SITE_BARRIER,   /* outcome 0: covered */
  SITE_REGION,    /* outcome 0: executed; code that can be reached or missed without a branch outcome saying so */
  SITE_CONDITION, /* an atomic condition: OUTCOME_TRUE, OUTCOME_FALSE */
  SITE_ASYNC,     /* async_work_group_copy and its like, wait_group_events: no outcomes, only OUTCOME_DIVERGED */
  SITE_DECISION,  /* a tree of && and ||. Outcomes below OUTCOME_PATH: its conditions in source order, labelled with
                     their  text; from there on: the ways through it. None of either: there are too many ways */
  SITE_KIND_COUNT
} site_kind;

enum { OUTCOME_ENTERED = 0, OUTCOME_EXECUTED = 0, OUTCOME_COVERED = 0 };
enum { OUTCOME_TRUE = 0, OUTCOME_FALSE = 1 };
/* The label of a way through a decision has a character a condition, `T`, `F` or `-` (not evaluated), a space and the
 * decision's value: "TF- F". These are evidence, not something to cover; reports/common/coverage.h computes MC/DC from
 * them. */
enum { OUTCOME_PATH = 32, MAX_PATHS = 32 };
enum { OUTCOME_ZERO = 0, OUTCOME_ONE = 1, OUTCOME_MANY = 2, OUTCOME_BOUNDARY = 3 };
/* Not an outcome to cover but a finding: work-items of one work-group decided differently here (guards of a
 * barrier or async call), or executed it a different number of times, or an async call with other arguments. Same
 * number for every kind. */
enum { OUTCOME_DIVERGED = 1000 };

/* The words of reports and of the database: "function", "if", "conditional", "switch", "for", "while", "do",
 * "barrier", "region", "condition", "async", "decision". */
const char *site_kind_name(site_kind kind);
/* -1 when no kind has that name. */
int site_kind_from_name(const char *name);

#endif
