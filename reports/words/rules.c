/* The rules, with the sentences of those that are not about an access or a barrier. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "reports/words/finding_text.h"
#include "reports/words/words.h"

/* --- refused calls ------------------------------------------------------------------------------------------------- */

static void put_refused(const db_finding *f, char *const *files, buffer *to) {
  const char *sizes = finding_witness(f, "launch"), *call = text_or_empty(f->detail.call),
             *next = finding_witness(f, "next call");
  (void)files;
  if (call[0] != '\0' && strcmp(call, "clEnqueueNDRangeKernel") != 0 && strcmp(call, "clEnqueueTask") != 0) {
    const bool makes = strncmp(call, "clCreate", 8) == 0, sets = strncmp(call, "clSet", 5) == 0;
    buffer_printf(to, "the device refused %s: %s", call, text_or_empty(f->detail.cause));
    buffer_printf(to, sizes[0] == '\0' ? "%s" : " (%s)", sizes);
    buffer_printf(to, "; the program went on, and %s %s", next,
                  makes  ? "was given an object that does not exist"
                  : sets ? "took the argument that the kernel had before"
                         : "took memory that the call should have written");
    return;
  }
  buffer_printf(to, "the device refused to launch kernel %s: %s", finding_witness(f, "kernel"),
                text_or_empty(f->detail.cause));
  buffer_printf(to, sizes[0] == '\0' ? "%s" : " (%s)", sizes);
  buffer_printf(to, "; the program went on, and %s took memory that the kernel should have written", next);
}

/* --- objects that are not released --------------------------------------------------------------------------------- */

/* "a buffer of 1024 bytes", "3 kernels add". */
static void put_objects(const db_finding *f, buffer *to) {
  const db_detail *d = &f->detail;
  const char *kind = finding_witness(f, "kind"), *name = finding_witness(f, "name");
  if (d->count.value == 1) {
    buffer_printf(to, "%s %s", strchr("aeiou", kind[0]) != NULL ? "an" : "a", kind);
  } else {
    buffer_printf(to, "%" PRIu64 " %ss", d->count.value, kind);
  }
  buffer_printf(to, name[0] == '\0' ? "%s" : " %s", name);
  if (d->size.known) {
    buffer_printf(to, " of %" PRIu64 " byte%s", d->size.value, d->size.value == 1 ? "" : "s");
  }
}

static void put_leak(const db_finding *f, char *const *files, buffer *to) {
  const bool one = f->detail.count.value == 1;
  const char *place = finding_witness(f, "place"), *held = finding_witness(f, "with it");
  (void)files;
  buffer_puts(to, "the program has ended without releasing ");
  put_objects(f, to);
  buffer_printf(to, " that %s made", text_or_empty(f->detail.call));
  buffer_printf(to, place[0] == '\0' ? "%s" : " (%s)", place);
  if (held[0] != '\0') {
    buffer_printf(to, "; with %s: %s", one ? "it" : "them", held);
  }
}

/* --- reads that nobody has waited for ------------------------------------------------------------------------------ */

static void put_unawaited(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const char *place = finding_witness(f, "place"), *next = finding_witness(f, "next call");
  const char *where = finding_witness(f, "next place");
  (void)files;
  if (next[0] != '\0') {
    buffer_printf(to, where[0] == '\0' ? "%s%s uses memory into which " : "%s (%s) uses memory into which ", next,
                  where);
  } else {
    buffer_puts(to, "the program has ended without waiting for ");
  }
  buffer_puts(to, text_or_empty(d->call));
  buffer_printf(to, place[0] == '\0' ? "%s" : " (%s)", place);
  if (next[0] != '\0') {
    buffer_puts(to, " reads without blocking, or that it maps, and the program has not waited for that");
  } else {
    buffer_puts(to, ", which does not block");
  }
  if (d->count.value > 1) {
    buffer_printf(to, " (%" PRIu64 " times)", d->count.value);
  }
}

/* --- the host's own accesses --------------------------------------------------------------------------------------- */

/* Two commands, or memory that changed while a command took it. */
static void put_host_race(const db_finding *f, char *const *files, buffer *to) {
  const char *place = finding_witness(f, "place"), *where = finding_witness(f, "next place");
  if (f->command_count > 0 || text_or_empty(f->detail.call)[0] == '\0') {
    put_commands(f, files, to);
    return;
  }
  buffer_printf(to, place[0] == '\0' ? "%s%s" : "%s (%s)", text_or_empty(f->detail.call), place);
  if (!f->detail.size.known) {
    buffer_printf(to, where[0] == '\0' ? " and %s%s" : " and %s (%s)", finding_witness(f, "next call"), where);
    buffer_puts(to, " were under way at the same time in two threads: which arguments a launch takes is left open");
    return;
  }
  buffer_printf(to,
                " takes %" PRIu64
                " byte%s of the program's memory without blocking, and the host has changed or freed them before ",
                f->detail.size.value, f->detail.size.value == 1 ? "" : "s");
  buffer_printf(to, where[0] == '\0' ? "%s%s" : "%s (%s)", finding_witness(f, "next call"), where);
  buffer_puts(to, ", by which it first knows that the command is complete");
  if (f->detail.count.value > 1) {
    buffer_printf(to, " (%" PRIu64 " times)", f->detail.count.value);
  }
}

/* By a command, or by an access of a kernel. */
static void put_mapped(const db_finding *f, char *const *files, buffer *to) {
  (f->command_count > 0 ? put_commands : put_memory)(f, files, to);
}

/* --- guard zones --------------------------------------------------------------------------------------------------- */

static void put_overrun(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  (void)files;
  buffer_printf(to,
                "kernel %s wrote past the end of its argument %s, a buffer of %" PRIu64 " byte%s: bytes %" PRIu64
                " to %s have changed; `cltestcheck memory` says which access does that",
                finding_witness(f, "kernel"), finding_witness(f, "argument"), d->size.value,
                d->size.value == 1 ? "" : "s", d->element.value, finding_witness(f, "last byte"));
}

/* --- errors with memory of which a first run says only that they are there ------------------------------------------ */

static void put_wrong(const db_finding *f, char *const *files, buffer *to) {
  const uint64_t first = f->detail.launch.value + 1, last = strtoull(finding_witness(f, "last launch"), NULL, 10);
  (void)files;
  if (!f->detail.launch.known) {
    buffer_puts(to, "a launch");
  } else if (first >= last) {
    buffer_printf(to, "launch %" PRIu64, first);
  } else {
    buffer_printf(to, "one of launches %" PRIu64 " to %" PRIu64, first, last);
  }
  buffer_printf(to, " did something wrong with memory; which access that was is not known: %s",
                finding_witness(f, "why"));
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

const finding_rule finding_rules[] = {
    {"barrier-divergence", "barrier divergence", put_divergence},
    {"async-divergence", "divergent async copy", put_async_divergence},
    {"race", "race", NULL},
    {"data-race", "data race", put_race},
    {"benign-race", "benign race", put_race},
    {"host-race", "race between commands", put_host_race},
    {"out-of-bounds", "out of bounds", put_bounds},
    {"memory-error", "memory error", put_wrong},
    {"null-pointer", "null pointer", put_memory},
    {"misaligned", "misaligned access", put_memory},
    {"read-only", "write to read-only memory", put_memory},
    {"write-only", "read of write-only memory", put_memory},
    {"mapped", "access to mapped memory", put_mapped},
    {"api-error", "refused call that went unnoticed", put_refused},
    {"buffer-overrun", "write past the end of a buffer", put_overrun},
    {"uninitialized-read", "value that nobody wrote", put_unwritten},
    {"copy-not-awaited", "async copy that was not awaited", put_memory},
    {"used-before-read", "use of memory before it is read", put_unawaited},
    {"leak", "object that is not released", put_leak},
    {"deadlock", "deadlock", NULL},
    {"crash", "crash", NULL},
    {"order-dependent", "order-dependent result", NULL},
    {"differs", "result differs (accesses not checked)", NULL},
};
const size_t finding_rule_count = sizeof finding_rules / sizeof finding_rules[0];

const finding_rule *rule_find(const char *name) { return NAMED(finding_rules, finding_rule_count, name, name); }

const char *rule_title(const char *name) {
  const finding_rule *rule = rule_find(name);
  return rule == NULL ? name : rule->title;
}

void rule_names(buffer *to) {
  for (size_t i = 0; i < finding_rule_count; i++) {
    buffer_printf(to, "%s%s", i == 0 ? "" : ", ", finding_rules[i].name);
  }
}
