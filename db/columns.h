/* The columns that tables have in common with structs, a list a table: a field and the name of its column. Statements,
 * and what writes, reads and frees the structs, are made of these lists; merges copy what a statement gives. */
#ifndef CLTC_DB_COLUMNS_H
#define CLTC_DB_COLUMNS_H

#include <stddef.h>

#include "db/db.h"

/* C(T, field, name) for each column. */
/* clang-format off */
#define CALL_COLUMNS(C, T) C(T, line, line) C(T, column, column)
#define COMMAND_COLUMNS(C, T) \
  C(T, function, function) C(T, kernel, kernel) C(T, number, number) C(T, queue, queue) C(T, in_order, in_order) \
  C(T, thread, thread) C(T, memory, memory) C(T, access, access) C(T, parameter, parameter) C(T, mapped, mapped) \
  C(T, sure, sure)
#define DETAIL_COLUMNS(C, T) \
  C(T, object, object) C(T, space, space) C(T, pixel, pixel) C(T, size, object_size) C(T, element, element) \
  C(T, element_size, element_size) C(T, byte, byte) C(T, launch, launch) C(T, launches, launches) C(T, count, count) \
  C(T, barriers, barriers) C(T, value_size, value_size) C(T, value_before, value_before) \
  C(T, value_after, value_after) C(T, differing, differing) C(T, items, items) C(T, local_size, local_size) \
  C(T, groups, groups) C(T, offset, offset) C(T, call, call) C(T, cause, cause) C(T, access, access) C(T, who, who) \
  C(T, local, local) C(T, group, work_group)
#define EXPLANATION_COLUMNS(C, T) \
  C(T, text, text) C(T, argument, argument) C(T, first, first) C(T, last, last) C(T, differing, differing) \
  C(T, reference, reference) C(T, seen, seen) C(T, line, line) C(T, unfinished, unfinished)
#define EXPLAINED_COLUMNS(C, T) C(T, role, role) C(T, group, number) C(T, construct, construct) C(T, line, line)
#define WHY_COLUMNS(C, T) \
  C(T, kind, kind) C(T, unit, unit) C(T, width, width) C(T, height, height) C(T, in_order, in_order) C(T, rest, rest) \
  C(T, race, race) C(T, race_why, race_why) C(T, read_kernel, read_kernel) C(T, read_argument, read_argument) \
  C(T, read_launch, read_launch) C(T, read_number, read_number) C(T, running, running) C(T, waiting, waiting) \
  C(T, of_groups, of_groups)
#define FUNCTION_COLUMNS(C, T) C(T, name, name) C(T, line, line) C(T, end_line, end_line) C(T, kernel, kernel)
#define LAUNCH_COLUMNS(C, T) \
  C(T, number, number) C(T, groups, groups) C(T, local, local) C(T, together, together) C(T, skipped, skipped)
#define MUTANT_COLUMNS(C, T) \
  C(T, id, identity) C(T, operator_name, operator) C(T, line, line) C(T, column, column) C(T, offset, offset) \
  C(T, end_line, end_line) C(T, end_column, end_column) C(T, end_offset, end_offset) C(T, original, original) \
  C(T, replacement, replacement)
#define NAME_COLUMNS(C, T) C(T, name, name) C(T, root, root)
#define OUTCOME_COLUMNS(C, T) C(T, index, number) C(T, label, label) C(T, line, line)
#define PLACE_COLUMNS(C, T) \
  C(T, role, role) C(T, access, access) C(T, line, line) C(T, column, column) C(T, local, local) \
  C(T, group, work_group) C(T, condition, condition) C(T, how, how) C(T, who, who) C(T, construct, construct)
#define PROOF_COLUMNS(C, T) \
  C(T, name, name) C(T, line, line) C(T, verdict, verdict) C(T, reason, reason) C(T, launches, launches) \
  C(T, proved, proved) C(T, seconds, seconds) C(T, queries, queries) C(T, memory, memory) C(T, reused, reused)
#define PROOF_PART_COLUMNS(C, T) C(T, text, text) C(T, line, line) C(T, column, column)
#define REFUSED_COLUMNS(C, T) \
  C(T, call, call) C(T, kernel, kernel) C(T, error, error) C(T, detail, detail) C(T, count, count)
#define REPAIR_COLUMNS(C, T) C(T, name, name) C(T, outcome, outcome) C(T, report, report) C(T, patch, patch)
#define SCHEDULE_COLUMNS(C, T) \
  C(T, order, ordering) C(T, gate, gate) C(T, target, target) C(T, seed, seed) C(T, verdict, verdict) \
  C(T, outcomes, outcomes) C(T, meant, meant)
#define SITE_COLUMNS(C, T) \
  C(T, line, line) C(T, column, column) C(T, offset, offset) C(T, end_line, end_line) C(T, end_column, end_column)
#define SKIPPED_COLUMNS(C, T) C(T, program, program) C(T, reason, reason)
#define SPAN_COLUMNS(C, T) \
  C(T, offset, offset) C(T, length, length) C(T, home_offset, home_offset) C(T, home_length, home_length)
#define STEP_COLUMNS(C, T) C(T, thread, thread) C(T, line, line) C(T, column, column) C(T, text, text)
#define TEST_CASE_COLUMNS(C, T) C(T, suite, suite) C(T, name, name) C(T, command_line, command_line) C(T, word, word)
#define VERDICT_COLUMNS(C, T) \
  C(T, runs, runs) C(T, output, output) C(T, crash, crash) C(T, timeout, timeout) C(T, replayed, replayed) \
  C(T, outside, outside) C(T, unwritten, unwritten) C(T, race, race)
#define WITNESS_COLUMNS(C, T) C(T, kind, kind) C(T, what, what) C(T, element, element) C(T, value, value)
/* Of several tables, joined. */
#define REPLAY_COLUMNS(C, T) \
  C(T, suite, t.suite) C(T, name, t.name) C(T, command_line, t.command_line) C(T, word, t.word) C(T, kernel, k.name) \
  C(T, launch, l.number) C(T, order, s.ordering) C(T, gate, s.gate) C(T, target, s.target) \
  C(T, seed, s.seed) C(T, settings, r.settings)
#define SEEN_COLUMNS(C, T) \
  C(T, suite, t.suite) C(T, name, t.name) C(T, command_line, t.command_line) C(T, word, t.word) C(T, kernel, k.name)

/* Which structs have them: X(struct, list). */
#define DB_STRUCTS(X) \
  X(db_call, CALL_COLUMNS) X(db_command, COMMAND_COLUMNS) X(db_detail, DETAIL_COLUMNS) X(db_explanation, EXPLANATION_COLUMNS) \
  X(db_explained, EXPLAINED_COLUMNS) X(db_why, WHY_COLUMNS)  X(model_function, FUNCTION_COLUMNS) X(db_launch, LAUNCH_COLUMNS) \
   X(db_mutant, MUTANT_COLUMNS)  \
  X(model_file, NAME_COLUMNS) X(model_home, NAME_COLUMNS) X(model_outcome, OUTCOME_COLUMNS) \
  X(db_place, PLACE_COLUMNS) X(db_proof, PROOF_COLUMNS)  \
  X(db_proof_part, PROOF_PART_COLUMNS) X(db_refused, REFUSED_COLUMNS) \
  X(db_repair, REPAIR_COLUMNS)  \
  X(db_replay, REPLAY_COLUMNS) X(db_schedule, SCHEDULE_COLUMNS)  \
  X(db_seen, SEEN_COLUMNS) X(model_site, SITE_COLUMNS) X(view_skipped, SKIPPED_COLUMNS) X(model_span, SPAN_COLUMNS) \
  X(db_step, STEP_COLUMNS) X(view_test_case, TEST_CASE_COLUMNS) \
  X(mutant_verdict, VERDICT_COLUMNS)  X(db_witness, WITNESS_COLUMNS)

/* clang-format on */

/* A column in a struct. The type of the field is that of the column. */
typedef enum db_column_kind {
  COLUMN_BOOL,
  COLUMN_U32,
  COLUMN_U64, /* what is above INT64_MAX is stored as that */
  COLUMN_I64,
  COLUMN_REAL,
  COLUMN_NUMBER, /* NULL where it is not known */
  COLUMN_TEXT    /* NULL is stored as "" */
} db_column_kind;
typedef struct db_column {
  db_column_kind kind;
  size_t offset;
} db_column;
typedef struct db_columns {
  const db_column *list;
  int count;
} db_columns;

/* db_call_columns, … */
#define DECLARE_COLUMNS(type, list) extern const db_columns type##_columns;
DB_STRUCTS(DECLARE_COLUMNS)
#undef DECLARE_COLUMNS

#endif
