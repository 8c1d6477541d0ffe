/* Keys of verdicts: digests of all that decides them, apart from how many runs there are. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "runner/campaign/reuse.h"

/* To be raised with every change of what a mutant does, how runs are compared or what a verdict says; the version of
 * cltestcheck goes into the keys as well. */
enum { RULES = 16 };

/* --- device and program ------------------------------------------------------------------------------------------- */

/* Variables that drivers look at begin so; where they keep what they have built makes no difference. */
static const char *const driver_variables[] = {"POCL_", "OCL_", "OPENCL_", "CL_", "CUDA_",
                                               "NEO",   "IGC_", "GPU_",    "HSA_"};

static bool is_for_drivers(const char *variable) {
  const char *cache = strstr(variable, "CACHE");
  if (cache != NULL && cache < variable + strcspn(variable, "=")) {
    return false;
  }
  for (size_t i = 0; i < sizeof driver_variables / sizeof driver_variables[0]; i++) {
    if (strncmp(variable, driver_variables[i], strlen(driver_variables[i])) == 0) {
      return true;
    }
  }
  return false;
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* What drivers find in the environment, in one order. */
static void put_environment(digester *d) {
  char **found = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (char **variable = environ; *variable != NULL; variable++) {
    if (is_for_drivers(*variable)) {
      *ARRAY_ADD(found, count, capacity) = *variable;
    }
  }
  if (count > 0) {
    qsort(found, count, sizeof(char *), compare_texts);
  }
  for (size_t i = 0; i < count; i++) {
    digest_text(d, found[i]);
  }
  digest_number(d, count);
  free(found);
}

static void begin_key(digester *d, const char *what, const char *device) {
  digest_begin(d);
  digest_text(d, what);
  digest_number(d, RULES);
  digest_text(d, CLTC_VERSION);
  digest_text(d, device);
  put_environment(d);
}

static void end_key(digester *d, char key[KEY_SIZE]) {
  char whole[65];
  digest_end(d, whole);
  memcpy(key, whole, KEY_SIZE - 1);
  key[KEY_SIZE - 1] = '\0';
}

/* False for what is no file that can be read. */
static bool put_file(digester *d, const char *path) {
  char of_file[65] = "";
  struct stat s;
  if (path == NULL || stat(path, &s) != 0 || !S_ISREG(s.st_mode) || SHA256File(path, of_file) == NULL) {
    return false;
  }
  digest_text(d, of_file);
  return true;
}

/* The digest of a test case's program, its command, and the files that the command names; "" if they are not known. */
static const char *program_files(const campaign *c, size_t test) {
  case_inputs *i = c->tests[test].inputs;
  if (!i->looked) {
    i->looked = true;
    digester d;
    digest_begin(&d);
    bool known = put_file(&d, c->base.cases[test].executable);
    for (char **word = c->base.options->tests[test].argv; *word != NULL; word++) {
      digest_text(&d, *word);
      (void)put_file(&d, *word);
    }
    if (known) {
      digest_end(&d, i->files);
    }
  }
  return i->files;
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* The kernels that reach a mutant and are launched: their number. */
static size_t put_kernels(digester *d, const campaign *c, size_t program, const mutant *m, size_t test) {
  const campaign_program *p = c->programs.list[program];
  const case_inputs *i = c->tests[test].inputs;
  size_t launched = 0;
  for (size_t k = 0; k < m->kernel_count; k++) {
    const uint32_t kernel = m->kernels[k];
    if (i->items[program][kernel] > 0) {
      digest_text(d, p->schema.model.kernels[kernel].name);
      digest_text(d, p->schema.kernel_digests[kernel]);
      digest_number(d, campaign_fuel(c, test, program, kernel));
      launched++;
    }
  }
  return launched;
}

/* Whether the files that the command names are all that the program looks at: it is a capture that is replayed. Other
 * programs may open whatever they like, as files with expected values. */
static bool reads_known_files(const campaign_options *o, size_t test) {
  const char *replay = o->common.replay_program;
  return replay != NULL && strcmp(o->common.tests[test].argv[0], replay) == 0;
}

/* Whether standard output has a say, and which lines of it. */
static void put_output(digester *d, const experiment_options *o) {
  digest_number(d, o->output);
  for (size_t i = 0; i < o->ignore_count && o->output; i++) {
    digest_text(d, o->ignore[i]);
  }
}

void verdict_key(const campaign *c, size_t program, uint32_t index, size_t test, verdict_basis basis,
                 char key[KEY_SIZE]) {
  static const char *const names[] = {
      [BASIS_PROGRAM] = "program", [BASIS_REPLAY] = "replay", [BASIS_REVEAL] = "reveal"};
  const bool whole = basis != BASIS_REPLAY; /* its process has a say */
  const case_inputs *i = c->tests[test].inputs;
  const mutant *m = mutant_at(&c->programs, program, index)->mutant;
  key[0] = '\0';
  if (i == NULL || (whole && program_files(c, test)[0] == '\0') ||
      (basis == BASIS_REVEAL && !reads_known_files(c->options, test))) {
    return;
  }
  digester d;
  begin_key(&d, names[basis], i->device);
  digest_number(&d, (uint64_t)(c->base.options->limit * 1000));
  digest_text(&d, m->change);
  if (basis == BASIS_REPLAY && c->options->races) {
    digest_text(&d, "races");
  }
  const size_t launched = put_kernels(&d, c, program, m, test);
  digest_text(&d, i->all);
  if (whole) {
    digest_text(&d, program_files(c, test));
    put_output(&d, &c->options->common);
  }
  end_key(&d, key);
  if (launched == 0) {
    key[0] = '\0';
  }
}

void code_key(const campaign_program *p, uint32_t index, bool original, char key[KEY_SIZE]) {
  const mutant *m = p->mutants[index].mutant;
  digester d;
  begin_key(&d, "code of clang 19", "");
  digest_text(&d, original ? "" : m->change);
  for (size_t k = 0; k < m->kernel_count; k++) {
    digest_text(&d, p->schema.model.kernels[m->kernels[k]].name);
    digest_text(&d, p->schema.kernel_digests[m->kernels[k]]);
  }
  digest_text(&d, p->request.linked ? p->request.link_options : "");
  end_key(&d, key);
}
