/* Every statement of the API: SQL(name, text) for each. Parameters are bound in order (sql_bind). */
#ifndef SQL
#define SQL(name, text)
#endif

/* clang-format off */
SQL(SQL_BEGIN_READ, "BEGIN")
SQL(SQL_BEGIN_WRITE, "BEGIN IMMEDIATE")
SQL(SQL_COMMIT, "COMMIT")
SQL(SQL_ROLLBACK, "ROLLBACK")
SQL(SQL_CALL_BEGIN, "SAVEPOINT call")
SQL(SQL_CALL_END, "RELEASE call")
SQL(SQL_CALL_UNDO, "ROLLBACK TO call")
SQL(SQL_ADD_RUN, "INSERT INTO run (uuid, command, version, started, process) VALUES (?, ?, ?, ?, ?)")
SQL(SQL_SET_PROCESS, "UPDATE run SET process = ? WHERE id = ?")
SQL(SQL_SET_REVISION, "UPDATE run SET revision = ? WHERE id = ?")
SQL(SQL_END_RUN, "UPDATE run SET device = ?, exit = ? WHERE id = ?")
SQL(SQL_ADD_TEST_CASE, "INSERT INTO test_case (run, suite, name, command_line) VALUES (?, ?, ?, ?)")
SQL(SQL_SET_WORD, "UPDATE test_case SET word = ? WHERE id = ?")
SQL(SQL_END_TEST_CASE, "UPDATE test_case SET status = ?, timed_out = ? WHERE id = ?")
SQL(SQL_DROP_TEST_CASE,
    "DELETE FROM test_case WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM launch WHERE test_case = ?1)"
    " AND NOT EXISTS (SELECT 1 FROM evidence WHERE test_case = ?1)"
    " AND NOT EXISTS (SELECT 1 FROM finding WHERE test_case = ?1)")
SQL(SQL_FIND_FILE, "SELECT id FROM file WHERE sha256 = ?")
SQL(SQL_ADD_FILE, "INSERT INTO file (sha256, text) VALUES (?, ?)")
SQL(SQL_FIND_PROGRAM, "SELECT id FROM program WHERE identity = ? AND options = ?")
SQL(SQL_ADD_PROGRAM, "INSERT INTO program (identity, options) VALUES (?, ?)")
SQL(SQL_ADD_PROGRAM_FILE, INSERT("program_file", "program, position, file", "?, ?, ?", NAME_COLUMNS))
SQL(SQL_RENAME_PROGRAM_FILE,
    "UPDATE program_file SET name = ?3, root = ?4 WHERE program = ?1 AND position = ?2"
    " AND (name <> ?3 OR root <> ?4)")
SQL(SQL_DROP_HOME_SPANS, "DELETE FROM home_span WHERE home IN (SELECT id FROM home WHERE program = ?)")
SQL(SQL_DROP_HOMES, "DELETE FROM home WHERE program = ?")
SQL(SQL_ADD_HOME, INSERT("home", "program, position, file", "?, ?, ?", NAME_COLUMNS))
SQL(SQL_ADD_HOME_SPAN, INSERT("home_span", "home", "?", SPAN_COLUMNS))
SQL(SQL_PROGRAM_HOMES,
    "SELECT x.id, x.position, f.sha256, f.text" X_NAMES(NAME_COLUMNS) " FROM home x JOIN file f ON f.id = x.file"
    " WHERE x.program = ? ORDER BY x.position, x.id")
SQL(SQL_HOME_SPANS, "SELECT home" NAMES(SPAN_COLUMNS) " FROM home_span WHERE home = ? ORDER BY offset")
SQL(SQL_LAST_FUNCTION, "SELECT max(id) FROM function")
SQL(SQL_LAST_SITE, "SELECT max(id) FROM site")
SQL(SQL_LAST_LINE, "SELECT max(id) FROM line")
SQL(SQL_LAST_KERNEL, "SELECT max(id) FROM kernel")
SQL(SQL_ADD_FUNCTION, INSERT("function", "id, program, file, site", "?, ?, ?, ?", FUNCTION_COLUMNS))
SQL(SQL_ADD_SITE, INSERT("site", "id, program, kind, file, function", "?, ?, ?, ?, ?", SITE_COLUMNS))
SQL(SQL_ADD_OUTCOME, INSERT("outcome", "site", "?", OUTCOME_COLUMNS))
SQL(SQL_ADD_LINE, "INSERT INTO line (id, program, file, line, function) VALUES (?, ?, ?, ?, ?)")
SQL(SQL_ADD_LINE_TERM, "INSERT INTO line_term (line, position, site, outcome) VALUES (?, ?, ?, ?)")
SQL(SQL_ADD_KERNEL, "INSERT INTO kernel (id, program, name, function) VALUES (?, ?, ?, ?)")
SQL(SQL_ADD_KERNEL_SITE, "INSERT OR IGNORE INTO kernel_site (kernel, site) VALUES (?, ?)")
SQL(SQL_ADD_KERNEL_FUNCTION, "INSERT INTO kernel_function (kernel, position, function) VALUES (?, ?, ?)")
SQL(SQL_DROP_RUN_PROGRAM,
    "DELETE FROM run_program WHERE run = ?1 AND program = ?2 AND NOT EXISTS (SELECT 1 FROM launch"
    " JOIN kernel ON kernel.id = launch.kernel JOIN test_case ON test_case.id = launch.test_case"
    " WHERE kernel.program = ?2 AND test_case.run = ?1) AND NOT EXISTS (SELECT 1 FROM nth_launch"
    " JOIN kernel ON kernel.id = nth_launch.kernel JOIN test_case ON test_case.id = nth_launch.test_case"
    " WHERE kernel.program = ?2 AND test_case.run = ?1) AND NOT EXISTS (SELECT 1 FROM run_mutant"
    " JOIN mutant ON mutant.id = run_mutant.mutant WHERE mutant.program = ?2 AND run_mutant.run = ?1)"
    " AND NOT EXISTS (SELECT 1 FROM proof WHERE program = ?2 AND run = ?1)")
SQL(SQL_ADD_RUN_PROGRAM, "INSERT OR IGNORE INTO run_program (run, program) VALUES (?, ?)")
SQL(SQL_ADD_LAUNCHES,
    "INSERT INTO launch (test_case, kernel, launches) VALUES (?, ?, ?)"
    " ON CONFLICT DO UPDATE SET launches = launches + excluded.launches")
SQL(SQL_ADD_EVIDENCE, "INSERT OR IGNORE INTO evidence (test_case, kernel, site, outcome) VALUES (?, ?, ?, ?)")
SQL(SQL_ADD_FINDING,
    "INSERT OR IGNORE INTO finding (run, test_case, kernel, site, rule, message, places, proof, possible, "
    "confirmed, confirmation, schedule" NAMES(DETAIL_COLUMNS) ") VALUES (ifnull((SELECT run FROM test_case WHERE id = ?2), ?1),"
    " ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12" PARAMETERS(DETAIL_COLUMNS) ")")
SQL(SQL_ADD_FINDING_PLACE, INSERT("finding_place", "finding, position, file", "?, ?, ?", PLACE_COLUMNS))
SQL(SQL_ADD_FINDING_WITNESS, INSERT("finding_witness", "finding, position", "?, ?", WITNESS_COLUMNS))
SQL(SQL_ADD_FINDING_COMMAND, INSERT("finding_command", "finding, position", "?, ?", COMMAND_COLUMNS))
SQL(SQL_ADD_FINDING_INLINED, INSERT("finding_inlined", "finding, place, position, file", "?, ?, ?, ?", CALL_COLUMNS))
SQL(SQL_ADD_FINDING_STEP, INSERT("finding_step", "finding, position, file", "?, ?, ?", STEP_COLUMNS))
SQL(SQL_PLACE_FILE,
    "SELECT f.id, f.sha256 FROM program_file p JOIN file f ON f.id = p.file WHERE p.program = ? AND p.position = ?")
SQL(SQL_ADD_REFUSED,
    INSERT("refused", "run", "?", REFUSED_COLUMNS) " ON CONFLICT DO UPDATE SET count = count + excluded.count")
SQL(SQL_ADD_SKIPPED, "INSERT OR IGNORE INTO skipped (run, program, reason) VALUES (?, ?, ?)")
SQL(SQL_PROGRAM_FILE_IDS, "SELECT file FROM program_file WHERE program = ? ORDER BY position")
SQL(SQL_PROGRAM_FUNCTION_IDS, "SELECT id FROM function WHERE program = ? ORDER BY id")
SQL(SQL_FIND_MUTANT,
    "SELECT id, operator = ?3 AND offset = ?4 AND replacement = ?5 FROM mutant"
    " WHERE program = ?1 AND identity = ?2")
SQL(SQL_ADD_MUTANT, INSERT("mutant", "program, file, function, description", "?, ?, ?, ?", MUTANT_COLUMNS))
SQL(SQL_ADD_MUTANT_KERNEL, "INSERT OR IGNORE INTO mutant_kernel (mutant, kernel) VALUES (?, ?)")
SQL(SQL_SET_MUTANT, "INSERT OR REPLACE INTO run_mutant (run, mutant, status, reason, original) VALUES (?, ?, ?, ?, ?)")
SQL(SQL_SET_MUTANT_CODE, "UPDATE run_mutant SET code = ? WHERE run = ? AND mutant = ?")
SQL(SQL_HAND_OVER_STATUS,
    "INSERT OR REPLACE INTO run_mutant (run, mutant, status, reason)"
    " SELECT run, ?3, status, reason FROM run_mutant WHERE run = ?1 AND mutant = ?2")
SQL(SQL_HAND_OVER_VERDICTS,
    "UPDATE OR REPLACE verdict SET mutant = ?3"
    " WHERE mutant = ?2 AND test_case IN (SELECT id FROM test_case WHERE run = ?1)")
SQL(SQL_GET_MUTANT, "SELECT status FROM run_mutant WHERE run = ? AND mutant = ?")
SQL(SQL_PUT_VERDICT,
    "INSERT OR REPLACE INTO verdict (test_case, mutant, revealed" NAMES(VERDICT_COLUMNS) ")"
    " VALUES (?, ?, ?" PARAMETERS(VERDICT_COLUMNS) ")")
SQL(SQL_KEEP_VERDICT, "UPDATE verdict SET key = ?, reused = ? WHERE test_case = ? AND mutant = ?")
SQL(SQL_KEEP_REVEALED, "UPDATE verdict SET revealed = ?, revealed_key = ? WHERE test_case = ? AND mutant = ?")
SQL(SQL_KNOWN_REVEALED,
    "SELECT revealed FROM verdict WHERE revealed_key = ? AND revealed > 0 ORDER BY test_case DESC LIMIT 1")
SQL(SQL_KNOWN_VERDICT,
    "SELECT test_case" NAMES(VERDICT_COLUMNS) ", 0 FROM verdict WHERE key = ?1"
    " AND CASE WHEN output + crash + timeout + outside + unwritten + race IN (0, runs) THEN runs >= ?2 ELSE"
    " runs <= ?2 END"
    " ORDER BY test_case DESC LIMIT 1")
SQL(SQL_GET_CODE, "SELECT built, digest FROM code WHERE key = ?")
SQL(SQL_PUT_CODE, "INSERT OR REPLACE INTO code (key, built, digest) VALUES (?, ?, ?)")
SQL(SQL_ADD_UNSTABLE, "INSERT OR REPLACE INTO unstable (test_case, what, share) VALUES (?, ?, ?)")
SQL(SQL_PUT_LAUNCH,
    INSERT("nth_launch", "test_case, kernel", "?, ?", LAUNCH_COLUMNS)
    PUT_LAUNCH_AGAIN)
SQL(SQL_FIND_LAUNCH, "SELECT id FROM nth_launch WHERE test_case = ? AND kernel = ? AND number = ?")
SQL(SQL_PUT_SCHEDULE,
    INSERT("schedule", "launch", "?", SCHEDULE_COLUMNS)
    PUT_SCHEDULE_AGAIN)
SQL(SQL_FIND_SCHEDULE,
    "SELECT id FROM schedule WHERE launch = ? AND ordering = ? AND gate = ? AND target = ? AND seed = ?")
SQL(SQL_SCHEDULE_FILE,
    "SELECT p.file FROM schedule s JOIN nth_launch l ON l.id = s.launch JOIN kernel k ON k.id = l.kernel"
    " JOIN program_file p ON p.program = k.program WHERE s.id = ? AND p.name = ? ORDER BY p.position LIMIT 1")
SQL(SQL_PUT_EXPLANATION,
    "INSERT OR REPLACE INTO explanation (schedule, other, file" NAMES(EXPLANATION_COLUMNS) NAMES(WHY_COLUMNS) ")"
    " VALUES (?, ?, ?" PARAMETERS(EXPLANATION_COLUMNS) PARAMETERS(WHY_COLUMNS) ")")
SQL(SQL_DROP_EXPLAINED, "DELETE FROM explanation_place WHERE schedule = ?")
SQL(SQL_ADD_EXPLAINED, INSERT("explanation_place", "schedule, position, file", "?, ?, ?", EXPLAINED_COLUMNS))
SQL(SQL_EXPLAINED_FILE,
    "SELECT p.file FROM schedule s JOIN nth_launch l ON l.id = s.launch JOIN kernel k ON k.id = l.kernel"
    " JOIN program_file p ON p.program = k.program WHERE s.id = ? AND p.position = ?")
SQL(SQL_ADD_REACHED, "INSERT OR IGNORE INTO reached (schedule, site, outcome) VALUES (?, ?, ?)")
SQL(SQL_GET_REPLAY,
    "SELECT s.id" NAMES(REPLAY_COLUMNS) " FROM schedule s JOIN nth_launch l ON l.id = s.launch JOIN kernel k ON k.id = l.kernel"
    " JOIN test_case t ON t.id = l.test_case JOIN run r ON r.id = t.run WHERE s.id = ?")
SQL(SQL_GET_FINDING,
    "SELECT f.id" NAMES(SEEN_COLUMNS) " FROM finding f"
    " JOIN test_case t ON t.id = f.test_case JOIN kernel k ON k.id = f.kernel"
    " WHERE f.id = ? AND f.proof IS NULL AND f.places <> ''")
SQL(SQL_FINDING_TEST,
    "SELECT f.id" NAMES(SEEN_COLUMNS) " FROM finding f"
    " JOIN test_case t ON t.id = f.test_case JOIN kernel k ON k.id = f.kernel WHERE f.id = ?")
SQL(SQL_SEEN_AGAIN,
    "SELECT count(*) FROM finding f JOIN finding g ON g.rule = f.rule AND g.places = f.places"
    " JOIN kernel k ON k.id = f.kernel JOIN kernel l ON l.id = g.kernel WHERE g.id = ? AND f.run = ?"
    " AND k.name = l.name")
SQL(SQL_SET_SETTINGS, "UPDATE run SET settings = ? WHERE id = ?")
SQL(SQL_FIND_UNFINISHED,
    "SELECT max(id) FROM run WHERE command = ?1 AND (settings = ?2 OR ?2 = '') AND (exit IS NULL OR EXISTS"
    " (SELECT 1 FROM run_mutant WHERE run_mutant.run = run.id AND status = 'pending'))")
SQL(SQL_FIND_TEST_CASE,
    "SELECT id FROM test_case WHERE run = ? AND suite = ? AND name = ? AND command_line = ?"
    " ORDER BY id LIMIT 1 OFFSET ?")
SQL(SQL_FACTS_OF, "SELECT expression, value FROM fact WHERE device = ?")
SQL(SQL_GET_FACT, "SELECT value FROM fact WHERE device = ? AND expression = ?")
SQL(SQL_PUT_FACT, "INSERT OR REPLACE INTO fact (device, expression, value) VALUES (?, ?, ?)")
SQL(SQL_LIST_RUNS,
    "SELECT id, command, started, device, exit,"
    " (SELECT count(*) FROM test_case WHERE run = run.id), revision, process,"
    " ifnull((SELECT CASE suite WHEN '' THEN command_line ELSE suite END FROM test_case WHERE run = run.id"
    " ORDER BY id LIMIT 1),"
    " (SELECT f.name FROM run_program r JOIN program_file f ON f.program = r.program WHERE r.run = run.id"
    " ORDER BY r.program, f.position LIMIT 1)),"
    " (SELECT count(DISTINCT rule || ' ' || ifnull(kernel, 0) || ' ' || ifnull(site, 0) || ' ' || places) FROM finding"
    " WHERE run = run.id AND possible = 0 AND rule <> 'benign-race'"
    " AND NOT EXISTS (SELECT 1 FROM schedule c WHERE c.id = finding.schedule AND c.meant)),"
    " (SELECT count(*) FROM run_mutant WHERE run = run.id AND status IN ('survived', 'undecided', 'no-coverage')),"
    " ifnull(settings, '') FROM run ORDER BY id")
SQL(SQL_RUNS_BY_AGE, "SELECT id, command, settings FROM run ORDER BY started DESC, id DESC")
SQL(SQL_SHARE_FILES,
    "SELECT EXISTS (SELECT 1 FROM run_program r JOIN program_file f ON f.program = r.program WHERE r.run = ?1"
    " AND f.file IN (SELECT g.file FROM run_program s JOIN program_file g ON g.program = s.program"
    " WHERE s.run = ?2))")
SQL(SQL_FILES_DIFFER,
    "WITH a AS (SELECT f.name, f.file FROM run_program r JOIN program_file f ON f.program = r.program"
    " WHERE r.run = ?1),"
    " b AS (SELECT f.name, f.file FROM run_program r JOIN program_file f ON f.program = r.program WHERE r.run = ?2)"
    " SELECT EXISTS (SELECT 1 FROM a WHERE name IN (SELECT name FROM b)"
    " AND NOT EXISTS (SELECT 1 FROM a x JOIN b y ON y.name = x.name AND y.file = x.file WHERE x.name = a.name))")
SQL(SQL_GET_RUN, "SELECT uuid, command, version, started, device, exit, settings, revision FROM run WHERE id = ?")
SQL(SQL_TEST_CASES,
    "SELECT id" NAMES(TEST_CASE_COLUMNS) ", status, timed_out FROM test_case WHERE run = ? ORDER BY id")
SQL(SQL_RUN_PROGRAMS, "SELECT program FROM run_program WHERE run = ? ORDER BY program")
SQL(SQL_PROGRAM_OPTIONS, "SELECT options FROM program WHERE id = ?")
SQL(SQL_PROGRAM_FILES,
    "SELECT x.file, f.sha256, f.text" X_NAMES(NAME_COLUMNS) " FROM program_file x JOIN file f ON f.id = x.file"
    " WHERE x.program = ? ORDER BY x.position")
SQL(SQL_PROGRAM_FUNCTIONS,
    "SELECT id, file, site" NAMES(FUNCTION_COLUMNS) " FROM function WHERE program = ? ORDER BY id")
SQL(SQL_PROGRAM_SITES,
    "SELECT id, kind, file, function" NAMES(SITE_COLUMNS) " FROM site WHERE program = ? ORDER BY id")
SQL(SQL_PROGRAM_OUTCOMES,
    "SELECT x.site" X_NAMES(OUTCOME_COLUMNS) " FROM site s JOIN outcome x ON x.site = s.id"
    " WHERE s.program = ? ORDER BY s.id, x.number")
SQL(SQL_PROGRAM_LINES, "SELECT id, file, line, function FROM line WHERE program = ? ORDER BY id")
SQL(SQL_PROGRAM_LINE_TERMS,
    "SELECT t.line, t.site, t.outcome FROM line l JOIN line_term t ON t.line = l.id"
    " WHERE l.program = ? ORDER BY l.id, t.position")
SQL(SQL_PROGRAM_KERNELS, "SELECT id, name, function FROM kernel WHERE program = ? ORDER BY id")
SQL(SQL_PROGRAM_KERNEL_FUNCTIONS,
    "SELECT f.kernel, f.function FROM kernel k JOIN kernel_function f"
    " ON f.kernel = k.id WHERE k.program = ? ORDER BY k.id, f.position")
SQL(SQL_DROP_VERDICTS,
    "DELETE FROM verdict WHERE mutant = ?2 AND test_case IN (SELECT id FROM test_case WHERE run = ?1)")
/* Of a view: the parameters are JSON, the runs as [3, 7], oldest first, test cases as {"12": [index, run]}, kernels as
 * {"5": index}; of several runs the newest says what is known. */
SQL(SQL_VIEW_PROGRAMS,
    "SELECT DISTINCT program FROM run_program WHERE run IN (SELECT value FROM json_each(?)) ORDER BY program")
SQL(SQL_VIEW_SKIPPED,
    "SELECT min(r.key) AS first" NAMES(SKIPPED_COLUMNS) " FROM skipped JOIN json_each(?) r ON r.value = run"
    " GROUP BY program, reason ORDER BY first, program, reason")
SQL(SQL_VIEW_REFUSED, /* each run of a program meets them again */
    "SELECT min(r.key) AS first, call, kernel, error, detail, max(count) AS most FROM refused"
    " JOIN json_each(?) r ON r.value = run GROUP BY call, kernel, error, detail"
    " ORDER BY first, most DESC, call, kernel, error, detail")
SQL(SQL_VIEW_REPAIRS,
    "SELECT run, sha256" NAMES(REPAIR_COLUMNS) " FROM (SELECT x.run, f.sha256, x.program" X_NAMES(REPAIR_COLUMNS)
    ", rank() OVER (PARTITION BY x.name ORDER BY r.key DESC) AS nth FROM json_each(?) r JOIN repair x ON x.run = r.value"
    " LEFT JOIN program_file p ON p.program = x.program AND p.position = 0 LEFT JOIN file f ON f.id = p.file)"
    " WHERE nth = 1 ORDER BY name, program")
SQL(SQL_VIEW_MUTANTS, /* a decision before none; what stands beside max() is of its row */
    "SELECT mutant, status, reason, original, code, r.key, max((status <> 'pending') * 1000000 + r.key)"
    " FROM json_each(?) r JOIN run_mutant x ON x.run = r.value GROUP BY mutant ORDER BY mutant")
SQL(SQL_VIEW_UNSTABLE,
    "SELECT json_extract(t.value, '$[0]') AS place, what, max(share) FROM json_each(?) t"
    " JOIN unstable ON test_case = CAST(t.key AS INTEGER) GROUP BY place, what ORDER BY place, what")
SQL(SQL_VIEW_LAUNCHES, /* a kernel that two programs of a run have may have a launch twice */
    "SELECT id, test_place, kernel_place" NAMES(LAUNCH_COLUMNS) " FROM (SELECT x.*, json_extract(t.value, '$[0]') AS test_place,"
    " k.value AS kernel_place, rank() OVER (PARTITION BY json_extract(t.value, '$[0]'), k.value, number"
    " ORDER BY json_extract(t.value, '$[1]') DESC) AS nth FROM json_each(?) t"
    " JOIN nth_launch x ON x.test_case = CAST(t.key AS INTEGER)"
    " JOIN json_each(?) k ON x.kernel = CAST(k.key AS INTEGER)) WHERE nth = 1"
    " ORDER BY test_place, kernel_place, number, id")
SQL(SQL_LAUNCHES, "SELECT kernel, launches FROM launch WHERE test_case = ?")
SQL(SQL_PROGRAM_KERNEL_SITES,
    "SELECT s.kernel, s.site FROM kernel k JOIN kernel_site s"
    " ON s.kernel = k.id WHERE k.program = ? ORDER BY k.id, s.site")
SQL(SQL_EVIDENCE, "SELECT kernel, site, outcome FROM evidence WHERE test_case = ?")
SQL(SQL_FINDINGS, FINDINGS_WHERE "f.test_case = ? ORDER BY f.id")
SQL(SQL_RUN_FINDINGS, FINDINGS_WHERE "f.run = ? AND f.test_case IS NULL ORDER BY f.id")
SQL(SQL_FINDING_PLACES,
    "SELECT x.position, f.sha256" X_NAMES(PLACE_COLUMNS) " FROM finding_place x JOIN file f ON f.id = x.file"
    " WHERE x.finding = ? ORDER BY x.position")
SQL(SQL_FINDING_WITNESS,
    "SELECT position" NAMES(WITNESS_COLUMNS) " FROM finding_witness WHERE finding = ? ORDER BY position")
SQL(SQL_FINDING_COMMANDS,
    "SELECT position" NAMES(COMMAND_COLUMNS) " FROM finding_command WHERE finding = ? ORDER BY position")
SQL(SQL_FINDING_INLINED,
    "SELECT x.place, x.position, f.sha256" X_NAMES(CALL_COLUMNS) " FROM finding_inlined x"
    " JOIN file f ON f.id = x.file WHERE x.finding = ? ORDER BY x.place, x.position")
SQL(SQL_FINDING_STEPS,
    "SELECT x.position, f.sha256" X_NAMES(STEP_COLUMNS) " FROM finding_step x JOIN file f ON f.id = x.file"
    " WHERE x.finding = ? ORDER BY x.position")
SQL(SQL_PROGRAM_MUTANTS,
    "SELECT id, file, function, description" NAMES(MUTANT_COLUMNS) " FROM mutant WHERE program = ? ORDER BY id")
SQL(SQL_PROGRAM_MUTANT_KERNELS,
    "SELECT k.mutant, k.kernel FROM mutant m JOIN mutant_kernel k ON k.mutant = m.id"
    " WHERE m.program = ? ORDER BY m.id, k.kernel")
SQL(SQL_VERDICTS,
    "SELECT mutant, revealed, reused, key, revealed_key" NAMES(VERDICT_COLUMNS) " FROM verdict WHERE test_case = ? ORDER BY mutant")
SQL(SQL_SCHEDULES, "SELECT id" NAMES(SCHEDULE_COLUMNS) " FROM schedule WHERE launch = ? ORDER BY id")
SQL(SQL_EXPLANATION,
    "SELECT x.other, f.sha256" X_NAMES(EXPLANATION_COLUMNS) X_NAMES(WHY_COLUMNS)
    " FROM explanation x LEFT JOIN file f ON f.id = x.file WHERE x.schedule = ?")
SQL(SQL_EXPLAINED,
    "SELECT x.position, f.sha256" X_NAMES(EXPLAINED_COLUMNS)
    " FROM explanation_place x LEFT JOIN file f ON f.id = x.file WHERE x.schedule = ? ORDER BY x.position")
SQL(SQL_REACHED, "SELECT site, outcome FROM reached WHERE schedule = ? ORDER BY site, outcome")
SQL(SQL_FIND_RUN_PROOF, "SELECT id FROM proof WHERE run = ? AND program = ? AND name = ?")
SQL(SQL_DROP_PROOF_PLACES, "DELETE FROM finding_place WHERE " OF_PROOF)
SQL(SQL_DROP_PROOF_INLINED, "DELETE FROM finding_inlined WHERE " OF_PROOF)
SQL(SQL_DROP_PROOF_WITNESS, "DELETE FROM finding_witness WHERE " OF_PROOF)
SQL(SQL_DROP_PROOF_STEPS, "DELETE FROM finding_step WHERE " OF_PROOF)
SQL(SQL_DROP_PROOF_FINDINGS, "DELETE FROM finding WHERE proof = ?")
SQL(SQL_DROP_PROOF_PARTS, "DELETE FROM proof_part WHERE proof = ?")
SQL(SQL_DROP_PROOF, "DELETE FROM proof WHERE id = ?")
SQL(SQL_ADD_PROOF, INSERT("proof", "run, program, kernel, file, key, answer", "?, ?, ?, ?, ?, ?", PROOF_COLUMNS))
SQL(SQL_ADD_PROOF_PART, INSERT("proof_part", "proof, position, kind, file", "?, ?, ?, ?", PROOF_PART_COLUMNS))
SQL(SQL_KNOWN_PROOF, "SELECT answer FROM proof WHERE key = ? AND answer IS NOT NULL ORDER BY id DESC LIMIT 1")
SQL(SQL_FIND_COVER, "SELECT proof FROM proof_part WHERE kind = 'cover' AND text = ? ORDER BY proof DESC LIMIT 1")
SQL(SQL_PROOFS,
    "SELECT x.id, x.run, o.options, x.program, x.kernel, f.sha256, x.key, x.answer" X_NAMES(PROOF_COLUMNS)
    " FROM proof x JOIN program o ON o.id = x.program LEFT JOIN file f ON f.id = x.file"
    " WHERE x.run = ? ORDER BY x.id")
SQL(SQL_PROOF_PARTS,
    "SELECT x.position, x.kind, f.sha256" X_NAMES(PROOF_PART_COLUMNS) " FROM proof_part x"
    " LEFT JOIN file f ON f.id = x.file WHERE x.proof = ? ORDER BY x.position")
SQL(SQL_ADD_REPAIR,
    "INSERT OR REPLACE INTO repair (run, program" NAMES(REPAIR_COLUMNS) ")"
    " VALUES (?, ?" PARAMETERS(REPAIR_COLUMNS) ")")
/* Of a merge, beside those in merge.c: which programs its runs have, with those that are here already. */
SQL(SQL_ATTACH, "ATTACH ? AS other")
SQL(SQL_DETACH, "DETACH other")
SQL(SQL_MERGED_PROGRAMS,
    "SELECT x.program, h.id, min(r.new), min(r.known) FROM m_run r JOIN other.run_program x ON x.run = r.old"
    " JOIN other.program o ON o.id = x.program"
    " LEFT JOIN main.program h ON h.identity = o.identity AND h.options = o.options"
    " GROUP BY x.program ORDER BY min(r.new), x.program")
SQL(SQL_MERGE_PROGRAM, "INSERT INTO m_program (old, new) VALUES (?, ?)")
SQL(SQL_MERGE_NAMES,
    "UPDATE main.program_file AS h SET name = x.name, root = x.root FROM other.program_file x WHERE x.program = ?1"
    " AND h.program = ?2 AND h.position = x.position AND (h.name <> x.name OR h.root <> x.root)")
SQL(SQL_COUNT_PROGRAM_FILES, "SELECT count(*) FROM program_file WHERE program = ?")
SQL(SQL_MERGED_INCOMPLETE, "SELECT old FROM m_program WHERE " DIFFERS("function") " OR " DIFFERS("site") " OR "
    DIFFERS("kernel") " OR (SELECT count(*) FROM main.program_file WHERE program = new)"
    " <> (SELECT count(*) FROM other.program_file WHERE program = old) LIMIT 1")
SQL(SQL_MERGED_APART,
    "SELECT y.identity FROM m_mutant m JOIN main.mutant y ON y.id = m.new WHERE NOT m.same LIMIT 1")
SQL(SQL_MERGED_PROOFS,
    "SELECT h.id FROM m_run r JOIN other.proof x ON x.run = r.old JOIN m_program p ON p.old = x.program"
    " JOIN main.proof h ON h.run = r.new AND h.program = p.new AND h.name = x.name WHERE r.known AND r.newer")
SQL(SQL_MERGED_RUNS,
    "SELECT count(*) FROM m_run r WHERE newer OR EXISTS (SELECT 1 FROM m_taken m WHERE m.run = r.new AND m.newer)")
/* clang-format on */
#undef SQL
