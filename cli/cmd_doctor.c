/* Commands on this machine: `doctor` says what is missing and what to install, `devices` lists what there is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/output.h"
#include "proofs/client/request.h"
#include "runner/build/build.h"
#include "runner/devices.h"
#include "runner/paths.h"

#define ROOM 64 /* MiB that a run may need */

typedef enum finding { FINE, NOTE, MISSING } finding;

/* A visit: what is said, and how much is missing. */
typedef struct visit {
  const settings *settings;
  size_t missing;
} visit;

/* One line; `todo` NULL: nothing is to be done. */
static void say_finding(visit *v, finding f, const char *what, const char *text, const char *todo) {
  static const char *const words_of[] = {[FINE] = "ok", [NOTE] = "note", [MISSING] = "MISSING"};
  (void)printf("%-8s %-10s %s\n", words_of[f], what, text);
  if (todo != NULL) (void)printf("%-8s %-10s -> %s\n", "", "", todo);
  v->missing += f == MISSING ? 1 : 0;
}

static void check_loader(visit *v) {
  scoped char *layer = own_path("libcltestcheck-layer.so");
  if (layer == NULL) {
    say_finding(v, MISSING, "layer", "libcltestcheck-layer.so is not where cltestcheck looks for it",
                "install it again");
    return;
  }
  loader_facts f;
  loader_ask(layer, &f);
  scoped_buffer text = buffer_with("%s%s%s%s", f.name[0] == '\0' ? "libOpenCL.so.1" : f.name,
                                   f.version[0] == '\0' ? "" : " ", f.version, f.layers ? ", loads our layer" : "");
  if (f.crashed) {
    say_finding(v, MISSING, "loader",
                f.silent ? "the OpenCL loader or a driver gives no answer when it is asked for platforms"
                         : "the OpenCL loader or a driver crashes when it is asked for platforms",
                "`OCL_ICD_VENDORS=/etc/OpenCL/vendors/ONE.icd cltestcheck devices` finds out which driver does");
  } else if (!f.found) {
    say_finding(v, MISSING, "loader", "there is no OpenCL loader (libOpenCL.so.1)", "apt install ocl-icd-libopencl1");
  } else if (f.problem[0] != '\0') {
    say_finding(v, MISSING, "layer", f.problem, "install cltestcheck again, for this machine");
  } else if (!f.layers && f.platforms > 0) {
    buffer_puts(&text, " knows no layers");
    say_finding(
        v, MISSING, "loader", buffer_text(&text),
        "apt install ocl-icd-libopencl1 (2.3 or newer), take another loader out of LD_LIBRARY_PATH, or use --preload");
  } else {
    say_finding(v, FINE, "loader", buffer_text(&text), NULL);
  }
}

static void check_own_files(visit *v) {
  static const char *const names[] = {"libcltestcheck-capture.so", "libcltestcheck-preload.so",
                                      "libcltestcheck-replace.so", "cltestcheck-replay", "suites"};
  scoped_buffer missing = {0};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    scoped char *path = own_path(names[i]);
    if (path == NULL) buffer_printf(&missing, "%s%s", missing.length == 0 ? "" : ", ", names[i]);
  }
  if (missing.length > 0) {
    buffer_puts(&missing, missing.length > 0 ? ": not where cltestcheck looks" : "");
    say_finding(v, MISSING, "files", buffer_text(&missing), "install cltestcheck again");
  } else {
    say_finding(v, FINE, "files", "capture layer, preload library, replay program and benchmarks are there", NULL);
  }
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

/* Faults of drivers that we have met: platform, how the driver's version begins, and what happens
 * (docs/architecture.md). */
static const struct {
  const char *platform, *driver, *fault;
} known_faults[] = {
    {"Portable Computing Language", "3.1",
     "this PoCL translates a few kernels in a thousand that have barriers wrongly, with or without cltestcheck"},
};

extern const char doctor_text[]; /* doctor.cl */

static void check_device(visit *v, size_t number, const device *d) {
  char what[32];
  (void)snprintf(what, sizeof what, "device %zu", number);
  scoped_buffer text = buffer_with("%s (%s %s): %s, %u compute units", d->name, d->platform_name, d->driver, d->type,
                                   (unsigned)d->compute_units);
  const struct {
    uint32_t has;
    const char *name;
  } features[] = {{d->fp64, "double"}, {d->images, "images"}, {d->svm, "shared virtual memory"}};
  for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
    buffer_printf(&text, ", %s%s", features[i].has != 0 ? "" : "no ", features[i].name);
  say_finding(v, FINE, what, buffer_text(&text), NULL);
  error e;
  if (device_build(d, doctor_text, "", "probe", &e) != 0) {
    say_finding(v, MISSING, what, e.text,
                "use another device (--device, OCL_ICD_VENDORS=FILE.icd), or another version of its driver");
  }
  for (size_t i = 0; i < sizeof known_faults / sizeof known_faults[0]; i++)
    if (strcmp(d->platform_name, known_faults[i].platform) == 0 &&
        strncmp(d->driver, known_faults[i].driver, strlen(known_faults[i].driver)) == 0)
      say_finding(v, NOTE, what, known_faults[i].fault, NULL);
  if (d->fp64 == 0) {
    say_finding(v, NOTE, what,
                "no double precision: programs whose kernels use double fail on it, with cltestcheck or without", NULL);
  }
}

/* What helps where there is no device; of a driver that crashes or hangs the sentence itself goes on with it. */
static const char *advice(const error *e, const char *vendors) {
  const char *own = strchr(e->text, ';');
  if (strncmp(e->text, "no OpenCL device", strlen("no OpenCL device")) != 0 && own != NULL)
    return own + strspn(own, "; ");
  return vendors == NULL ? "apt install pocl-opencl-icd (a device on the CPU), or the driver of your GPU"
                         : "unset OCL_ICD_VENDORS, or apt install pocl-opencl-icd (a device on the CPU)";
}

static void check_devices(visit *v) {
  scoped device *all = NULL;
  size_t count = 0;
  error e;
  if (devices_list(&all, &count, &e) != 0) {
    const char *vendors = getenv("OCL_ICD_VENDORS");
    scoped_buffer text = {0};
    buffer_append(&text, e.text, strcspn(e.text, ";"));
    if (vendors != NULL) buffer_printf(&text, "; OCL_ICD_VENDORS is %s", vendors);
    say_finding(v, MISSING, "device", buffer_text(&text), advice(&e, vendors));
  }
  for (size_t i = 0; i < count; i++) check_device(v, i, &all[i]);
}

static void check_front_end(visit *v) {
  program_request r;
  instrument_result made;
  error e;
  request_of_text(&r, "probe.cl", doctor_text, strlen(doctor_text), "", ".", NULL);
  if (build_instrumented(&r, KERNEL_COUNTED, &made, &e) == 0)
    say_finding(v, FINE, "front end", "libclang reads OpenCL C", NULL);
  else
    say_finding(v, MISSING, "front end", e.text, "apt install libclang1-19 libclang-common-19-dev");
  instrument_free(&made);
  request_free(&r);
}

/* Nothing else needs what `verify` and `repair` need. */
static void check_engine(visit *v) {
  error e;
  scoped char *engine = engine_find(&e);
  if (engine == NULL) {
    const char *todo = strstr(e.text, "apt-get install ");
    scoped char *text = mem_strndup(e.text, strcspn(e.text, ";:"));
    say_finding(v, NOTE, "verify", text, todo);
  } else {
    say_finding(v, FINE, "verify", "proof engine and clang-19, also for repair", NULL);
  }
}

/* --- places to write ---------------------------------------------------------------------------------------------- */

/* Is there room in a folder that can be written? */
static void check_room(visit *v, const char *what, const char *folder, const char *todo) {
  struct statvfs s;
  scoped_buffer text = {0};
  unsigned long long room = 0;
  if (access(folder, W_OK | X_OK) != 0 || statvfs(folder, &s) != 0) {
    buffer_printf(&text, "nothing can be written in %s: %s", folder, strerror(errno));
    say_finding(v, MISSING, what, buffer_text(&text), todo);
  } else if ((room = ((unsigned long long)s.f_bavail * s.f_frsize) >> 20) < ROOM) {
    buffer_printf(&text, "%s has %llu MiB left, a run may need %d", folder, room, ROOM);
    say_finding(v, MISSING, what, buffer_text(&text), todo);
  } else {
    buffer_printf(&text, "%s, %llu MiB free", folder, room);
    say_finding(v, FINE, what, buffer_text(&text), NULL);
  }
}

static void check_builds(visit *v) {
  const char *folder = builds_folder();
  scoped_buffer text = {0};
  if (folder == NULL) {
    say_finding(v, NOTE, "builds", "there is no folder for built kernels, so each run builds them anew",
                "set XDG_CACHE_HOME or HOME to a folder that can be written");
  } else {
    buffer_printf(&text, "%s holds %llu of at most %llu MiB of built kernels", folder,
                  (unsigned long long)(builds_size() >> 20), (unsigned long long)(BUILDS_MOST >> 20));
    say_finding(v, FINE, "builds", buffer_text(&text), NULL);
  }
}

static void check_database(visit *v) {
  const char *path = v->settings->report.database, *slash = strrchr(path, '/');
  scoped char *folder = slash == NULL ? mem_strdup(".") : mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
  db *d = NULL;
  error e;
  if (access(path, F_OK) == 0 && db_open(&d, path, DB_READ, &e) != 0)
    say_finding(v, MISSING, "database", e.text, "name another one with --db");
  else if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
    say_finding(v, MISSING, "database", "the results database cannot be written", "name another one with --db");
  else
    check_room(v, "database", folder, "work in another folder, or name a database elsewhere with --db");
  db_close(d);
}

static int cmd_doctor(const settings *s, error *e) {
  if (s->given.positional.count > 0 || s->given.command != NULL) {
    return error_set(e, EXIT_USAGE, "doctor takes no arguments, but got \"%s\"",
                     s->given.positional.count > 0 ? s->given.positional.items[0] : "--");
  }
  visit v = {.settings = s};
  (void)printf("cltestcheck %s\n", CLTC_VERSION);
  check_loader(&v);
  check_devices(&v);
  check_front_end(&v);
  check_own_files(&v);
  check_engine(&v);
  const char *folder = getenv("TMPDIR");
  folder = folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
  check_room(&v, "temporary", folder, "free some space there, or name another folder with TMPDIR");
  if (access("/tmp", W_OK) != 0 && access("/dev/shm", W_OK) != 0)
    say_finding(&v, MISSING, "sockets", "neither /tmp nor /dev/shm can be written", "give write access to one of them");
  check_builds(&v);
  check_database(&v);
  if (v.missing == 0)
    (void)printf("Nothing is missing: try `cltestcheck coverage vector-guarded`.\n");
  else
    (void)printf("%zu thing%s missing.\n", v.missing, v.missing == 1 ? " is" : "s are");
  return v.missing == 0 ? EXIT_FINE : EXIT_USAGE;
}

const command command_doctor = {
    "doctor",
    "say what is missing on this machine, and what to install",
    "[OPTIONS]",
    "Looks for the OpenCL loader and whether it loads our layer, devices and their known faults, libclang and its "
    "headers, the files of cltestcheck, and room for temporary files and the database. Exits with 0 when nothing is "
    "missing, and with 1 when something is.",
    "cltestcheck doctor",
    cmd_doctor,
    FOR_DOCTOR};

/* cltestcheck devices: what --device can choose from. */

static const char *promised(uint32_t flag) { return flag != 0 ? "promised" : "not promised"; }

static const char *there(uint32_t flag) { return flag != 0 ? "yes" : "no"; }

static int cmd_devices(const settings *s, error *e) {
  scoped device *all = NULL;
  size_t count = 0;
  if (s->given.positional.count > 0)
    return error_set(e, EXIT_USAGE, "devices takes no arguments, but got \"%s\"", s->given.positional.items[0]);
  if (devices_list(&all, &count, e) != 0) return -1;
  for (size_t i = 0; i < count; i++) {
    say(stdout, "%2zu  %s\n    %s, %s, %u compute units, %llu MiB, driver %s\n", i, all[i].name, all[i].platform_name,
        all[i].type, (unsigned)all[i].compute_units, (unsigned long long)(all[i].memory >> 20), all[i].driver);
    say(stdout,
        "    double precision: %s, images: %s, shared virtual memory: %s\n"
        "    work-groups of up to %llu work-items\n    progress of each sub-group by itself: %s\n"
        "    atomics from one work-group to another (device scope): %s\n",
        there(all[i].fp64), there(all[i].images), there(all[i].svm), (unsigned long long)all[i].largest_group,
        promised(all[i].forward_progress), promised(all[i].scopes));
  }
  say(stdout,
      "\nNo device promises an order of work-groups, nor that two of them are in flight\n"
      "together: `cltestcheck amplify` tries orders, and shows how many were.\n");
  return EXIT_FINE;
}

const command command_devices = {"devices",
                                 "list the OpenCL devices of this machine, and what they promise",
                                 "",
                                 "Lists the devices with the numbers that --device takes.",
                                 "cltestcheck devices",
                                 cmd_devices,
                                 FOR_DEVICES};
