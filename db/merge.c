/* Runs of one database are copied into another, or what that has of them is brought up to date. The database that they come
 * from is attached as `other`; SQLite joins, translates and copies. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "db/internal.h"

#define CACHE_PRAGMA "PRAGMA cache_size = -262144" /* KiB at most */

/* clang-format off */
/* Row ids of `other` and what they are here, in temporary tables of (old, new). A row stays behind where what it refers to
 * and needs is not here. Functions, sites and kernels of a program have ids that follow each other in both databases: one
 * number a program translates them. Files are the same where their text is. */
static const char *const tables[] = {
    /* `known`: this database has had the run before; `newer`: `other` knows more of it, or alone knows it. */
    "CREATE TEMP TABLE m_run (old INTEGER PRIMARY KEY, new INTEGER, known INTEGER, newer INTEGER)",
    "CREATE TEMP TABLE m_program (old INTEGER PRIMARY KEY, new INTEGER, functions INTEGER, sites INTEGER,"
    " kernels INTEGER)",
    "CREATE TEMP TABLE m_mutant (old INTEGER PRIMARY KEY, new INTEGER, same INTEGER)",
    /* Mutants of a run (here) of which this database knows no more than `other`; `newer`: less. */
    "CREATE TEMP TABLE m_taken (run INTEGER, old INTEGER, new INTEGER, newer INTEGER, PRIMARY KEY (run, old))"
    " WITHOUT ROWID",
    "CREATE TEMP TABLE m_proof (old INTEGER PRIMARY KEY, new INTEGER, added INTEGER)",
    "CREATE TEMP TABLE m_test (old INTEGER PRIMARY KEY, new INTEGER, run INTEGER, newer INTEGER)",
    "CREATE TEMP TABLE m_launch (old INTEGER PRIMARY KEY, new INTEGER)",
    "CREATE TEMP TABLE m_schedule (old INTEGER PRIMARY KEY, new INTEGER)",
    "CREATE TEMP TABLE m_finding (old INTEGER PRIMARY KEY, new INTEGER)",
    NULL,
};
static const char drop_tables[] =
    "DROP TABLE m_run; DROP TABLE m_program; DROP TABLE m_mutant; DROP TABLE m_taken; DROP TABLE m_proof;"
    "DROP TABLE m_test; DROP TABLE m_launch; DROP TABLE m_schedule; DROP TABLE m_finding";

/* How far a run has come: what grows while it goes on, first what is decided, then what was seen. */
#define PROGRESS(db, r) \
  "(SELECT (SELECT count(*) FROM " db ".run_mutant WHERE run = " r " AND status <> 'pending')" \
  " + (SELECT count(status) FROM " db ".test_case WHERE run = " r ")" \
  " + (SELECT count(*) FROM " db ".proof WHERE run = " r ")" \
  " + (SELECT count(*) FROM " db ".finding WHERE run = " r " AND confirmed <> '') + (exit IS NOT NULL)," \
  " (SELECT total(x.runs) FROM " OF_TESTS(db, "verdict", r) ") + (SELECT total(x.launches) FROM " OF_TESTS(db, "launch", r) ")" \
  " + (SELECT count(*) FROM " OF_TESTS(db, "nth_launch", r) ")" \
  " + (SELECT total(length(s.outcomes) + 1) FROM " db ".schedule s JOIN (SELECT x.id FROM " OF_TESTS(db, "nth_launch", r) ")" \
  " n ON s.launch = n.id) FROM " db ".run WHERE id = " r ")"
#define OF_TESTS(db, table, r) db ".test_case t JOIN " db "." table " x ON x.test_case = t.id WHERE t.run = " r

static const char *const runs[] = {
    "INSERT INTO m_run SELECT o.id, h.id, h.id IS NOT NULL,"
    " h.id IS NULL OR " PROGRESS("other", "o.id") " > " PROGRESS("main", "h.id")
    " FROM other.run o LEFT JOIN main.run h ON h.uuid = o.uuid",
    "INSERT INTO main.run (uuid, command, version, started, device, exit, settings, revision)"
    " SELECT uuid, command, version, started, device, exit, settings, revision FROM other.run"
    " WHERE id IN (SELECT old FROM m_run WHERE NOT known) ORDER BY id",
    "UPDATE m_run SET new = (SELECT h.id FROM other.run o JOIN main.run h ON h.uuid = o.uuid WHERE o.id = old)"
    " WHERE NOT known",
    "UPDATE main.run AS h SET device = iif(o.device = '' OR (h.device <> '' AND NOT r.newer), h.device, o.device),"
    " exit = iif(r.newer, ifnull(o.exit, h.exit), ifnull(h.exit, o.exit)), settings = ifnull(h.settings, o.settings)"
    " FROM m_run r JOIN other.run o ON o.id = r.old WHERE h.id = r.new AND r.known",
    NULL,
};

#define FIRST(db, table, program) "(SELECT min(id) FROM " db "." table " WHERE program = " program ")"
#define SHIFT(table) FIRST("main", table, "new") " - " FIRST("other", table, "old")

/* Of a mutant's verdicts, of proofs and schedules those of one database count alone. Of two words on a mutant in the same run
 * the one with the higher weight does: a decision before none, and of two decisions (a run that was gone on with from two
 * copies) the same one in whatever order they are merged. What a mutant's code says is known later than what its runs say, and
 * counts more. */
#define WEIGHT(word) \
  "(CASE " word ".status WHEN 'equivalent' THEN 13 WHEN 'duplicate' THEN 12 WHEN 'invalid' THEN 11" \
  " WHEN 'killed' THEN 8 WHEN 'undecided' THEN 7 WHEN 'survived' THEN 6 WHEN 'no-coverage' THEN 5" \
  " WHEN 'suppressed' THEN 1 ELSE 0 END, " word ".reason)"

/* The mutants that are part of a run, with the originals of its duplicates; others are brought by other shards. */
#define OF_RUNS \
  "x.id IN (SELECT mutant FROM other.run_mutant UNION SELECT original FROM other.run_mutant" \
  " WHERE original IS NOT NULL)"

static const char *const mutants[] = {
    "INSERT OR IGNORE INTO run_program SELECT r.new, p.new FROM m_run r JOIN other.run_program x ON x.run = r.old"
    " JOIN m_program p ON p.old = x.program",
    "UPDATE m_program SET functions = " SHIFT("function") ", sites = " SHIFT("site") ", kernels = " SHIFT("kernel"),
    "INSERT OR IGNORE INTO main.mutant (program, file, function, description" NAMES(MUTANT_COLUMNS) ")"
    " SELECT p.new, b.id, (SELECT id FROM main.function WHERE id = x.function + p.functions), x.description"
    X_NAMES(MUTANT_COLUMNS) " FROM other.mutant x JOIN m_program p ON p.old = x.program JOIN other.file a ON a.id = x.file"
    " JOIN main.file b ON b.sha256 = a.sha256 WHERE " OF_RUNS " ORDER BY x.id",
    "INSERT INTO m_mutant SELECT x.id, y.id,"
    " y.operator = x.operator AND y.offset = x.offset AND y.replacement = x.replacement"
    " FROM other.mutant x JOIN m_program p ON p.old = x.program"
    " JOIN main.mutant y ON y.program = p.new AND y.identity = x.identity WHERE " OF_RUNS,
    "INSERT OR IGNORE INTO main.mutant_kernel SELECT m.new, x.kernel + p.kernels FROM m_mutant m"
    " JOIN other.mutant_kernel x ON x.mutant = m.old JOIN other.kernel k ON k.id = x.kernel"
    " JOIN m_program p ON p.old = k.program",
    "INSERT INTO m_taken SELECT r.new, m.old, m.new, h.mutant IS NULL OR " WEIGHT("o") " > " WEIGHT("h")
    " FROM m_run r JOIN other.run_mutant o ON o.run = r.old JOIN m_mutant m ON m.old = o.mutant"
    " LEFT JOIN main.run_mutant h ON h.run = r.new AND h.mutant = m.new"
    " WHERE h.mutant IS NULL OR " WEIGHT("o") " >= " WEIGHT("h"),
    "DELETE FROM main.verdict WHERE (test_case, mutant) IN (SELECT t.id, m.new FROM m_run r JOIN m_taken m ON m.run = r.new"
    " JOIN main.test_case t ON t.run = r.new WHERE r.known AND m.newer)",
    "INSERT OR REPLACE INTO main.run_mutant (run, mutant, status, reason, original, code)"
    " SELECT m.run, m.new, o.status, o.reason, d.new, o.code FROM m_run r JOIN m_taken m ON m.run = r.new"
    " JOIN other.run_mutant o ON o.run = r.old AND o.mutant = m.old LEFT JOIN m_mutant d ON d.old = o.original WHERE m.newer",
    "UPDATE main.run_mutant AS h SET code = o.code FROM m_run r JOIN m_taken m ON m.run = r.new"
    " JOIN other.run_mutant o ON o.run = r.old AND o.mutant = m.old"
    " WHERE h.run = m.run AND h.mutant = m.new AND NOT m.newer AND o.code IS NOT NULL",
    NULL,
};

/* Kernels and sites of a row x, NULL where they are not known; files by their text. */
#define PERHAPS_KERNEL " LEFT JOIN other.kernel k ON k.id = x.kernel LEFT JOIN m_program kp ON kp.old = k.program"
#define PERHAPS_SITE " LEFT JOIN other.site s ON s.id = x.site LEFT JOIN m_program sp ON sp.old = s.program"
#define PERHAPS_FILE " LEFT JOIN other.file a ON a.id = x.file LEFT JOIN main.file b ON b.sha256 = a.sha256"
/* The same, of a row that needs them. */
#define KERNEL " JOIN other.kernel k ON k.id = x.kernel JOIN m_program kp ON kp.old = k.program"
#define SITE " JOIN other.site s ON s.id = x.site JOIN m_program sp ON sp.old = s.program"
#define FILE_OF " JOIN other.file a ON a.id = x.file JOIN main.file b ON b.sha256 = a.sha256"

#define FIND_PROOFS(added) \
  "INSERT OR IGNORE INTO m_proof SELECT x.id, h.id, " added " FROM m_run r JOIN other.proof x ON x.run = r.old" \
  " JOIN m_program p ON p.old = x.program JOIN main.proof h ON h.run = r.new AND h.program = p.new AND h.name = x.name"

#define CASES(db, run) \
  "(SELECT *, row_number() OVER (PARTITION BY run, suite, name, command_line ORDER BY id) AS nth FROM " db \
  ".test_case WHERE run IN (SELECT " run " FROM m_run))"
/* The n-th of the same names in a run is the same. */
#define FIND_TEST_CASES \
  "INSERT OR IGNORE INTO m_test SELECT o.id, h.id, r.new, r.newer FROM m_run r JOIN " CASES("other", "old") \
  " o ON o.run = r.old JOIN " CASES("main", "new") " h ON h.run = r.new AND h.suite = o.suite AND h.name = o.name" \
  " AND h.command_line = o.command_line AND h.nth = o.nth"

/* A part of the findings that were added. */
#define PART(table, needs, first, second, list) \
  "INSERT INTO main." table " (finding, " first NAMES(list) ") SELECT f.new, " second X_NAMES(list) \
  " FROM m_finding f JOIN main.finding y ON y.id = f.new JOIN other." table " x ON x.finding = f.old" needs

static const char *const rest[] = {
    /* Proofs: findings refer to them. */
    FIND_PROOFS("0"),
    "INSERT INTO main.proof (run, program, kernel, file, key, answer" NAMES(PROOF_COLUMNS) ")"
    " SELECT r.new, p.new, x.kernel + kp.kernels, b.id, x.key, x.answer" X_NAMES(PROOF_COLUMNS)
    " FROM m_run r JOIN other.proof x ON x.run = r.old JOIN m_program p ON p.old = x.program" PERHAPS_KERNEL PERHAPS_FILE
    " WHERE x.id NOT IN (SELECT old FROM m_proof) ORDER BY r.new, x.id",
    FIND_PROOFS("1"),
    "INSERT INTO main.proof_part (proof, position, kind, file" NAMES(PROOF_PART_COLUMNS) ")"
    " SELECT m.new, x.position, x.kind, b.id" X_NAMES(PROOF_PART_COLUMNS)
    " FROM m_proof m JOIN other.proof_part x ON x.proof = m.old" PERHAPS_FILE " WHERE m.added",
    /* Test cases with what was seen in them. */
    FIND_TEST_CASES,
    "INSERT INTO main.test_case (run, status, timed_out" NAMES(TEST_CASE_COLUMNS) ") SELECT r.new, x.status, x.timed_out"
    X_NAMES(TEST_CASE_COLUMNS) " FROM m_run r JOIN other.test_case x ON x.run = r.old"
    " WHERE x.id NOT IN (SELECT old FROM m_test) ORDER BY r.new, x.id",
    FIND_TEST_CASES,
    "UPDATE main.test_case AS h SET status = o.status, timed_out = o.timed_out FROM m_test t"
    " JOIN other.test_case o ON o.id = t.old WHERE h.id = t.new AND o.status IS NOT NULL AND (h.status IS NULL OR t.newer)",
    "INSERT INTO main.launch SELECT t.new, x.kernel + kp.kernels, x.launches FROM m_test t"
    " JOIN other.launch x ON x.test_case = t.old" KERNEL
    " WHERE true ON CONFLICT DO UPDATE SET launches = max(launches, excluded.launches)",
    "INSERT OR IGNORE INTO main.evidence SELECT t.new, x.kernel + kp.kernels, x.site + sp.sites, x.outcome FROM m_test t"
    " JOIN other.evidence x ON x.test_case = t.old" KERNEL SITE,
    /* Of two verdicts that say as much the order of columns decides, so that the result does not depend on which comes first. */
    "INSERT INTO main.verdict (test_case, mutant, revealed, reused, key, revealed_key" NAMES(VERDICT_COLUMNS) ")"
    " SELECT t.new, m.new, x.revealed, x.reused, x.key, x.revealed_key" X_NAMES(VERDICT_COLUMNS)
    " FROM m_test t JOIN other.verdict x ON x.test_case = t.old JOIN m_taken m ON m.run = t.run AND m.old = x.mutant"
    " WHERE true ON CONFLICT DO UPDATE SET revealed = excluded.revealed, reused = excluded.reused, key = excluded.key,"
    " revealed_key = excluded.revealed_key" VERDICT_COLUMNS(NEW_VALUE, )
    " WHERE (0" VERDICT_COLUMNS(NEW_NAME, ) ", excluded.revealed, excluded.reused, ifnull(excluded.key, ''),"
    " ifnull(excluded.revealed_key, ''))"
    " > (0" NAMES(VERDICT_COLUMNS) ", revealed, reused, ifnull(key, ''), ifnull(revealed_key, ''))",
    "INSERT INTO main.unstable SELECT t.new, x.what, x.share FROM m_test t JOIN other.unstable x ON x.test_case = t.old"
    " WHERE true ON CONFLICT DO UPDATE SET share = max(share, excluded.share)",
    /* Launches and schedules. */
    "INSERT INTO main.nth_launch (test_case, kernel" NAMES(LAUNCH_COLUMNS) ") SELECT t.new, x.kernel + kp.kernels"
    X_NAMES(LAUNCH_COLUMNS) " FROM m_test t JOIN other.nth_launch x ON x.test_case = t.old" KERNEL
    " WHERE t.newer ORDER BY t.old, x.id" PUT_LAUNCH_AGAIN,
    "INSERT INTO m_launch SELECT x.id, y.id FROM m_test t JOIN other.nth_launch x ON x.test_case = t.old" KERNEL
    " JOIN main.nth_launch y ON y.test_case = t.new AND y.kernel = x.kernel + kp.kernels AND y.number = x.number"
    " WHERE t.newer",
    "INSERT INTO main.schedule (launch" NAMES(SCHEDULE_COLUMNS) ") SELECT l.new" X_NAMES(SCHEDULE_COLUMNS)
    " FROM m_launch l JOIN other.schedule x ON x.launch = l.old WHERE true ORDER BY l.new, x.id" PUT_SCHEDULE_AGAIN,
    "INSERT INTO m_schedule SELECT x.id, y.id FROM m_launch l JOIN other.schedule x ON x.launch = l.old"
    " JOIN main.schedule y ON y.launch = l.new AND y.ordering = x.ordering AND y.gate = x.gate AND y.target = x.target"
    " AND y.seed = x.seed",
    "INSERT OR IGNORE INTO main.reached SELECT m.new, x.site + sp.sites, x.outcome FROM m_schedule m"
    " JOIN other.reached x ON x.schedule = m.old" SITE,
    "INSERT OR REPLACE INTO main.explanation (schedule, other, file" NAMES(EXPLANATION_COLUMNS) NAMES(WHY_COLUMNS) ")"
    " SELECT m.new, o.new, b.id" X_NAMES(EXPLANATION_COLUMNS) X_NAMES(WHY_COLUMNS) " FROM m_schedule m"
    " JOIN other.explanation x ON x.schedule = m.old LEFT JOIN m_schedule o ON o.old = x.other" PERHAPS_FILE,
    "DELETE FROM main.explanation_place WHERE schedule IN (SELECT m.new FROM m_schedule m"
    " JOIN other.explanation x ON x.schedule = m.old)",
    "INSERT INTO main.explanation_place (schedule, position, file" NAMES(EXPLAINED_COLUMNS) ")"
    " SELECT m.new, x.position, b.id" X_NAMES(EXPLAINED_COLUMNS) " FROM m_schedule m"
    " JOIN other.explanation e ON e.schedule = m.old JOIN other.explanation_place x ON x.schedule = m.old" PERHAPS_FILE,
    /* Findings: those that are here already stay as they are. */
    "INSERT INTO m_finding SELECT x.id, (SELECT ifnull(max(id), 0) FROM main.finding)"
    " + row_number() OVER (ORDER BY r.new, x.test_case IS NULL, x.test_case, x.id) FROM m_run r"
    " JOIN other.finding x ON x.run = r.old WHERE x.test_case IS NULL OR x.test_case IN (SELECT old FROM m_test)",
    "INSERT OR IGNORE INTO main.finding (id, run, test_case, kernel, site, rule, message, places, proof, possible,"
    " confirmed, confirmation, schedule" NAMES(DETAIL_COLUMNS) ") SELECT f.new, r.new, t.new, x.kernel + kp.kernels,"
    " x.site + sp.sites, x.rule, x.message, x.places, p.new, x.possible, x.confirmed, x.confirmation, m.new"
    X_NAMES(DETAIL_COLUMNS) " FROM m_finding f JOIN other.finding x ON x.id = f.old JOIN m_run r ON r.old = x.run"
    " LEFT JOIN m_test t ON t.old = x.test_case" PERHAPS_KERNEL PERHAPS_SITE
    " LEFT JOIN m_proof p ON p.old = x.proof LEFT JOIN m_schedule m ON m.old = x.schedule ORDER BY f.new",
    PART("finding_place", FILE_OF, "position, file", "x.position, b.id", PLACE_COLUMNS),
    PART("finding_witness", "", "position", "x.position", WITNESS_COLUMNS),
    PART("finding_command", "", "position", "x.position", COMMAND_COLUMNS),
    PART("finding_inlined", FILE_OF, "place, position, file", "x.place, x.position, b.id", CALL_COLUMNS),
    PART("finding_step", FILE_OF, "position, file", "x.position, b.id", STEP_COLUMNS),
    /* Of the runs. */
    "INSERT OR REPLACE INTO main.repair (run, program" NAMES(REPAIR_COLUMNS) ") SELECT r.new, p.new" X_NAMES(REPAIR_COLUMNS)
    " FROM m_run r JOIN other.repair x ON x.run = r.old JOIN m_program p ON p.old = x.program",
    "INSERT OR IGNORE INTO main.skipped SELECT r.new, x.program, x.reason FROM m_run r JOIN other.skipped x ON x.run = r.old",
    "INSERT INTO main.refused (run" NAMES(REFUSED_COLUMNS) ") SELECT r.new" X_NAMES(REFUSED_COLUMNS)
    " FROM m_run r JOIN other.refused x ON x.run = r.old WHERE true"
    " ON CONFLICT DO UPDATE SET count = max(count, excluded.count)",
    /* What is kept beside runs: answers of compilers, digests of code. */
    "INSERT OR REPLACE INTO main.fact SELECT * FROM other.fact",
    "INSERT OR REPLACE INTO main.code SELECT * FROM other.code",
    NULL,
};

/* clang-format on */

/* The database that is being read is to blame, unless this one cannot be written. */
static int failed(const db *d, const db *from, error *e) {
  const int rc = sqlite3_errcode(d->handle);
  const bool here =
      rc == SQLITE_FULL || rc == SQLITE_IOERR || rc == SQLITE_BUSY || rc == SQLITE_LOCKED || rc == SQLITE_READONLY;
  return db_failed_at(here ? d->path : from->path, d->handle, rc, e);
}

static int execute(const db *d, const db *from, const char *const *statements, error *e) {
  for (; *statements != NULL; statements++)
    if (sqlite3_exec(d->handle, *statements, NULL, NULL, NULL) != SQLITE_OK) return failed(d, from, e);
  return 0;
}

/* --- programs ------------------------------------------------------------------------------------------------- */

static int damaged(const db *d, int64_t program, error *e) {
  return error_set(e, EXIT_USAGE,
                   "%s is damaged (program %lld is incomplete); delete it or name another database with --db FILE",
                   d->path, (long long)program);
}

static int copy_program(db *d, db *from, int64_t program, int64_t run, int64_t *new, error *e) {
  model copy;
  db_program ids;
  db_program to = {0};
  int result = db_read_program(from, program, &copy, &ids, e);
  if (result == 0) result = db_add_program(d, run, &copy, &to, e);
  *new = to.id;
  model_free(&copy);
  db_program_free(&ids);
  db_program_free(&to);
  return result;
}

/* Names and homes are those that were merged last. */
static int rename_program(db *d, db *from, int64_t program, int64_t new, error *e) {
  int64_t files = 0;
  model of = {0};
  if (sql_run(d, SQL_MERGE_NAMES, e, "ii", program, new) != 0 ||
      sql_number(d, SQL_COUNT_PROGRAM_FILES, &files, e, "i", new) < 0)
    return -1;
  of.files = mem_calloc((size_t)files + 1, sizeof *of.files);
  of.file_count = (size_t)files;
  const bool fails = db_read_homes(from, program, &of, e) != 0 || db_put_homes(d, new, &of, e) != 0;
  model_free(&of);
  return fails ? -1 : 0;
}

/* A program that is here already, by what was stored of both, costs a few look-ups, whatever its size. */
static int place_programs(db *d, db *from, error *e) {
  EACH_ROW(step, row, d, SQL_MERGED_PROGRAMS, e, "") {
    const int64_t old = sqlite3_column_int64(row, 0);
    int64_t new = sqlite3_column_int64(row, 1);
    const bool known = sqlite3_column_int(row, 3) != 0;
    int result = 0;
    if (new == 0)
      result = copy_program(d, from, old, sqlite3_column_int64(row, 2), &new, e);
    else if (!known)
      result = rename_program(d, from, old, new, e);
    if (result != 0 || sql_run(d, SQL_MERGE_PROGRAM, e, "ii", old, new) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step;
}

/* --- all -------------------------------------------------------------------------------------------------------- */

static int check_mutants(db *d, const db *from, error *e) {
  int64_t id = 0;
  const int found = sql_number(d, SQL_MERGED_APART, &id, e, "");
  return found == 1
             ? error_set(e, EXIT_INTERNAL,
                         "two mutants of a program in %s and %s have the same id %u; please report this as a fault",
                         from->path, d->path, (unsigned)id)
             : found;
}

/* Of a proof that both have, that of the database that knows more of the run counts. */
static int drop_proofs(db *d, error *e) {
  EACH_ROW(step, row, d, SQL_MERGED_PROOFS, e, "") {
    if (db_drop_proof(d, sqlite3_column_int64(row, 0), e) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step;
}

static int merge_all(db *d, db *from, size_t *merged, error *e) {
  int64_t program = 0, count = 0;
  if (execute(d, from, tables, e) != 0 || execute(d, from, runs, e) != 0 || place_programs(d, from, e) != 0) return -1;
  const int incomplete = sql_number(d, SQL_MERGED_INCOMPLETE, &program, e, "");
  if (incomplete != 0) return incomplete < 0 ? -1 : damaged(from, program, e);
  if (execute(d, from, mutants, e) != 0 || check_mutants(d, from, e) != 0 || drop_proofs(d, e) != 0 ||
      execute(d, from, rest, e) != 0 || sql_number(d, SQL_MERGED_RUNS, &count, e, "") < 0)
    return -1;
  *merged = (size_t)count;
  return execute(d, from, (const char *const[]){drop_tables, NULL}, e);
}

/* Whole or not at all. Keys look random, so each shard changes pages all over their indices: room for these saves most of the
 * writing. */
int db_merge(db *d, db *from, size_t *merged, error *e) {
  *merged = 0;
  if (d == from) return 0;
  (void)sqlite3_exec(d->handle, CACHE_PRAGMA "; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 65536", NULL,
                     NULL, NULL);
  if (db_commit(d, e) != 0 || db_commit(from, e) != 0) return -1;
  scoped char *name = db_uri(from);
  if (sql_run(d, SQL_ATTACH, e, "t", name) != 0) return -1;
  int result = db_begin_write(d, e);
  if (result == 0) result = db_end_write(d, merge_all(d, from, merged, e), e);
  result = db_commit(d, e) != 0 ? -1 : result;
  (void)sql_run(d, SQL_DETACH, NULL, "");
  return result;
}
