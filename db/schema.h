/* The schema of the results database and its migrations (docs/database.md). */
#ifndef CLTC_DB_SCHEMA_H
#define CLTC_DB_SCHEMA_H

#include <sqlite3.h>

/* PRAGMA application_id: "CLTC". PRAGMA user_version: the version of the schema. */
#define SCHEMA_APPLICATION 0x434c5443
#define SCHEMA_VERSION 1

/* One step, from a version to the next: SQL statements ended by NULL. */
typedef const char *const *migration;

/* [n] leads from version n to n + 1; version 0 is an empty database. */
extern const migration schema_migrations[SCHEMA_VERSION];

/* Brings a database to version `target` by the steps it lacks, all in one transaction. The version is looked up inside
 * the transaction, so that two processes may try at once. Returns an SQLite result code; on failure nothing changed. */
int schema_migrate(sqlite3 *handle, const migration *steps, int target);

/* PRAGMA application_id, PRAGMA user_version and the number of objects in the database. An SQLite result code. */
int schema_probe(sqlite3 *handle, int *application, int *version, int *objects);

#endif
