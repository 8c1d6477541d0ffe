/* The tables, version by version, and the migration from one to the next. */
#include "db/schema.h"

#include <stdio.h>

static const char *const version_1[] = {
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, command TEXT NOT NULL, version TEXT NOT NULL,"
    " started TEXT NOT NULL, device TEXT NOT NULL DEFAULT '', exit INTEGER)",

    "CREATE TABLE test_case ("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, suite TEXT NOT NULL, name TEXT NOT NULL,"
    " command_line TEXT NOT NULL, status INTEGER, timed_out INTEGER NOT NULL DEFAULT 0)",
    "CREATE INDEX test_case_run ON test_case (run)",

    "CREATE TABLE file (id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, text BLOB NOT NULL)",

    "CREATE TABLE program ("
    " id INTEGER PRIMARY KEY, identity TEXT NOT NULL, options TEXT NOT NULL, UNIQUE (identity, options))",

    "CREATE TABLE program_file ("
    " program INTEGER NOT NULL REFERENCES program, position INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, name TEXT NOT NULL, PRIMARY KEY (program, position)) WITHOUT ROWID",

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
    " kernel INTEGER NOT NULL REFERENCES kernel,"
    " site INTEGER NOT NULL REFERENCES site,"
    " PRIMARY KEY (kernel, site)) WITHOUT ROWID",

    "CREATE TABLE run_program ("
    " run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program,"
    " PRIMARY KEY (run, program)) WITHOUT ROWID",

    "CREATE TABLE launch ("
    " test_case INTEGER NOT NULL REFERENCES test_case, kernel INTEGER NOT NULL REFERENCES kernel,"
    " launches INTEGER NOT NULL, PRIMARY KEY (test_case, kernel)) WITHOUT ROWID",

    "CREATE TABLE evidence ("
    " test_case INTEGER NOT NULL REFERENCES test_case, kernel INTEGER NOT NULL REFERENCES kernel,"
    " site INTEGER NOT NULL REFERENCES site, outcome INTEGER NOT NULL,"
    " PRIMARY KEY (test_case, kernel, site, outcome)) WITHOUT ROWID",

    "CREATE TABLE finding ("
    " id INTEGER PRIMARY KEY, test_case INTEGER NOT NULL REFERENCES test_case, kernel INTEGER REFERENCES kernel,"
    " site INTEGER REFERENCES site, rule TEXT NOT NULL, message TEXT NOT NULL)",
    "CREATE UNIQUE INDEX finding_once ON finding (test_case, rule, ifnull(kernel, 0), ifnull(site, 0))",

    "CREATE TABLE skipped ("
    " run INTEGER NOT NULL REFERENCES run, program TEXT NOT NULL, reason TEXT NOT NULL,"
    " PRIMARY KEY (run, program, reason)) WITHOUT ROWID",

    "CREATE TABLE fact ("
    " device TEXT NOT NULL, expression TEXT NOT NULL, value INTEGER NOT NULL,"
    " PRIMARY KEY (device, expression)) WITHOUT ROWID",
    NULL,
};

/* Mutation testing. */
static const char *const version_2[] = {
    "ALTER TABLE run ADD COLUMN settings TEXT",

    "CREATE TABLE mutant ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, identity INTEGER NOT NULL,"
    " operator TEXT NOT NULL, file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL,"
    " offset INTEGER NOT NULL, end_line INTEGER NOT NULL, end_column INTEGER NOT NULL, end_offset INTEGER NOT NULL,"
    " function INTEGER REFERENCES function, original TEXT NOT NULL, replacement TEXT NOT NULL, description TEXT,"
    " UNIQUE (program, identity))",

    "CREATE TABLE mutant_kernel ("
    " mutant INTEGER NOT NULL REFERENCES mutant, kernel INTEGER NOT NULL REFERENCES kernel,"
    " PRIMARY KEY (mutant, kernel)) WITHOUT ROWID",

    "CREATE TABLE run_mutant ("
    " run INTEGER NOT NULL REFERENCES run, mutant INTEGER NOT NULL REFERENCES mutant, status TEXT NOT NULL,"
    " reason TEXT NOT NULL, original INTEGER REFERENCES mutant, PRIMARY KEY (run, mutant)) WITHOUT ROWID",

    "CREATE TABLE verdict ("
    " test_case INTEGER NOT NULL REFERENCES test_case, mutant INTEGER NOT NULL REFERENCES mutant,"
    " runs INTEGER NOT NULL, output INTEGER NOT NULL, crash INTEGER NOT NULL, timeout INTEGER NOT NULL,"
    " PRIMARY KEY (test_case, mutant)) WITHOUT ROWID",

    "CREATE TABLE unstable ("
    " test_case INTEGER NOT NULL REFERENCES test_case, what TEXT NOT NULL, share REAL NOT NULL,"
    " PRIMARY KEY (test_case, what)) WITHOUT ROWID",
    NULL,
};

/* Schedule amplification. */
static const char *const version_3[] = {
    "CREATE TABLE nth_launch ("
    " id INTEGER PRIMARY KEY, test_case INTEGER NOT NULL REFERENCES test_case,"
    " kernel INTEGER NOT NULL REFERENCES kernel, number INTEGER NOT NULL, groups INTEGER NOT NULL,"
    " local INTEGER NOT NULL, together INTEGER NOT NULL, skipped TEXT NOT NULL, UNIQUE (test_case, kernel, number))",

    "CREATE TABLE schedule ("
    " id INTEGER PRIMARY KEY, launch INTEGER NOT NULL REFERENCES nth_launch, ordering TEXT NOT NULL,"
    " gate TEXT NOT NULL, target INTEGER NOT NULL, seed INTEGER NOT NULL, verdict TEXT NOT NULL,"
    " outcomes TEXT NOT NULL, meant INTEGER NOT NULL, UNIQUE (launch, ordering, gate, target, seed))",

    "CREATE TABLE explanation ("
    " schedule INTEGER PRIMARY KEY REFERENCES schedule, text TEXT NOT NULL, other INTEGER REFERENCES schedule,"
    " argument TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, differing INTEGER NOT NULL,"
    " reference TEXT NOT NULL, seen TEXT NOT NULL, file INTEGER REFERENCES file, line INTEGER NOT NULL,"
    " unfinished TEXT NOT NULL)",

    "CREATE TABLE reached ("
    " schedule INTEGER NOT NULL REFERENCES schedule, site INTEGER NOT NULL REFERENCES site,"
    " outcome INTEGER NOT NULL, PRIMARY KEY (schedule, site, outcome)) WITHOUT ROWID",
    NULL,
};

/* Replays of captures. */
static const char *const version_4[] = {
    "ALTER TABLE verdict ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0",
    NULL,
};

/* Verdicts that later runs reuse. */
static const char *const version_5[] = {
    "ALTER TABLE verdict ADD COLUMN key TEXT",
    "ALTER TABLE verdict ADD COLUMN reused INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX verdict_key ON verdict (key) WHERE key IS NOT NULL",

    "CREATE TABLE code ("
    " key TEXT PRIMARY KEY, built INTEGER NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
    NULL,
};

/* Totals of runs, for a trend. */
static const char *const version_6[] = {
    "CREATE TABLE total ("
    " run INTEGER NOT NULL REFERENCES run, metric TEXT NOT NULL, covered INTEGER NOT NULL, total INTEGER NOT NULL,"
    " PRIMARY KEY (run, metric)) WITHOUT ROWID",
    NULL,
};

/* Where in the history of the sources a run was made. */
static const char *const version_7[] = {
    "ALTER TABLE run ADD COLUMN revision TEXT",
    NULL,
};

/* Where names of files start. */
static const char *const version_8[] = {
    "ALTER TABLE program_file ADD COLUMN root TEXT NOT NULL DEFAULT ''",
    NULL,
};

/* Which process makes a run: is it still at it? */
static const char *const version_9[] = {
    "ALTER TABLE run ADD COLUMN process TEXT NOT NULL DEFAULT ''",
    NULL,
};

/* Files of the project in which sources are written that programs keep in strings. */
static const char *const version_10[] = {
    "CREATE TABLE home ("
    " id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program, position INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, name TEXT NOT NULL, root TEXT NOT NULL)",
    "CREATE INDEX home_program ON home (program, position)",

    "CREATE TABLE home_span ("
    " home INTEGER NOT NULL REFERENCES home, offset INTEGER NOT NULL, length INTEGER NOT NULL,"
    " home_offset INTEGER NOT NULL, home_length INTEGER NOT NULL, PRIMARY KEY (home, offset)) WITHOUT ROWID",
    NULL,
};

/* Calls that the driver has refused. */
static const char *const version_11[] = {
    "CREATE TABLE refused ("
    " run INTEGER NOT NULL REFERENCES run, call TEXT NOT NULL, kernel TEXT NOT NULL, error TEXT NOT NULL,"
    " detail TEXT NOT NULL, count INTEGER NOT NULL,"
    " PRIMARY KEY (run, call, kernel, error, detail)) WITHOUT ROWID",
    NULL,
};

/* Findings of a run alone, with any number of places and a witness. `places` tells findings without a site apart. */
static const char *const version_12[] = {
    "CREATE TABLE finding_12 ("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, test_case INTEGER REFERENCES test_case,"
    " kernel INTEGER REFERENCES kernel, site INTEGER REFERENCES site, rule TEXT NOT NULL, message TEXT NOT NULL,"
    " places TEXT NOT NULL DEFAULT '')",
    "INSERT INTO finding_12 (id, run, test_case, kernel, site, rule, message)"
    " SELECT f.id, t.run, f.test_case, f.kernel, f.site, f.rule, f.message FROM finding f"
    " JOIN test_case t ON t.id = f.test_case",
    "DROP TABLE finding",
    "ALTER TABLE finding_12 RENAME TO finding",
    "CREATE UNIQUE INDEX finding_once ON finding"
    " (run, ifnull(test_case, 0), rule, ifnull(kernel, 0), ifnull(site, 0), places)",
    "CREATE INDEX finding_test_case ON finding (test_case)",

    "CREATE TABLE finding_place ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, role TEXT NOT NULL,"
    " access TEXT NOT NULL, file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL,"
    " PRIMARY KEY (finding, position)) WITHOUT ROWID",
    "INSERT INTO finding_place SELECT f.id, 0, 'barrier', '', s.file, s.line, s.column FROM finding f"
    " JOIN site s ON s.id = f.site WHERE f.rule = 'barrier-divergence'",

    "CREATE TABLE finding_witness ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, what TEXT NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY (finding, position)) WITHOUT ROWID",
    NULL,
};

/* More reasons why runs of a mutant differ. */
static const char *const version_13[] = {
    "ALTER TABLE verdict ADD COLUMN outside INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE verdict ADD COLUMN unwritten INTEGER NOT NULL DEFAULT 0",
    NULL,
};

/* Whether the program notices a mutant (mutant_revealed), and what that is known from. */
static const char *const version_14[] = {
    "ALTER TABLE verdict ADD COLUMN revealed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE verdict ADD COLUMN revealed_key TEXT",
    "CREATE INDEX verdict_revealed_key ON verdict (revealed_key) WHERE revealed_key IS NOT NULL",
    NULL,
};

/* Proofs of kernels, and what findings of proofs have beside others. */
static const char *const version_15[] = {
    "CREATE TABLE proof ("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program,"
    " kernel INTEGER REFERENCES kernel, name TEXT NOT NULL, file INTEGER REFERENCES file, line INTEGER NOT NULL,"
    " verdict TEXT NOT NULL, reason TEXT NOT NULL, launches INTEGER NOT NULL, proved INTEGER NOT NULL,"
    " seconds REAL NOT NULL, queries INTEGER NOT NULL, memory INTEGER NOT NULL, key TEXT, answer TEXT,"
    " reused INTEGER NOT NULL, UNIQUE (run, program, name))",
    "CREATE INDEX proof_key ON proof (key) WHERE key IS NOT NULL",

    "CREATE TABLE proof_part ("
    " proof INTEGER NOT NULL REFERENCES proof, position INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,"
    " file INTEGER REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL,"
    " PRIMARY KEY (proof, position)) WITHOUT ROWID",

    "ALTER TABLE finding ADD COLUMN proof INTEGER REFERENCES proof",
    "ALTER TABLE finding ADD COLUMN possible INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE finding ADD COLUMN confirmed TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN confirmation TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX finding_proof ON finding (proof) WHERE proof IS NOT NULL",
    "DROP INDEX finding_once",
    "CREATE UNIQUE INDEX finding_once ON finding"
    " (run, ifnull(test_case, 0), ifnull(proof, 0), rule, ifnull(kernel, 0), ifnull(site, 0), places)",

    "ALTER TABLE finding_place ADD COLUMN local TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding_place ADD COLUMN work_group TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding_place ADD COLUMN condition TEXT NOT NULL DEFAULT ''",

    "CREATE TABLE finding_inlined ("
    " finding INTEGER NOT NULL REFERENCES finding, place INTEGER NOT NULL, position INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL,"
    " PRIMARY KEY (finding, place, position)) WITHOUT ROWID",

    "CREATE TABLE finding_step ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, thread INTEGER NOT NULL,"
    " file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, column INTEGER NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (finding, position)) WITHOUT ROWID",
    NULL,
};

/* Proofs are found by the launches that they cover. */
static const char *const version_16[] = {
    "CREATE INDEX proof_part_cover ON proof_part (text) WHERE kind = 'cover'",
    NULL,
};

/* Patches of `repair`. */
static const char *const version_17[] = {
    "CREATE TABLE repair ("
    " run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program, name TEXT NOT NULL,"
    " outcome TEXT NOT NULL, report TEXT NOT NULL, patch TEXT NOT NULL,"
    " PRIMARY KEY (run, program)) WITHOUT ROWID",
    NULL,
};

/* Mutants that are killed because a checked replay of them shows a race. */
static const char *const version_18[] = {
    "ALTER TABLE verdict ADD COLUMN race INTEGER NOT NULL DEFAULT 0",
    NULL,
};

/* Findings as records, from which reports make their sentences. */
static const char *const version_19[] = {
    "ALTER TABLE finding ADD COLUMN object TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN space TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN pixel TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN local_size TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN groups TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN offset TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN call TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN cause TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN access TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN who TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN local TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN work_group TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding ADD COLUMN object_size INTEGER",
    "ALTER TABLE finding ADD COLUMN element INTEGER",
    "ALTER TABLE finding ADD COLUMN element_size INTEGER",
    "ALTER TABLE finding ADD COLUMN byte INTEGER",
    "ALTER TABLE finding ADD COLUMN launch INTEGER",
    "ALTER TABLE finding ADD COLUMN launches INTEGER",
    "ALTER TABLE finding ADD COLUMN count INTEGER",
    "ALTER TABLE finding ADD COLUMN barriers INTEGER",
    "ALTER TABLE finding ADD COLUMN value_size INTEGER",
    "ALTER TABLE finding ADD COLUMN value_before INTEGER",
    "ALTER TABLE finding ADD COLUMN value_after INTEGER",
    "ALTER TABLE finding ADD COLUMN differing INTEGER",
    "ALTER TABLE finding ADD COLUMN items INTEGER",

    "ALTER TABLE finding_place ADD COLUMN how TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding_place ADD COLUMN who TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding_place ADD COLUMN construct TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding_witness ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE finding_witness ADD COLUMN element INTEGER",
    NULL,
};

/* Words that name suites; what mutants are in all builds together: equal ones of several runs are one. */
static const char *const version_20[] = {
    "ALTER TABLE test_case ADD COLUMN word TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE run_mutant ADD COLUMN code TEXT",
    NULL,
};

/* Both commands of a race between commands. */
static const char *const version_21[] = {
    "CREATE TABLE finding_command ("
    " finding INTEGER NOT NULL REFERENCES finding, position INTEGER NOT NULL, function TEXT NOT NULL,"
    " kernel TEXT NOT NULL, number INTEGER NOT NULL, queue INTEGER NOT NULL, in_order INTEGER NOT NULL,"
    " thread INTEGER NOT NULL, memory INTEGER NOT NULL, access TEXT NOT NULL, parameter TEXT NOT NULL,"
    " mapped INTEGER NOT NULL, sure INTEGER NOT NULL, PRIMARY KEY (finding, position)) WITHOUT ROWID",
    NULL,
};

/* Explanations of schedules as records, and which schedule shows a finding. */
static const char *const version_22[] = {
    "ALTER TABLE explanation ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE explanation ADD COLUMN unit TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE explanation ADD COLUMN width INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN height INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN in_order INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN rest TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE explanation ADD COLUMN race TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE explanation ADD COLUMN race_why TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE explanation ADD COLUMN read_kernel TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE explanation ADD COLUMN read_argument INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN read_launch INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN read_number INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN running INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE explanation ADD COLUMN of_groups INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE explanation_place ("
    " schedule INTEGER NOT NULL REFERENCES schedule, position INTEGER NOT NULL, file INTEGER REFERENCES file,"
    " role TEXT NOT NULL, number INTEGER NOT NULL, construct TEXT NOT NULL, line INTEGER NOT NULL,"
    " PRIMARY KEY (schedule, position)) WITHOUT ROWID",
    "ALTER TABLE finding ADD COLUMN schedule INTEGER REFERENCES schedule",
    NULL,
};

const migration schema_migrations[SCHEMA_VERSION] = {
    version_1,  version_2,  version_3,  version_4,  version_5,  version_6,  version_7,  version_8,
    version_9,  version_10, version_11, version_12, version_13, version_14, version_15, version_16,
    version_17, version_18, version_19, version_20, version_21, version_22};

static int read_number(sqlite3 *handle, const char *sql, int *value) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(handle, sql, -1, &statement, NULL);
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
  if (rc != SQLITE_OK) {
    return rc;
  }
  rc = read_number(handle, "SELECT count(*) FROM sqlite_master", objects);
  if (rc == SQLITE_OK) {
    rc = read_number(handle, "PRAGMA application_id", application);
  }
  if (rc == SQLITE_OK) {
    rc = read_number(handle, "PRAGMA user_version", version);
  }
  if (rc == SQLITE_OK) {
    return sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
  }
  if (sqlite3_get_autocommit(handle) == 0) {
    (void)sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
  }
  return rc;
}

/* The steps from `version` on; inside a transaction. */
static int apply(sqlite3 *handle, const migration *steps, int version, int target) {
  for (; version < target; version++) { /* never below 0: schema_migrate */
    for (migration sql = steps[version]; *sql != NULL; sql++) {
      int rc = sqlite3_exec(handle, *sql, NULL, NULL, NULL);
      if (rc != SQLITE_OK) {
        return rc;
      }
    }
  }
  char pragmas[96];
  (void)snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d", SCHEMA_APPLICATION,
                 target);
  return sqlite3_exec(handle, pragmas, NULL, NULL, NULL);
}

int schema_migrate(sqlite3 *handle, const migration *steps, int target) {
  int rc = sqlite3_exec(handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (rc != SQLITE_OK) {
    return rc;
  }
  int version = 0;
  rc = read_number(handle, "PRAGMA user_version", &version);
  if (rc == SQLITE_OK && version < 0) {
    rc = SQLITE_CORRUPT;
  }
  if (rc == SQLITE_OK && version < target) {
    rc = apply(handle, steps, version, target);
  }
  if (rc == SQLITE_OK) {
    rc = sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
  }
  if (rc != SQLITE_OK) {
    (void)sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
  }
  return rc;
}
