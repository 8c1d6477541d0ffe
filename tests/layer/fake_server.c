/* A stand-in for cltestcheck's server process: starts a program under the layer, speaks wire/protocol.h and writes
 * what it heard to a log. It "instruments" test kernels that carry their own instrumentation as macros: it puts a
 * prelude before the source that makes them real.
 *
 *   fake_server LAYER LOG PROGRAM [ARGUMENTS]     LAYER "-": OPENCL_LAYERS is left alone (for LD_PRELOAD)
 *
 * Comments in a test's source steer it:
 *   //@kernel NAME ITEM_BYTES FLAG_WORDS TOTAL_WORDS [PLANES [BITS]]
 *   //@schema NAME TOTAL_WORDS TWIN MUTANT FUEL     a kernel of a mutation schema: TWIN is launched in its place;
 *                                                 MUTANT is one more each further time that the program is built
 *   //@gated NAME FLAG_WORDS TOTAL_WORDS FLAGS [PLANES]
 *                       a gated kernel, marked by GATED; its launches are answered with FLAGS or "hang-up"
 *   //@options TEXT       added to the program's options
 *   //@ask EXPRESSION     asked in a first round
 *   //@not REASON         answered with INSTRUMENTED_NOT
 *   //@broken             the instrumented source does not build
 *   //@refused NAME       the instrumented kernel cannot be launched
 *
 * A process that replays (MESSAGE_NEXT) gets the turns of $FAKE_TURNS, which are separated by `;`: `ask` for schedules
 * that are asked for, else the launches that have one, NAME.KERNEL.NTH.ITEMS of program 0, separated by commas. After
 * the last turn it hangs up. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire/protocol.h"

#define KERNELS 256
#define FLAGS 64
#define CLIENTS 64
#define SHAPES 64
#define HANG_UP UINT32_MAX

static const char *const prelude =
    "#define HIDDEN , __global uint *cltc_flags, __global uchar *cltc_slots, ulong cltc_first, __global uint "
    "*cltc_planes, uint cltc_capacity\n"
    "#define BEGIN(words) uint cltc_bits[words]; for (int cltc_i = 0; cltc_i < (words); cltc_i++) cltc_bits[cltc_i] = "
    "0;\n"
    "#define HIT(bit) (cltc_bits[(bit) / 32] |= 1u << ((bit) % 32))\n"
    "#define CLTC_ID ((((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - "
    "get_global_offset(1)) * get_global_size(0)) + get_global_id(0) - get_global_offset(0))\n"
    "#define GATED __global uint *cltc_record = (__global uint *)cltc_slots; atomic_inc(&cltc_record[0]); "
    "atomic_add(&cltc_record[15], 3u); cltc_record[1] = (uint)cltc_first; cltc_record[2] = (uint)(cltc_first >> 32);\n"
    "#define GATED_HIT(bit) atomic_or(&cltc_flags[0], 1u << (bit))\n"
    "#ifdef CLTC_DIRECT\n"
    "#define DIRECT(words) for (int cltc_i = 0; cltc_i < (words); cltc_i++) if (cltc_bits[cltc_i] & "
    "~cltc_flags[cltc_i]) "
    "atomic_or(&cltc_flags[cltc_i], cltc_bits[cltc_i]); atomic_or(&cltc_flags[(words)], 1u);\n"
    "#define END1 DIRECT(1)\n#define END2 DIRECT(1)\n#define ENDN(words) DIRECT(words)\n"
    "#else\n"
    "#define END1 cltc_slots[cltc_first + CLTC_ID] = (uchar)cltc_bits[0];\n"
    "#define END2 ((__global ushort *)cltc_slots)[cltc_first + CLTC_ID] = (ushort)cltc_bits[0];\n"
    "#define ENDN(words) for (int cltc_i = 0; cltc_i < (words); cltc_i++) "
    "((__global uint *)cltc_slots)[(cltc_first + CLTC_ID) * (words) + cltc_i] = cltc_bits[cltc_i];\n"
    "#endif\n";

typedef struct kernel {
  char name[64];
  uint32_t form, item_bytes, flag_words, total_words, planes, bits;
  char twin[64]; /* of a schema */
  uint32_t mutant, fuel;
  uint32_t schedule_flags; /* of a gated one */
  uint64_t asked, arrived;
  uint64_t launches;
  uint32_t flags[FLAGS];
} kernel;

typedef struct program {
  char *text; /* of all sources with options, its identity */
  kernel *kernels[32];
  uint32_t kernel_count;
  uint32_t asked; /* times before */
} program;

static kernel kernels[KERNELS]; /* by name, over all programs */
static size_t kernel_count;
static program programs[KERNELS];
static size_t program_count;
static FILE *log_file;

/* Launches of gated kernels, by their numbers. */
typedef struct scheduled {
  kernel *kernel;
  uint64_t of_kernel, first, items;
  bool arrived;
} scheduled;

static scheduled *all_scheduled;
static size_t scheduled_count;

/* What was said about the sizes of launches, and how often. */
static struct {
  char text[192];
  unsigned times;
} shapes[SHAPES];
static size_t shape_count;

typedef struct input {
  const unsigned char *at;
  size_t left;
} input;

static void fail(const char *what) {
  fprintf(stderr, "fake_server: %s\n", what);
  exit(70);
}

static uint32_t get_u32(input *in) {
  uint32_t v = 0;
  if (in->left < 4) fail("message too short");
  for (int i = 0; i < 4; i++) v |= (uint32_t)in->at[i] << (8 * i);
  in->at += 4;
  in->left -= 4;
  return v;
}

static uint64_t get_u64(input *in) {
  uint64_t low = get_u32(in);
  return low | (uint64_t)get_u32(in) << 32;
}

static char *get_string(input *in) {
  uint32_t length = get_u32(in);
  if (in->left < length) fail("string too short");
  char *s = malloc((size_t)length + 1);
  memcpy(s, in->at, length);
  s[length] = '\0';
  in->at += length;
  in->left -= length;
  return s;
}

typedef struct output {
  char *data;
  size_t length;
} output;

static void put(output *out, const void *bytes, size_t length) {
  out->data = realloc(out->data, out->length + length + 1);
  memcpy(out->data + out->length, bytes, length);
  out->length += length;
  out->data[out->length] = '\0';
}

static void put_u32(output *out, uint32_t v) {
  unsigned char b[4] = {(unsigned char)v, (unsigned char)(v >> 8), (unsigned char)(v >> 16), (unsigned char)(v >> 24)};
  put(out, b, 4);
}

static void put_string(output *out, const char *s) {
  put_u32(out, (uint32_t)strlen(s));
  put(out, s, strlen(s));
}

static bool read_all(int fd, void *to, size_t length) {
  char *at = to;
  while (length) {
    ssize_t got = read(fd, at, length);
    if (got <= 0) return false;
    at += got;
    length -= (size_t)got;
  }
  return true;
}

static void put_u64(output *out, uint64_t v) {
  put_u32(out, (uint32_t)v);
  put_u32(out, (uint32_t)(v >> 32));
}

static void reply(int fd, uint32_t type, const output *body) {
  output all = {0};
  put_u32(&all, type);
  put_u32(&all, (uint32_t)body->length);
  if (body->length) put(&all, body->data, body->length);
  if (write(fd, all.data, all.length) != (ssize_t)all.length) fprintf(log_file, "unanswered\n");
  free(all.data);
}

/* The rest of the line after `mark`, or NULL; `*after` is where to look further. */
static char *marked(const char *text, const char *mark, const char **after) {
  const char *at = strstr(text, mark);
  if (!at) return NULL;
  at += strlen(mark);
  size_t length = strcspn(at, "\n");
  *after = at + length;
  return strndup(at, length);
}

static kernel *find_kernel(const char *name) {
  for (size_t i = 0; i < kernel_count; i++)
    if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
  kernel *k = &kernels[kernel_count++];
  snprintf(k->name, sizeof k->name, "%s", name);
  return k;
}

/* Replaces `#include "name"` by the header's text. */
static char *inline_headers(char *text, uint32_t count, char **names, char **texts) {
  for (uint32_t h = 0; h < count; h++) {
    char directive[256];
    snprintf(directive, sizeof directive, "#include \"%s\"", names[h]);
    char *at = strstr(text, directive);
    if (!at) continue;
    output out = {0};
    put(&out, text, (size_t)(at - text));
    put(&out, texts[h], strlen(texts[h]));
    put(&out, at + strlen(directive), strlen(at + strlen(directive)));
    free(text);
    text = out.data;
  }
  return text;
}

typedef struct request {
  uint32_t sources;
  char *texts[16], *options[16];
  uint32_t facts;
} request;

static void read_request(input *in, request *r) {
  char *device = get_string(in), *directory = get_string(in);
  fprintf(log_file, "instrument sources=");
  r->sources = get_u32(in);
  fprintf(log_file, "%u%s%s", r->sources, strchr(device, '\n') ? "" : " BAD DEVICE", *directory ? "" : " NO DIRECTORY");
  for (uint32_t i = 0; i < r->sources; i++) {
    r->texts[i] = get_string(in);
    r->options[i] = get_string(in);
    uint32_t headers = get_u32(in);
    char *names[16], *texts[16];
    for (uint32_t h = 0; h < headers; h++) {
      names[h] = get_string(in);
      texts[h] = get_string(in);
    }
    r->texts[i] = inline_headers(r->texts[i], headers, names, texts);
    fprintf(log_file, " [%s] headers=%u", r->options[i], headers);
  }
  uint32_t linked = get_u32(in);
  char *link_options = get_string(in);
  uint32_t others = get_u32(in);
  if (linked) fprintf(log_file, " linked [%s] others=%u", link_options, others);
  free(link_options);
  r->facts = get_u32(in);
  fprintf(log_file, "\n");
  for (uint32_t i = 0; i < r->facts; i++) {
    uint32_t source = get_u32(in);
    char *expression = get_string(in);
    fprintf(log_file, "fact %u %s = %u\n", source, expression, get_u32(in));
    free(expression);
  }
  free(device);
  free(directory);
}

static bool put_questions(const request *r, output *out) {
  uint32_t count = 0;
  output body = {0};
  for (uint32_t i = 0; i < r->sources; i++) {
    const char *at = r->texts[i];
    char *expression;
    while ((expression = marked(at, "//@ask ", &at))) {
      put_u32(&body, i);
      put_string(&body, expression);
      free(expression);
      count++;
    }
  }
  if (!count || r->facts) return false;
  put_u32(out, INSTRUMENTED_QUESTIONS);
  put_u32(out, count);
  put(out, body.data, body.length);
  return true;
}

static void add_kernel(program *p, kernel read) {
  kernel *k = find_kernel(read.name);
  read.launches = k->launches;
  read.asked = k->asked;
  read.arrived = k->arrived;
  memcpy(read.flags, k->flags, sizeof read.flags);
  *k = read;
  p->kernels[p->kernel_count++] = k;
}

static program *find_program(const request *r) {
  output all = {0};
  for (uint32_t i = 0; i < r->sources; i++) {
    put(&all, r->texts[i], strlen(r->texts[i]) + 1);
    put(&all, r->options[i], strlen(r->options[i]) + 1);
  }
  for (size_t i = 0; i < all.length; i++)
    if (!all.data[i]) all.data[i] = '\1';
  for (size_t i = 0; i < program_count; i++)
    if (strcmp(programs[i].text, all.data) == 0) {
      free(all.data);
      return &programs[i];
    }
  program *p = &programs[program_count++];
  p->text = all.data;
  for (uint32_t i = 0; i < r->sources; i++) {
    const char *at = r->texts[i];
    char *line;
    while ((line = marked(at, "//@kernel ", &at))) {
      kernel k = {.form = KERNEL_COUNTED};
      if (sscanf(line, "%63s %u %u %u %u %u", k.name, &k.item_bytes, &k.flag_words, &k.total_words, &k.planes,
                 &k.bits) < 4)
        fail("bad //@kernel line");
      add_kernel(p, k);
      free(line);
    }
    at = r->texts[i];
    while ((line = marked(at, "//@gated ", &at))) {
      kernel k = {.form = KERNEL_GATED};
      char flags[16];
      if (sscanf(line, "%63s %u %u %15s %u", k.name, &k.flag_words, &k.total_words, flags, &k.planes) < 4)
        fail("bad //@gated line");
      k.schedule_flags = strcmp(flags, "hang-up") == 0 ? HANG_UP : (uint32_t)atoi(flags);
      add_kernel(p, k);
      free(line);
    }
    at = r->texts[i];
    while ((line = marked(at, "//@schema ", &at))) {
      kernel k = {.form = KERNEL_MUTATED};
      if (sscanf(line, "%63s %u %63s %u %u", k.name, &k.total_words, k.twin, &k.mutant, &k.fuel) != 5)
        fail("bad //@schema line");
      k.flag_words = k.total_words;
      add_kernel(p, k);
      free(line);
    }
  }
  return p;
}

static void put_source(const request *r, uint32_t i, output *out) {
  output text = {0};
  const char *after;
  put(&text, prelude, strlen(prelude));
  if (strstr(r->texts[i], "//@broken")) put(&text, "this is no OpenCL C\n", 20);
  char *refused = marked(r->texts[i], "//@refused ", &after);
  if (refused) {
    char define[128];
    int n = snprintf(define, sizeof define, "#define ATTRIBUTE_%s __attribute__((reqd_work_group_size(7, 1, 1)))\n",
                     refused);
    put(&text, define, (size_t)n);
  }
  put(&text, r->texts[i], strlen(r->texts[i]));
  put_string(out, text.data);
  char options[512], *more = marked(r->texts[i], "//@options ", &after);
  snprintf(options, sizeof options, "%s %s", r->options[i], more ? more : "");
  put_string(out, options);
  free(more);
  free(text.data);
  free(refused);
}

static void put_kernel(const kernel *k, uint32_t asked, output *out) {
  put_string(out, k->name);
  put_u32(out, k->form);
  put_u32(out, k->flag_words);
  put_u32(out, k->total_words);
  if (k->form != KERNEL_MUTATED) put_u32(out, k->planes);
  if (k->form == KERNEL_COUNTED) {
    put_u32(out, k->item_bytes);
    put_u32(out, k->bits);
  }
  if (k->form != KERNEL_MUTATED) return;
  put_string(out, k->twin);
  put_u32(out, k->mutant + asked);
  put_u32(out, k->fuel);
}

static void instrument(int fd, input *in) {
  request r = {0};
  output out = {0};
  const char *after;
  read_request(in, &r);
  char *reason = marked(r.texts[0], "//@not ", &after);
  if (reason) {
    put_u32(&out, INSTRUMENTED_NOT);
    put_string(&out, reason);
  } else if (!put_questions(&r, &out)) {
    program *p = find_program(&r);
    put_u32(&out, INSTRUMENTED_OK);
    put_u32(&out, (uint32_t)(p - programs));
    put_u32(&out, r.sources);
    for (uint32_t i = 0; i < r.sources; i++) put_source(&r, i, &out);
    put_u32(&out, p->kernel_count);
    for (uint32_t i = 0; i < p->kernel_count; i++) put_kernel(p->kernels[i], p->asked, &out);
    p->asked++;
  }
  reply(fd, MESSAGE_INSTRUMENTED, &out);
  for (uint32_t i = 0; i < r.sources; i++) {
    free(r.texts[i]);
    free(r.options[i]);
  }
  free(reason);
  free(out.data);
}

static void evidence(input *in) {
  uint32_t p = get_u32(in), index = get_u32(in);
  uint64_t launches = get_u64(in);
  get_u64(in); /* their numbers */
  get_u32(in); /* test case */
  uint32_t words = get_u32(in);
  if (p >= program_count || index >= programs[p].kernel_count) fail("evidence of an unknown kernel");
  kernel *k = programs[p].kernels[index];
  if (words != k->total_words) fail("evidence of the wrong size");
  k->launches += launches;
  for (uint32_t w = 0; w < words; w++) k->flags[w % FLAGS] |= get_u32(in);
}

static void count_shape(const char *text) {
  for (size_t i = 0; i < shape_count; i++)
    if (strcmp(shapes[i].text, text) == 0) {
      shapes[i].times++;
      return;
    }
  if (shape_count == SHAPES) fail("too many shapes of launches");
  snprintf(shapes[shape_count].text, sizeof shapes->text, "%s", text);
  shapes[shape_count++].times = 1;
}

/* Every launch gets a schedule of its own, both halves of which say something. */
static scheduled *add_scheduled(kernel *k, uint64_t items) {
  scheduled l = {.kernel = k, .items = items};
  l.first = scheduled_count * UINT64_C(0x300000005) + UINT64_C(0x700000009);
  all_scheduled = realloc(all_scheduled, (scheduled_count + 1) * sizeof *all_scheduled);
  all_scheduled[scheduled_count++] = l;
  return &all_scheduled[scheduled_count - 1];
}

static bool schedule(int fd, input *in) {
  uint32_t p = get_u32(in), index = get_u32(in), dimensions = get_u32(in);
  if (p >= program_count || index >= programs[p].kernel_count || dimensions < 1 || dimensions > 3)
    fail("launch of an unknown kernel");
  kernel *k = programs[p].kernels[index];
  const uint64_t of_kernel = k->asked++;
  uint64_t items = 1;
  char text[192];
  int length = snprintf(text, sizeof text, "launch %s", k->name);
  for (uint32_t d = 0; d < dimensions; d++) {
    uint64_t global = get_u64(in), local = get_u64(in);
    items *= global;
    length += snprintf(text + length, sizeof text - (size_t)length, " %llu/%llu", (unsigned long long)global,
                       (unsigned long long)local);
  }
  snprintf(text + length, sizeof text - (size_t)length, " even=%u", get_u32(in));
  count_shape(text);
  if (k->schedule_flags == HANG_UP) return false;
  output out = {0};
  put_u64(&out, scheduled_count);
  scheduled *l = add_scheduled(k, items);
  l->of_kernel = of_kernel;
  put_u64(&out, l->first);
  put_u32(&out, k->schedule_flags);
  reply(fd, MESSAGE_SCHEDULE, &out);
  free(out.data);
  return true;
}

static scheduled *find_scheduled(input *in) {
  uint64_t number = get_u64(in);
  if (number >= scheduled_count) fail("an unknown launch");
  return &all_scheduled[number];
}

/* The kernel has counted its work-items twice, from zero, and left the schedule that it was given. */
static void gated(input *in) {
  scheduled *l = find_scheduled(in);
  uint32_t count = get_u32(in), words[16];
  if (count != 16) fail("gate record of the wrong size");
  for (uint32_t i = 0; i < count; i++) words[i] = get_u32(in);
  bool right = words[0] == l->items && words[15] == 3 * l->items && (words[1] | (uint64_t)words[2] << 32) == l->first &&
               !l->arrived;
  l->arrived = true;
  l->kernel->arrived++;
  if (!right)
    fprintf(log_file, "WRONG record of %s: %u,%u,%u,%u\n", l->kernel->name, words[0], words[1], words[2], words[15]);
}

/* The schedules of a turn, as `plan` has them. */
static void put_plan(char *plan, output *out) {
  uint32_t count = 0;
  output body = {0};
  char *rest = NULL;
  for (char *at = strtok_r(plan, ",", &rest); at; at = strtok_r(NULL, ",", &rest)) {
    char name[64];
    unsigned index, nth, items;
    if (sscanf(at, "%63[^.].%u.%u.%u", name, &index, &nth, &items) != 4) fail("bad turn");
    put_u32(&body, 0);
    put_u32(&body, index);
    put_u32(&body, nth);
    put_u64(&body, scheduled_count);
    put_u64(&body, add_scheduled(find_kernel(name), items)->first);
    put_u32(&body, 0);
    count++;
  }
  put_u32(out, count);
  if (count) put(out, body.data, body.length);
  free(body.data);
}

/* False: there is no turn any more. */
static bool next_turn(int fd, input *in) {
  const char *turns = getenv("FAKE_TURNS");
  uint32_t ended = get_u32(in), flags = get_u32(in);
  fprintf(log_file, "next %u flags=%u first=%llu\n", ended, flags, (unsigned long long)get_u64(in));
  for (uint32_t i = 0; turns && i < ended; i++) turns = strchr(turns, ';') ? strchr(turns, ';') + 1 : NULL;
  if (!turns) return false;
  char *plan = strndup(turns, strcspn(turns, ";"));
  output out = {0};
  put_u64(&out, 1);        /* setup */
  put_u32(&out, NO_READS); /* expected */
  put_u32(&out, 0);        /* filling */
  put_u32(&out, 0);        /* not partial */
  put_u32(&out, 0);        /* kernels of schemas */
  if (strcmp(plan, "ask") == 0)
    put_u32(&out, ASK_SCHEDULES);
  else
    put_plan(plan, &out);
  put_string(&out, ""); /* no launch mutant */
  put_u32(&out, 0);
  reply(fd, MESSAGE_TURN, &out);
  free(out.data);
  free(plan);
  return true;
}

static void log_memory(input *in) {
  const scheduled *l = find_scheduled(in);
  uint32_t argument = get_u32(in);
  uint64_t bytes = get_u64(in), digest = UINT64_C(0xcbf29ce484222325);
  uint32_t length = get_u32(in);
  if (in->left < length) fail("contents too short");
  for (uint32_t i = 0; i < length; i++) digest = (digest ^ in->at[i]) * UINT64_C(0x100000001b3);
  in->at += length;
  in->left -= length;
  (void)get_u64(in); /* what an image is like */
  (void)get_u64(in);
  (void)get_u32(in);
  (void)get_u32(in);
  fprintf(log_file, "memory %s launch=%llu argument=%u bytes=%llu length=%u digest=%016llx\n", l->kernel->name,
          (unsigned long long)l->of_kernel, argument, (unsigned long long)bytes, length, (unsigned long long)digest);
}

static void log_read(input *in) {
  uint64_t number = get_u64(in);
  char *name = get_string(in);
  uint32_t argument = get_u32(in);
  uint64_t launch = get_u64(in);
  get_u64(in); /* program */
  get_u32(in); /* threads */
  uint64_t bytes = get_u64(in), low = get_u64(in), high = get_u64(in);
  fprintf(log_file, "read %llu kernel=%s argument=%u launch=%llu bytes=%llu digest=%016llx%016llx blocks=",
          (unsigned long long)number, name, argument, (unsigned long long)launch, (unsigned long long)bytes,
          (unsigned long long)high, (unsigned long long)low);
  for (uint32_t blocks = get_u32(in); blocks; blocks--) fprintf(log_file, "%08x,", get_u32(in));
  fprintf(log_file, "\n");
  free(name);
}

static void log_overrun(input *in) {
  char *name = get_string(in);
  (void)get_u32(in); /* program */
  (void)get_u32(in); /* kernel */
  uint32_t argument = get_u32(in);
  (void)get_u32(in); /* test case */
  uint64_t launch = get_u64(in), launches = get_u64(in), size = get_u64(in), first = get_u64(in), last = get_u64(in);
  fprintf(log_file, "overrun %s argument=%u launch=%llu launches=%llu size=%llu first=%llu last=%llu\n", name, argument,
          (unsigned long long)launch, (unsigned long long)launches, (unsigned long long)size, (unsigned long long)first,
          (unsigned long long)last);
  free(name);
}

static void log_test_case(uint32_t number, input *in) {
  bool begins = get_u32(in) == 1;
  uint32_t status = get_u32(in);
  char *name = get_string(in), *command = get_string(in);
  fprintf(log_file, "test case %u %s %s status=%u %s\n", number, begins ? "begins" : "ends", name, status, command);
  free(name);
  free(command);
}

/* Messages of words alone; false: it is none of them. */
static bool log_words(uint32_t type, input *in) {
  char *a = NULL, *b = NULL;
  uint32_t n;
  switch (type) {
    case MESSAGE_HELLO:
      n = get_u32(in);
      get_u32(in);
      a = get_string(in);
      if (n != PROTOCOL_VERSION) fail("another version of the protocol");
      fprintf(log_file, "hello %s\n", strrchr(a, '/') ? strrchr(a, '/') + 1 : a);
      break;
    case MESSAGE_REFUSED:
      get_u32(in);
      a = get_string(in);
      fprintf(log_file, "refused%s\n", *a ? "" : " WITHOUT LOG");
      break;
    case MESSAGE_SKIPPED:
      a = get_string(in);
      b = get_string(in);
      fprintf(log_file, "skipped %s\n", a);
      break;
    case MESSAGE_FAILED:
      a = get_string(in);
      b = get_string(in);
      free(b);
      b = get_string(in);
      fprintf(log_file, "failed%s\n", *b ? "" : " WITHOUT LOG");
      break;
    case MESSAGE_NOTE:
      n = get_u32(in);
      a = get_string(in);
      fprintf(log_file, "note program=%d %s\n", (int)n, a);
      break;
    default: return false;
  }
  free(a);
  free(b);
  return true;
}

/* False: hangs up. */
static bool handle(int fd, uint32_t type, input *in) {
  bool answered = true;
  switch (type) {
    case MESSAGE_INSTRUMENT: instrument(fd, in); break;
    case MESSAGE_BUILT:
      get_u32(in);
      fprintf(log_file, "built\n");
      break;
    case MESSAGE_EVIDENCE: evidence(in); break;
    case MESSAGE_LAUNCHING:
      get_u32(in);
      get_u32(in);
      break;
    case MESSAGE_GOODBYE: break;
    case MESSAGE_TEST_CASE: {
      uint32_t n = get_u32(in);
      log_test_case(n, in);
      break;
    }
    case MESSAGE_READ: log_read(in); break;
    case MESSAGE_LAUNCH: answered = schedule(fd, in); break;
    case MESSAGE_NEXT: answered = next_turn(fd, in); break;
    case MESSAGE_GATED: gated(in); break;
    case MESSAGE_MEMORY: log_memory(in); break;
    case MESSAGE_REQUEST_DENIED: fprintf(log_file, "denied %u\n", get_u32(in)); break;
    case MESSAGE_OVERRUN: log_overrun(in); break;
    case MESSAGE_CALL_REFUSED: /* tests/e2e/coverage/losses.sh */
    case MESSAGE_UNNOTICED: in->left = 0; break;
    default:
      if (!log_words(type, in)) fail("unknown message");
  }
  if (in->left) fail("message too long");
  return answered;
}

static bool serve(int fd) {
  unsigned char head[8];
  if (!read_all(fd, head, sizeof head)) return false;
  input h = {head, sizeof head};
  uint32_t type = get_u32(&h), length = get_u32(&h);
  unsigned char *body = malloc((size_t)length + 1);
  bool whole = read_all(fd, body, length);
  bool stays = whole && handle(fd, type, &(input){body, length});
  free(body);
  return stays;
}

static void start_program(const char *layer, const char *socket_path, char **command) {
  if (strcmp(layer, "-") != 0) {
    char layers[4096];
    snprintf(layers, sizeof layers, "%s:/nonexistent/other-layer.so", layer);
    setenv("OPENCL_LAYERS", layers, 1);
    setenv(ENV_LAYERS, layers, 1);
  }
  const char *preload = getenv("FAKE_PRELOAD");
  if (preload) setenv("LD_PRELOAD", preload, 1);
  setenv(ENV_SOCKET, socket_path, 1);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

static int run(int listener, pid_t child) {
  struct pollfd fds[CLIENTS + 1] = {{.fd = listener, .events = POLLIN}};
  nfds_t count = 1;
  int status = 0;
  bool running = true;
  while (running || count > 1) {
    int ready = poll(fds, count, 50);
    if (running && waitpid(child, &status, WNOHANG) == child) running = false;
    if (ready > 0 && (fds[0].revents & POLLIN) && count <= CLIENTS)
      fds[count++] = (struct pollfd){.fd = accept(listener, NULL, NULL), .events = POLLIN};
    for (nfds_t i = 1; ready > 0 && i < count; i++)
      if (fds[i].revents && !serve(fds[i].fd)) {
        close(fds[i].fd);
        fds[i--] = fds[--count];
      }
    if (!running && ready == 0) break;
  }
  if (WIFSIGNALED(status)) fprintf(log_file, "signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: fake_server LAYER LOG PROGRAM [ARGUMENTS]\n");
    return 1;
  }
  signal(SIGPIPE, SIG_IGN);
  log_file = fopen(argv[2], "w");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/tmp/cltc-fake-%d", (int)getpid());
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!log_file || listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listener, 16) != 0)
    fail("no log or no socket");
  pid_t child = fork();
  if (child == 0) start_program(argv[1], address.sun_path, argv + 3);
  int status = run(listener, child);
  unlink(address.sun_path);
  for (size_t i = 0; i < kernel_count; i++) {
    fprintf(log_file, "kernel %s launches=%llu flags=", kernels[i].name, (unsigned long long)kernels[i].launches);
    for (uint32_t w = 0; w < kernels[i].flag_words; w++) fprintf(log_file, "%s%x", w ? "," : "", kernels[i].flags[w]);
    bool direct = kernels[i].total_words > kernels[i].flag_words && kernels[i].flags[kernels[i].flag_words];
    fprintf(log_file, "%s\n", direct ? " direct" : "");
    if (kernels[i].form == KERNEL_GATED)
      fprintf(log_file, "gated %s asked=%llu arrived=%llu\n", kernels[i].name, (unsigned long long)kernels[i].asked,
              (unsigned long long)kernels[i].arrived);
  }
  for (size_t i = 0; i < shape_count; i++) fprintf(log_file, "%s times=%u\n", shapes[i].text, shapes[i].times);
  fclose(log_file);
  return status;
}
