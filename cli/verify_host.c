/* Reads host code, and says what it does not show. */
#include "cli/verify_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/pipe_path.h"
#include "base/say.h"
#include "base/shell.h"
#include "host/python.h"
#include "runner/isolate.h"
#include "runner/ways/ways.h"

enum { NOTES_MOST = 5 };

/* --- names -------------------------------------------------------------------------------------------------------- */

static char *name_of(const proof_settings *p) {
  buffer name = {0};
  buffer_puts(&name, path_end(p->hosts.count > 0 ? p->hosts.items[0] : p->compile_commands));
  const size_t more = p->hosts.count - (p->hosts.count > 0 ? 1 : 0);
  if (more > 0) {
    buffer_printf(&name, " and %zu more", more);
  }
  return buffer_take(&name);
}

static void add_note(verify_host *h, char *text) { *ARRAY_ADD(h->notes, h->note_count, h->note_capacity) = text; }

/* --- options ------------------------------------------------------------------------------------------------------ */

/* What its clBuildProgram says. A kernel that is built in several ways is not known in one. */
static int find_options(verify_host *h, error *e) {
  const char *found = NULL;
  bool unknown = false;
  for (size_t i = 0; i < h->facts.launch_count; i++) {
    unknown = unknown || (h->facts.launches[i].kernel != NULL && h->facts.launches[i].options == NULL);
    const char *own = h->facts.launches[i].options_known ? h->facts.launches[i].options : NULL;
    if (own != NULL && found != NULL && strcmp(own, found) != 0) {
      return error_set(e, EXIT_USAGE,
                       "%s builds kernels with several options (\"%s\", \"%s\"); give those that are meant after --",
                       h->name, found, own);
    }
    found = own == NULL ? found : own;
  }
  h->options = mem_strdup(found == NULL ? "" : found);
  if (strstr(h->options, "\xe2\x80\xa6") != NULL) {
    return error_set(e, EXIT_USAGE,
                     "%s builds kernels with options that are not constant (%s); give those that are meant after --",
                     h->name, h->options);
  }
  if (unknown) {
    buffer text = {0};
    buffer_printf(&text, "kernels are built with the options \"%s\", which %s does not show of all", h->options,
                  h->name);
    add_note(h, buffer_take(&text));
  }
  return 0;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static void take_notes(verify_host *h) {
  buffer text = {0};
  if (h->facts.unknown_launches > 0) {
    buffer_printf(&text, "%zu launch%s of %s may be of any kernel, as the host code does not show of which",
                  h->facts.unknown_launches, h->facts.unknown_launches == 1 ? "" : "es", h->name);
    add_note(h, buffer_take(&text));
  }
  if (!h->facts.complete) {
    buffer text_too = {0};
    buffer_printf(&text_too, "%s has code that was not read, and that may launch kernels", h->name);
    add_note(h, buffer_take(&text_too));
  }
}

/* What was not followed, once, for the person. */
static void say_notes(const verify_host *h) {
  for (size_t i = 0; i < h->facts.note_count && i < NOTES_MOST; i++) {
    say(stderr, "cltestcheck: %s: %s\n", h->name, h->facts.notes[i]);
  }
  if (h->facts.note_count > NOTES_MOST) {
    say(stderr, "cltestcheck: %s: and %zu more places that were not followed\n", h->name,
        h->facts.note_count - NOTES_MOST);
  }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Odd code may crash libclang, or take its time: then a process of its own finds that out, which reads it first. */
static int try_to_read(void *context, buffer *out, error *e) {
  host_facts facts;
  (void)out;
  const int result = host_read(context, &facts, e);
  host_free(&facts);
  return result;
}

static int take_nothing(void *context, const void *bytes, size_t length) {
  (void)context;
  (void)bytes;
  (void)length;
  return 0;
}

static int read_safely(const verify_host *h, host_input *in, host_facts *out, error *e) {
  const isolated_work work = {in, try_to_read, take_nothing};
  error why;
  if (isolated(&work, &why) != 0) {
    return why.code == EXIT_INTERNAL ? error_set(e, EXIT_USAGE, "%s cannot be read: %s", h->name, why.text)
                                     : error_set(e, why.code, "%s", why.text);
  }
  return host_read(in, out, e);
}

static int read_code(const proof_settings *p, verify_host *h, error *e) {
  char **options = p->host_options == NULL ? NULL : shell_split(p->host_options);
  if (p->host_options != NULL && options == NULL) {
    return error_set(e, EXIT_USAGE,
                     "--host-options \"%s\": words are wanted, with quotes around what a shell would expand",
                     p->host_options);
  }
  size_t option_count = 0;
  while (options != NULL && options[option_count] != NULL) {
    option_count++;
  }
  host_source *sources = mem_calloc(p->hosts.count + 1, sizeof *sources);
  for (size_t i = 0; i < p->hosts.count; i++) {
    sources[i] = (host_source){p->hosts.items[i], (const char *const *)options, option_count};
  }
  host_input in = {sources, p->hosts.count, p->compile_commands};
  const int result = read_safely(h, &in, &h->facts, e);
  free(sources);
  shell_free(options);
  return result;
}

static int check_files(const proof_settings *p, error *e) {
  for (size_t i = 0; i < p->hosts.count; i++) {
    if (pipe_refuse(p->hosts.items[i], e) != 0) {
      return -1;
    }
    if (access(p->hosts.items[i], R_OK) != 0) {
      return error_set(e, EXIT_USAGE, "host file \"%s\" cannot be read", p->hosts.items[i]);
    }
  }
  return 0;
}

int verify_host_read(const proof_settings *s, bool quiet, bool built, verify_host *h, error *e) {
  *h = (verify_host){.given = s->hosts.count > 0 || s->compile_commands != NULL};
  if (!h->given) {
    return s->host_options == NULL ? 0 : error_set(e, EXIT_USAGE, "--host-options are for the files of --host");
  }
  if (s->local.dimensions > 0 || s->groups.dimensions > 0) {
    return error_set(e, EXIT_USAGE, "--%s and %s exclude each other: the host code says which sizes there are",
                     s->local.dimensions > 0 ? "local" : "groups",
                     s->hosts.count > 0 ? "--host" : "--compile-commands");
  }
  h->name = name_of(s);
  if (check_files(s, e) != 0 || read_code(s, h, e) != 0) {
    return -1;
  }
  if (!quiet) {
    say_notes(h);
  }
  if (h->facts.launch_count == 0 && h->facts.unknown_launches == 0) {
    return error_set(e, EXIT_USAGE, "%s: no launch of a kernel was found in it (%s)", h->name,
                     host_is_python(s->hosts.count > 0 ? s->hosts.items[0] : "") ? "of a program made with PyOpenCL"
                                                                                 : "clEnqueueNDRangeKernel");
  }
  take_notes(h);
  if (built) {
    h->options = mem_strdup("");
    return 0;
  }
  return find_options(h, e);
}

void verify_host_free(verify_host *h) {
  if (h->given) {
    host_free(&h->facts);
  }
  mem_free_all(h->notes, h->note_count);
  free(h->name);
  free(h->options);
  *h = (verify_host){0};
}

void verify_host_apply(verify_host *h, asked_source *s) {
  if (!h->given) {
    return;
  }
  ways_add(s, &h->facts, h->name);
  for (size_t i = 0; i < s->kernel_count; i++) {
    s->kernels[i].host_complete = h->facts.complete && h->facts.unknown_launches == 0;
    s->kernels[i].host_whole = h->facts.complete;
    s->kernels[i].host_notes = h->notes;
    s->kernels[i].host_note_count = h->note_count;
  }
}
