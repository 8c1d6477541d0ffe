/* All SQL: the tables, the statements (statements.h), and the migration from one version of them to the next. */

#include <stdio.h>

#include "db/internal.h"

static const char *const version_1[] = {
    /* What ran. */
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, command TEXT NOT NULL, version TEXT NOT NULL,"
    " started TEXT NOT NULL, device TEXT NOT NULL DEFAULT '', exit INTEGER, settings TEXT, revision TEXT,"
    " process TEXT NOT NULL DEFAULT '')",
    "CREATE TABLE test_case ("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, suite TEXT NOT NULL, name TEXT NOT NULL,"
    " command_line TEXT NOT NULL, status INTEGER, timed_out INTEGER NOT NULL DEFAULT 0,"
    " word TEXT NOT NULL DEFAULT '')",
    "CREATE INDEX test_case_run ON test_case (run)",
    /* Sources, and what is in them. */
    "CREATE TABLE file (id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, text BLOB NOT NULL)",
    "CREATE TABLE program ("
    " id INTEGER PRIMARY KEY, identity TEXT NOT NULL, options TEXT NOT NULL, UNIQUE (identity, options))",
    "CREATE TABLE program_file ("
    " program INTEGER NOT NULL REFERENCES program, position INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, name TEXT NOT NULL, root TEXT NOT NULL DEFAULT '',"
    " PRIMARY KEY (program, position)) WITHOUT ROWID",
    "CREATE TABLE home ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, position INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, name TEXT NOT NULL, root TEXT NOT NULL)",
    "CREATE INDEX home_program ON home (program, position)",
    "CREATE TABLE home_span ("
    " home INTEGER NOT NULL REFERENCES home, offset INTEGER NOT NULL, length INTEGER NOT NULL,"
    " home_offset INTEGER NOT NULL, home_length INTEGER NOT NULL, PRIMARY KEY (home, offset)) WITHOUT ROWID",
    "CREATE TABLE function ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, name TEXT NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, end_line INTEGER NOT NULL,"
    " site INTEGER REFERENCES site DEFERRABLE INITIALLY DEFERRED, kernel INTEGER NOT NULL)",
    "CREATE INDEX function_program ON function (program)",
    "CREATE TABLE site ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, kind TEXT NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL,"
    " offset INTEGER NOT NULL, end_line INTEGER NOT NULL, end_column INTEGER NOT NULL,"
    " function INTEGER REFERENCES function)",
    "CREATE INDEX site_program ON site (program)",
    "CREATE TABLE outcome ("
    " site INTEGER NOT NULL REFERENCES site, number INTEGER NOT NULL, label TEXT NOT NULL, line INTEGER NOT NULL,"
    " PRIMARY KEY (site, number)) WITHOUT ROWID",
    "CREATE TABLE line ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, file INTEGER NOT NULL REFERENCES file,"
    " line INTEGER NOT NULL, function INTEGER REFERENCES function)",
    "CREATE INDEX line_program ON line (program)",
    "CREATE TABLE line_term ("
    " line INTEGER NOT NULL REFERENCES line, position INTEGER NOT NULL, site INTEGER NOT NULL REFERENCES site,"
    " outcome INTEGER NOT NULL, PRIMARY KEY (line, position)) WITHOUT ROWID",
    "CREATE TABLE kernel ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, name TEXT NOT NULL,"
    " function INTEGER NOT NULL REFERENCES function)",
    "CREATE INDEX kernel_program ON kernel (program)",
    "CREATE TABLE kernel_function ("
    " kernel INTEGER NOT NULL REFERENCES kernel, position INTEGER NOT NULL,"
    " function INTEGER NOT NULL REFERENCES function, PRIMARY KEY (kernel, position)) WITHOUT ROWID",
    "CREATE TABLE kernel_site ("
    " kernel INTEGER NOT NULL REFERENCES kernel, site INTEGER NOT NULL REFERENCES site, PRIMARY KEY (kernel,"
    " site)) WITHOUT ROWID",
    "CREATE TABLE run_program ("
    " run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program, PRIMARY KEY (run,"
    " program)) WITHOUT ROWID",
    /* What was seen. */
    "CREATE TABLE launch ("
    " test_case INTEGER NOT NULL REFERENCES test_case, kernel INTEGER NOT NULL REFERENCES kernel,"
    " launches INTEGER NOT NULL, PRIMARY KEY (test_case, kernel)) WITHOUT ROWID",
    "CREATE TABLE evidence ("
    " test_case INTEGER NOT NULL REFERENCES test_case, kernel INTEGER NOT NULL REFERENCES kernel,"
    " site INTEGER NOT NULL REFERENCES site, outcome INTEGER NOT NULL, PRIMARY KEY (test_case, kernel, site,"
    " outcome)) WITHOUT ROWID",
    "CREATE TABLE refused ("
    " run INTEGER NOT NULL REFERENCES run, call TEXT NOT NULL, kernel TEXT NOT NULL, error TEXT NOT NULL,"
    " detail TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (run, call, kernel, error, detail)) WITHOUT ROWID",
    "CREATE TABLE skipped ("
    " run INTEGER NOT NULL REFERENCES run, program TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (run,"
    " program, reason)) WITHOUT ROWID",
    "CREATE TABLE fact ("
    " device TEXT NOT NULL, expression TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (device,"
    " expression)) WITHOUT ROWID",
    /* Proofs and patches. */
    "CREATE TABLE proof ("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program,"
    " kernel INTEGER REFERENCES kernel, name TEXT NOT NULL, file INTEGER REFERENCES file, line INTEGER NOT NULL,"
    " verdict TEXT NOT NULL, reason TEXT NOT NULL, launches INTEGER NOT NULL, proved INTEGER NOT NULL,"
    " seconds REAL NOT NULL, queries INTEGER NOT NULL, memory INTEGER NOT NULL, key TEXT, answer TEXT,"
    " reused INTEGER NOT NULL, UNIQUE (run, program, name))",
    "CREATE INDEX proof_key ON proof (key) WHERE key IS NOT NULL",
    "CREATE TABLE proof_part ("
    " proof INTEGER NOT NULL REFERENCES proof, position INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,"
    " file INTEGER REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL, PRIMARY KEY (proof,"
    " position)) WITHOUT ROWID",
    "CREATE INDEX proof_part_cover ON proof_part (text) WHERE kind = 'cover'",
    "CREATE TABLE repair ("
    " run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program, name TEXT NOT NULL,"
    " outcome TEXT NOT NULL, report TEXT NOT NULL, patch TEXT NOT NULL, PRIMARY KEY (run, program)) WITHOUT ROWID",
    /* Schedules. */
    "CREATE TABLE nth_launch ("
    " id INTEGER PRIMARY KEY, test_case INTEGER NOT NULL REFERENCES test_case,"
    " kernel INTEGER NOT NULL REFERENCES kernel, number INTEGER NOT NULL, groups INTEGER NOT NULL,"
    " local INTEGER NOT NULL, together INTEGER NOT NULL, skipped TEXT NOT NULL, UNIQUE (test_case, kernel,"
    " number))",
    "CREATE TABLE schedule ("
    " id INTEGER PRIMARY KEY, launch INTEGER NOT NULL REFERENCES nth_launch, ordering TEXT NOT NULL,"
    " gate TEXT NOT NULL, target INTEGER NOT NULL, seed INTEGER NOT NULL, verdict TEXT NOT NULL,"
    " outcomes TEXT NOT NULL, meant INTEGER NOT NULL, UNIQUE (launch, ordering, gate, target, seed))",
    "CREATE TABLE explanation ("
    " schedule INTEGER PRIMARY KEY REFERENCES schedule, text TEXT NOT NULL, other INTEGER REFERENCES schedule,"
    " argument TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, differing INTEGER NOT NULL,"
    " reference TEXT NOT NULL, seen TEXT NOT NULL, file INTEGER REFERENCES file, line INTEGER NOT NULL,"
    " unfinished TEXT NOT NULL, kind TEXT NOT NULL DEFAULT '', unit TEXT NOT NULL DEFAULT '', width INTEGER NOT NULL "
    "DEFAULT 0,"
    " height INTEGER NOT NULL DEFAULT 0, in_order INTEGER NOT NULL DEFAULT 0, rest TEXT NOT NULL DEFAULT '',"
    " race TEXT NOT NULL DEFAULT '', race_why TEXT NOT NULL DEFAULT '', read_kernel TEXT NOT NULL DEFAULT '',"
    " read_argument INTEGER NOT NULL DEFAULT 0, read_launch INTEGER NOT NULL DEFAULT 0,"
    " read_number INTEGER NOT NULL DEFAULT 0, running INTEGER NOT NULL DEFAULT 0,"
    " waiting INTEGER NOT NULL DEFAULT 0, of_groups INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE explanation_place ("
    " schedule INTEGER NOT NULL REFERENCES schedule, position INTEGER NOT NULL, file INTEGER REFERENCES file,"
    " role TEXT NOT NULL, number INTEGER NOT NULL, construct TEXT NOT NULL, line INTEGER NOT NULL,"
    " PRIMARY KEY (schedule, position)) WITHOUT ROWID",
    "CREATE TABLE reached ("
    " schedule INTEGER NOT NULL REFERENCES schedule, site INTEGER NOT NULL REFERENCES site,"
    " outcome INTEGER NOT NULL, PRIMARY KEY (schedule, site, outcome)) WITHOUT ROWID",
    /* Findings. `places` tells those without a site apart. */
    "CREATE TABLE finding ("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, test_case INTEGER REFERENCES test_case,"
    " kernel INTEGER REFERENCES kernel, site INTEGER REFERENCES site, rule TEXT NOT NULL, message TEXT NOT NULL,"
    " places TEXT NOT NULL DEFAULT '', proof INTEGER REFERENCES proof, possible INTEGER NOT NULL DEFAULT 0,"
    " confirmed TEXT NOT NULL DEFAULT '', confirmation TEXT NOT NULL DEFAULT '', object TEXT NOT NULL DEFAULT '',"
    " space TEXT NOT NULL DEFAULT '', pixel TEXT NOT NULL DEFAULT '', local_size TEXT NOT NULL DEFAULT '',"
    " groups TEXT NOT NULL DEFAULT '', offset TEXT NOT NULL DEFAULT '', call TEXT NOT NULL DEFAULT '',"
    " cause TEXT NOT NULL DEFAULT '', access TEXT NOT NULL DEFAULT '', who TEXT NOT NULL DEFAULT '',"
    " local TEXT NOT NULL DEFAULT '', work_group TEXT NOT NULL DEFAULT '', object_size INTEGER, element INTEGER,"
    " element_size INTEGER, byte INTEGER, launch INTEGER, launches INTEGER, count INTEGER, barriers INTEGER,"
    " value_size INTEGER, value_before INTEGER, value_after INTEGER, differing INTEGER, items INTEGER,"
    " schedule INTEGER REFERENCES schedule)",
    "CREATE INDEX finding_test_case ON finding (test_case)",
    "CREATE INDEX finding_proof ON finding (proof) WHERE proof IS NOT NULL",
    "CREATE UNIQUE INDEX finding_once ON finding"
    " (run, ifnull(test_case, 0), ifnull(proof, 0), rule, ifnull(kernel, 0), ifnull(site, 0), places)",
    "CREATE TABLE finding_place ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, role TEXT NOT NULL,"
    " access TEXT NOT NULL, file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL,"
    " column INTEGER NOT NULL, local TEXT NOT NULL DEFAULT '', work_group TEXT NOT NULL DEFAULT '',"
    " condition TEXT NOT NULL DEFAULT '', how TEXT NOT NULL DEFAULT '', who TEXT NOT NULL DEFAULT '',"
    " construct TEXT NOT NULL DEFAULT '', PRIMARY KEY (finding, position)) WITHOUT ROWID",
    "CREATE TABLE finding_inlined ("
    " finding INTEGER NOT NULL REFERENCES finding, place INTEGER NOT NULL, position INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL,"
    " PRIMARY KEY (finding, place, position)) WITHOUT ROWID",
    "CREATE TABLE finding_witness ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, what TEXT NOT NULL,"
    " value TEXT NOT NULL, kind TEXT NOT NULL DEFAULT '', element INTEGER, PRIMARY KEY (finding,"
    " position)) WITHOUT ROWID",
    "CREATE TABLE finding_command ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, function TEXT NOT NULL,"
    " kernel TEXT NOT NULL, number INTEGER NOT NULL, queue INTEGER NOT NULL, in_order INTEGER NOT NULL,"
    " thread INTEGER NOT NULL, memory INTEGER NOT NULL, access TEXT NOT NULL, parameter TEXT NOT NULL,"
    " mapped INTEGER NOT NULL, sure INTEGER NOT NULL, PRIMARY KEY (finding, position)) WITHOUT ROWID",
    "CREATE TABLE finding_step ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, thread INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (finding, position)) WITHOUT ROWID",
    /* Mutants. */
    "CREATE TABLE mutant ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, identity INTEGER NOT NULL,"
    " operator TEXT NOT NULL, file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL,"
    " column INTEGER NOT NULL, offset INTEGER NOT NULL, end_line INTEGER NOT NULL, end_column INTEGER NOT NULL,"
    " end_offset INTEGER NOT NULL, function INTEGER REFERENCES function, original TEXT NOT NULL,"
    " replacement TEXT NOT NULL, description TEXT, UNIQUE (program, identity))",
    "CREATE TABLE mutant_kernel ("
    " mutant INTEGER NOT NULL REFERENCES mutant, kernel INTEGER NOT NULL REFERENCES kernel, PRIMARY KEY (mutant,"
    " kernel)) WITHOUT ROWID",
    "CREATE TABLE run_mutant ("
    " run INTEGER NOT NULL REFERENCES run, mutant INTEGER NOT NULL REFERENCES mutant, status TEXT NOT NULL,"
    " reason TEXT NOT NULL, original INTEGER REFERENCES mutant, code TEXT, PRIMARY KEY (run,"
    " mutant)) WITHOUT ROWID",
    "CREATE TABLE verdict ("
    " test_case INTEGER NOT NULL REFERENCES test_case, mutant INTEGER NOT NULL REFERENCES mutant,"
    " runs INTEGER NOT NULL, output INTEGER NOT NULL, crash INTEGER NOT NULL, timeout INTEGER NOT NULL,"
    " replayed INTEGER NOT NULL DEFAULT 0, key TEXT, reused INTEGER NOT NULL DEFAULT 0,"
    " outside INTEGER NOT NULL DEFAULT 0, unwritten INTEGER NOT NULL DEFAULT 0,"
    " revealed INTEGER NOT NULL DEFAULT 0, revealed_key TEXT, race INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (test_case, mutant)) WITHOUT ROWID",
    "CREATE INDEX verdict_key ON verdict (key) WHERE key IS NOT NULL",
    "CREATE INDEX verdict_revealed_key ON verdict (revealed_key) WHERE revealed_key IS NOT NULL",
    "CREATE TABLE code (key TEXT PRIMARY KEY, built INTEGER NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE unstable ("
    " test_case INTEGER NOT NULL REFERENCES test_case, what TEXT NOT NULL, share REAL NOT NULL,"
    " PRIMARY KEY (test_case, what)) WITHOUT ROWID",
    NULL,
};

const migration schema_migrations[SCHEMA_VERSION] = {version_1};

static int read_number(sqlite3 *handle, const char *text, int *value) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(handle, text, -1, &statement, NULL);
  if (rc == SQLITE_OK) {
    rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW) {
      *value = sqlite3_column_int(statement, 0);
      rc = SQLITE_OK;
    }
    int finalized = sqlite3_finalize(statement);
    rc = rc == SQLITE_OK ? finalized : rc;
  }
  return rc;
}

int schema_probe(sqlite3 *handle, int *application, int *version, int *objects) {
  /* In one transaction, as another process may be creating the database. */
  int rc = sqlite3_exec(handle, "BEGIN", NULL, NULL, NULL);
  if (rc != SQLITE_OK) return rc;
  rc = read_number(handle, "SELECT count(*) FROM sqlite_master", objects);
  if (rc == SQLITE_OK) rc = read_number(handle, "PRAGMA application_id", application);
  if (rc == SQLITE_OK) rc = read_number(handle, "PRAGMA user_version", version);
  if (rc == SQLITE_OK) return sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
  if (sqlite3_get_autocommit(handle) == 0) (void)sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
  return rc;
}

/* The steps from `version` on; inside a transaction. */
static int apply(sqlite3 *handle, const migration *steps, int version, int target) {
  for (; version < target; version++) { /* never below 0: schema_migrate */
    for (migration at = steps[version]; *at != NULL; at++) {
      int rc = sqlite3_exec(handle, *at, NULL, NULL, NULL);
      if (rc != SQLITE_OK) return rc;
    }
  }
  char pragmas[96];
  (void)snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d", SCHEMA_APPLICATION,
                 target);
  return sqlite3_exec(handle, pragmas, NULL, NULL, NULL);
}

int schema_migrate(sqlite3 *handle, const migration *steps, int target) {
  int rc = sqlite3_exec(handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (rc != SQLITE_OK) return rc;
  int version = 0;
  rc = read_number(handle, "PRAGMA user_version", &version);
  if (rc == SQLITE_OK && version < 0) rc = SQLITE_CORRUPT;
  if (rc == SQLITE_OK && version < target) rc = apply(handle, steps, version, target);
  if (rc == SQLITE_OK) rc = sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
  if (rc != SQLITE_OK) (void)sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
  return rc;
}

/* A finding's file and line are those of its site, or of its first place. */
#define FINDINGS_WHERE \
  "SELECT f.id, f.kernel, f.site, f.rule, f.message, f.places, k.name, p.sha256, ifnull(s.line, q.line)," \
  " f.proof, f.possible, f.confirmed, f.confirmation, f.schedule, ifnull(c.meant, 0)" DETAIL_COLUMNS(F_NAME, ) \
  " FROM finding f LEFT JOIN kernel k ON k.id = f.kernel LEFT JOIN site s ON s.id = f.site"               \
  " LEFT JOIN schedule c ON c.id = f.schedule"                                                            \
  " LEFT JOIN finding_place q ON q.finding = f.id AND q.position = 0"                                     \
  " LEFT JOIN file p ON p.id = ifnull(s.file, q.file) WHERE "

/* Rows of the findings of a proof. */
#define OF_PROOF "finding IN (SELECT id FROM finding WHERE proof = ?)"

/* Do the ids of a merged program's parts (m_program, merge.c) span as many in both databases? */
#define SPAN(db, table, program)                                   \
  "(SELECT max(id) FROM " db "." table " WHERE program = " program \
  ")"                                                              \
  " - (SELECT min(id) FROM " db "." table " WHERE program = " program ")"
#define DIFFERS(table) SPAN("main", table, "new") " IS NOT " SPAN("other", table, "old")

#define SQL(name, text) [name] = text,
const char *const sql_texts[SQL_COUNT] = {
#include "db/statements.h"
};
