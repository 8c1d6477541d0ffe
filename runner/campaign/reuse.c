/* Reuse of verdicts: keys, which are digests of all that decides a verdict, and what earlier runs left under them. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/internal.h"
#include "wire/capture_format.h"
#include "wire/capture_shape.h"

/* To be raised with every change of what a mutant does, how runs are compared or what a verdict says; the version of
 * cltestcheck goes into the keys as well. */
enum { RULES = 16 };

/* --- device and program ------------------------------------------------------------------------------------------- */

/* Variables that drivers look at begin so; where they keep what they have built makes no difference. */
static const char *const driver_variables[] = {"POCL_", "OCL_", "OPENCL_", "CL_", "CUDA_",
                                               "NEO",   "IGC_", "GPU_",    "HSA_"};

static bool is_for_drivers(const char *variable) {
  const char *cache = strstr(variable, "CACHE");
  if (cache != NULL && cache < variable + strcspn(variable, "=")) return false;
  for (size_t i = 0; i < sizeof driver_variables / sizeof driver_variables[0]; i++)
    if (strncmp(variable, driver_variables[i], strlen(driver_variables[i])) == 0) return true;
  return false;
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* What drivers find in the environment, in one order. */
static void put_environment(digester *d) {
  scoped char **found = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (char **variable = environ; *variable != NULL; variable++)
    if (is_for_drivers(*variable)) *ARRAY_ADD(found, count, capacity) = *variable;
  if (count > 0) qsort(found, count, sizeof(char *), compare_texts);
  for (size_t i = 0; i < count; i++) digest_text(d, found[i]);
  digest_number(d, count);
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
  if (path == NULL || stat(path, &s) != 0 || !S_ISREG(s.st_mode) || SHA256File(path, of_file) == NULL) return false;
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
    if (known) digest_end(&d, i->files);
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
  const char *replay = o->common.target.replay;
  return replay != NULL && strcmp(o->common.tests[test].argv[0], replay) == 0;
}

/* Whether standard output has a say, and which lines of it. */
static void put_output(digester *d, const experiment_options *o) {
  digest_number(d, o->output);
  for (size_t i = 0; i < o->ignore.count && o->output; i++) digest_text(d, o->ignore.items[i]);
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
      (basis == BASIS_REVEAL && !reads_known_files(c->options, test)))
    return;
  digester d;
  begin_key(&d, names[basis], i->device);
  digest_number(&d, (uint64_t)(c->base.options->limit * 1000));
  digest_text(&d, m->change);
  if (basis == BASIS_REPLAY && c->options->common.races) digest_text(&d, "races");
  const size_t launched = put_kernels(&d, c, program, m, test);
  digest_text(&d, i->all);
  if (whole) {
    digest_text(&d, program_files(c, test));
    put_output(&d, &c->options->common);
  }
  end_key(&d, key);
  if (launched == 0) key[0] = '\0';
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

/* Taking over the verdicts of earlier runs, and keeping those of this one for later runs. */

/* --- looking up --------------------------------------------------------------------------------------------------- */

static int look_up(campaign *c, size_t program, uint32_t index, size_t test, verdict_basis basis, mutant_verdict *v,
                   error *e) {
  const int64_t row = mutant_at(&c->programs, program, index)->row;
  const uint32_t least = basis == BASIS_REPLAY ? REPLAY_FILLINGS : 1;
  const uint32_t runs = c->base.options->runs > least ? c->base.options->runs : least;
  int64_t found = 0;
  char key[KEY_SIZE];
  verdict_key(c, program, index, test, basis, key);
  if (key[0] == '\0') return 0;
  if (db_find_verdict(c->base.db, key, runs, &found, v, e) != 0) return -1;
  mutant_shorten(v, runs);
  v->revealed = REVEALED_UNKNOWN;                    /* that was another program's, maybe */
  const bool own = found == c->base.cases[test].row; /* by a run that this one goes on with */
  if (found != 0 && !own &&
      (db_put_verdict(c->base.db, c->base.cases[test].row, row, v, e) != 0 ||
       db_keep_verdict(c->base.db, c->base.cases[test].row, row, key, true, e) != 0))
    return -1;
  return found == 0 ? 0 : campaign_recall_revealed(c, program, index, test, v, e);
}

static int recall_mutant(campaign *c, size_t program, uint32_t index, error *e) {
  campaign_mutant *m = mutant_at(&c->programs, program, index);
  m->known = mem_calloc(c->base.options->test_count, sizeof *m->known);
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    if (campaign_reached(c, t, program, index)) {
      const bool replayed = experiment_is_replayed(&c->base, t), verified = replayed && c->base.options->recheck > 0;
      if (look_up(c, program, index, t, verified || !replayed ? BASIS_PROGRAM : BASIS_REPLAY, &m->known[t], e) != 0 ||
          (verified && m->known[t].runs == 0 && look_up(c, program, index, t, BASIS_REPLAY, &m->known[t], e) != 0))
        return -1;
    }
  }
  return 0;
}

int campaign_recall_program(campaign *c, size_t program, error *e) {
  for (uint32_t m = 0; m < c->programs.list[program]->schema.mutant_count && !c->options->no_cache; m++) {
    const campaign_mutant *one = mutant_at(&c->programs, program, m);
    if (one->chosen && one->reached && !one->decided && recall_mutant(c, program, m, e) != 0) return -1;
  }
  return 0;
}

int campaign_recall(campaign *c, error *e) {
  for (size_t p = 0; p < c->programs.count; p++)
    if (!campaign_is_unsurveyed(c, c->programs.list[p]) && campaign_recall_program(c, p, e) != 0) return -1;
  return 0;
}

void campaign_known_verdicts(const campaign_options *o, const campaign_mutant *m, mutant_verdict *verdicts) {
  if (m->known != NULL) memcpy(verdicts, m->known, o->common.test_count * sizeof *verdicts);
}

/* --- keeping ------------------------------------------------------------------------------------------------------ */

int campaign_put_verdict(campaign *c, const reference *r, uint32_t index, const mutant_verdict *v, bool known,
                         error *e) {
  const int64_t test = c->base.cases[r->test].row;
  const int64_t row = mutant_at(&c->programs, r->program, index)->row;
  char key[KEY_SIZE] = "";
  if (known && !campaign_varies(&c->tests[r->test], &r->shown))
    verdict_key(c, r->program, index, r->test, v->replayed == 0 ? BASIS_PROGRAM : BASIS_REPLAY, key);
  if (db_put_verdict(c->base.db, test, row, v, e) != 0) return -1;
  return key[0] == '\0' ? 0 : db_keep_verdict(c->base.db, test, row, key, false, e);
}

/* What a test case does on the device, as its capture has it: a digest of all that is done, in order, and of what the
 * kernels are made of. Launches have to do with each other through memory, so no part of it stands for itself. */

/* --- fields of commands ------------------------------------------------------------------------------------------- */

/* Where a command names the bytes that it brings; NULL: its kind brings none. */
static uint32_t *blob_of(capture_command *c) {
  switch (c->kind) {
    case CAPTURE_BUFFER: return &c->u.buffer.blob;
    case CAPTURE_IMAGE: return &c->u.image.blob;
    case CAPTURE_WRITE:
    case CAPTURE_WRITE_RECT:
    case CAPTURE_WRITE_IMAGE: return &c->u.transfer.blob;
    default: return NULL;
  }
}

static bool acts_on_memory(const capture_command *c) {
  capture_effect effects[2];
  return capture_makes_memory(c) || capture_effects(c, effects) > 0;
}

/* --- the state of a reading --------------------------------------------------------------------------------------- */

typedef struct kernel_object {
  bool known;                        /* what it is made of is */
  size_t program;                    /* of the campaign */
  uint32_t kernel;                   /* of its model */
  const capture_command **arguments; /* as set last, NULL where none is */
  uint32_t argument_count;
} kernel_object;

typedef struct reading {
  const campaign *campaign;
  const capture *capture;
  double **items; /* [program][kernel]: work-items of launches */
  const capture_command **samplers;
  size_t sampler_count, sampler_capacity;
  size_t *programs; /* capture's program -> campaign's */
  size_t program_count, program_capacity;
  kernel_object *kernels;
  size_t kernel_count, kernel_capacity;
  digester digest;
  char (*blobs)[65]; /* digests of those that were met */
  stored_objects stored;
  bool steady; /* repeats of no launch so far can differ */
} reading;

/* --- objects ------------------------------------------------------------------------------------------------------ */

static void take_kernel(reading *r, const capture_command *made) {
  kernel_object *k = ARRAY_ADD(r->kernels, r->kernel_count, r->kernel_capacity);
  *k = (kernel_object){.program = r->programs[made->u.kernel.program]};
  if (k->program == SIZE_MAX) return;
  const campaign_program *p = r->campaign->programs.list[k->program];
  const model *m = &p->schema.model;
  while (k->kernel < m->kernel_count && strcmp(m->kernels[k->kernel].name, made->u.kernel.name) != 0) k->kernel++;
  k->known = k->kernel < p->schema.kernel_digest_count && p->request.others == 0;
}

static void take_clone(reading *r, const capture_command *made) {
  kernel_object *k = ARRAY_ADD(r->kernels, r->kernel_count, r->kernel_capacity);
  *k = r->kernels[made->u.clone.kernel];
  const capture_command **arguments = mem_calloc(k->argument_count, sizeof *arguments);
  if (k->argument_count > 0) memcpy(arguments, k->arguments, k->argument_count * sizeof *arguments);
  k->arguments = arguments;
}

static void take_argument(reading *r, const capture_command *set) {
  kernel_object *k = &r->kernels[set->u.argument.kernel];
  const uint32_t index = set->u.argument.index;
  if (index >= k->argument_count) {
    k->arguments = mem_realloc(k->arguments, (index + 1) * sizeof *k->arguments);
    memset(&k->arguments[k->argument_count], 0, (index + 1 - k->argument_count) * sizeof *k->arguments);
    k->argument_count = index + 1;
  }
  k->arguments[index] = set;
}

/* False: what is launched is not known. */
static bool take_launch(reading *r, const capture_command *c) {
  const kernel_object *k = &r->kernels[c->u.launch.kernel];
  if (!k->known) return false;
  const launch_setting all = {c, k->arguments, k->argument_count, &r->stored};
  r->steady = r->steady && note_launch(r->campaign->programs.list[k->program], k->kernel, &all);
  double items = 1;
  for (uint32_t d = 0; d < c->u.launch.dimensions && d < 3; d++) items *= (double)c->u.launch.global[d];
  r->items[k->program][k->kernel] += items;
  return true;
}

static void follow(reading *r, const capture_command *c) {
  switch (c->kind) {
    case CAPTURE_SAMPLER: *ARRAY_ADD(r->samplers, r->sampler_count, r->sampler_capacity) = c; break;
    case CAPTURE_PROGRAM:
      *ARRAY_ADD(r->programs, r->program_count, r->program_capacity) = campaign_program_of(&r->campaign->programs, c);
      break;
    case CAPTURE_KERNEL: take_kernel(r, c); break;
    case CAPTURE_CLONE: take_clone(r, c); break;
    case CAPTURE_ARGUMENT: take_argument(r, c); break;
    default: break;
  }
}

/* --- digests ------------------------------------------------------------------------------------------------------ */

/* Bytes may come in often: they are looked at once. */
static void put_blob(const reading *r, digester *d, uint32_t blob) {
  if (blob == CAPTURE_NONE) {
    digest_text(d, "");
    return;
  }
  if (r->blobs[blob][0] == '\0') {
    digester bytes;
    digest_begin(&bytes);
    digest_bytes(&bytes, r->capture->blobs[blob].bytes, r->capture->blobs[blob].size);
    digest_end(&bytes, r->blobs[blob]);
  }
  digest_text(d, r->blobs[blob]);
}

static void put_field(digester *d, const capture_command *c, const capture_field *f) {
  const unsigned char *at = (const unsigned char *)c + f->offset;
  switch (f->type) {
    case FIELD_U32: digest_bytes(d, at, sizeof(uint32_t)); break;
    case FIELD_U64: digest_bytes(d, at, sizeof(uint64_t)); break;
    case FIELD_FLAG: digest_number(d, *(const bool *)at); break;
    case FIELD_THREE: digest_bytes(d, at, 3 * sizeof(uint64_t)); break;
    case FIELD_COLOR: digest_bytes(d, at, CAPTURE_COLOR); break;
    case FIELD_PATTERN: digest_bytes(d, c->u.transfer.pattern, c->u.transfer.pattern_size); break;
    case FIELD_DIGEST:
      digest_number(d, c->known);
      digest_number(d, c->low);
      digest_number(d, c->high);
      break;
    default: break; /* of no command that comes here */
  }
}

static void put_fields(digester *d, const capture_command *c) {
  digest_number(d, (uint64_t)c->kind);
  for (const capture_field *f = capture_fields[c->kind]; f->type != FIELD_NONE; f++) put_field(d, c, f);
}

/* A command, and what it brings instead of where that is. */
static void put_command(const reading *r, digester *d, const capture_command *c) {
  capture_command own = *c;
  uint32_t *blob = blob_of(&own);
  if (blob != NULL) {
    put_blob(r, d, *blob);
    *blob = 0;
  }
  put_fields(d, &own);
}

static void put_argument(const reading *r, digester *d, const capture_command *a) {
  digest_number(d, a == NULL ? CAPTURE_NONE : (uint64_t)a->u.argument.kind);
  if (a == NULL) return;
  digest_number(d, a->u.argument.size);
  if (a->u.argument.kind == CAPTURE_VALUE)
    digest_bytes(d, a->u.argument.bytes, (size_t)a->u.argument.size);
  else if (a->u.argument.kind == CAPTURE_MEMORY)
    digest_number(d, a->u.argument.object);
  else if (a->u.argument.kind == CAPTURE_SAMPLE && a->u.argument.object != CAPTURE_NONE)
    put_fields(d, r->samplers[a->u.argument.object]);
}

static void put_launch(const reading *r, digester *d, const capture_command *c) {
  const kernel_object *k = &r->kernels[c->u.launch.kernel];
  const campaign_program *p = r->campaign->programs.list[k->program];
  capture_command own = *c;
  own.u.launch.kernel = 0;
  put_fields(d, &own);
  digest_text(d, p->schema.model.kernels[k->kernel].name);
  digest_text(d, p->schema.kernel_digests[k->kernel]);
  digest_text(d, p->request.linked ? p->request.link_options : "");
  digest_number(d, k->argument_count);
  for (uint32_t i = 0; i < k->argument_count; i++) put_argument(r, d, k->arguments[i]);
}

/* False: not all is known of what is done. */
static bool read_commands(reading *r) {
  bool known = true;
  for (size_t i = 0; i < r->capture->command_count && known; i++) {
    const capture_command *c = &r->capture->commands[i];
    follow(r, c);
    if (c->kind == CAPTURE_LAUNCH) {
      known = take_launch(r, c);
      if (known) put_launch(r, &r->digest, c);
    } else if (acts_on_memory(c)) {
      put_command(r, &r->digest, c);
    }
  }
  return known;
}

static void end_reading(reading *r) {
  for (size_t i = 0; i < r->kernel_count; i++) free(r->kernels[i].arguments);
  free(r->blobs);
  stored_free(&r->stored);
  free(r->samplers);
  free(r->programs);
  free(r->kernels);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

case_inputs *case_inputs_of(const campaign *c, const capture *captured) {
  case_inputs *out = mem_calloc(1, sizeof *out);
  out->device = mem_strdup(captured->device);
  out->program_count = c->programs.count;
  out->items = mem_calloc(c->programs.count + 1, sizeof *out->items);
  for (size_t p = 0; p < c->programs.count; p++)
    out->items[p] = mem_calloc(c->programs.list[p]->schema.model.kernel_count + 1, sizeof **out->items);
  reading r = {.campaign = c, .capture = captured, .items = out->items, .stored = stored_of(captured), .steady = true};
  r.blobs = mem_calloc(captured->blob_count + 1, sizeof *r.blobs);
  digest_begin(&r.digest);
  const bool known = captured->unsuitable == NULL && read_commands(&r);
  out->steady = noted_are_steady(&c->programs, known && r.steady);
  digest_end(&r.digest, out->all);
  end_reading(&r);
  if (!known) {
    case_inputs_free(out);
    return NULL;
  }
  return out;
}

case_inputs *case_inputs_read(const campaign *c, size_t test) {
  const experiment_case *t = &c->base.cases[test];
  capture captured;
  error ignored;
  if (!case_is_captured(t->state) || capture_read(t->capture.path, &captured, &ignored) != 0) return NULL;
  case_inputs *out = case_inputs_of(c, &captured);
  capture_free(&captured);
  return out;
}

void case_inputs_free(case_inputs *i) {
  if (i != NULL) {
    mem_free_all(i->items, i->program_count);
    free(i->device);
  }
  free(i);
}
