/* Source location maps: the files of a project are listed, ranked by the words that they share with a source, matched,
 * and made into spans. */
#include "base/home.h"

#include <ctype.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "home/home.h"

/* The files of a project that may hold kernels, and the words in them. */

typedef struct catalogue_file {
  char *path;
  const language *language;
  unsigned char *words; /* a Bloom filter; NULL: not read yet, or no text */
  uint32_t bits;        /* of it: a power of two */
} catalogue_file;

/* A file that is taken for something, and what that has of the source. */
typedef struct candidate {
  const catalogue_file *file;
  char *text;
  size_t length;
  stream_kind kind;
  stream stream;
  home_claim *claims; /* one a token of the source */
  size_t total;       /* tokens of the source that are in it */
  size_t away;        /* folders between the file and the current directory */
} candidate;

typedef struct catalogue {
  catalogue_file *files; /* by path */
  size_t count, capacity;
  bool incomplete; /* there were more files, or too little time to read them */
} catalogue;

/* The catalogue of a project's files: listed, and read when asked. */

enum { MOST_FILES = 200000, LARGEST_FILE = 4 << 20, SHORTEST_WORD = 3, MOST_BITS = 1 << 16, LEVELS = 40 };

/* --- listing ----------------------------------------------------------------------------------------------------- */

/* source-XXXXXXXX.cl: a copy that a report left behind. */
static bool is_copy(const char *path) {
  static const char before[] = "source-";
  static const char behind[] = ".cl";
  size_t length = strlen(path);
  size_t size = sizeof before - 1 + 8 + sizeof behind - 1;
  const char *name = length < size ? "" : path + length - size;
  return strncmp(name, before, sizeof before - 1) == 0 && strspn(name + sizeof before - 1, "0123456789abcdef") == 8 &&
         strcmp(name + size - (sizeof behind - 1), behind) == 0;
}

static void add_file(catalogue *c, const char *path) {
  struct stat status;
  const language *l = is_copy(path) ? NULL : language_of(path);
  if (c->count >= MOST_FILES)
    c->incomplete = true;
  else if (l != NULL && lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
           status.st_size <= LARGEST_FILE)
    *ARRAY_ADD(c->files, c->count, c->capacity) = (catalogue_file){.path = mem_strdup(path), .language = l};
}

/* The paths that git prints, each ended by a NUL. Returns false when git cannot tell. */
static bool list_by(catalogue *c, const char *root, const char *const *arguments) {
  scoped_buffer paths = {0};
  const int status = subprocess_ask(arguments, &paths);
  for (size_t at = 0; at < paths.length; at += strlen(paths.data + at) + 1) {
    scoped_buffer full = buffer_with("%s/%s", root, paths.data + at);
    add_file(c, buffer_text(&full));
  }
  return status == 0;
}

static bool list_repository(catalogue *c, const char *root) {
  const char *const tracked[] = {
      "git", "-C", root, "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--recurse-submodules", NULL};
  const char *const others[] = {
      "git", "-C", root, "-c", "core.fsmonitor=false", "ls-files", "-z", "--others", "--exclude-standard", NULL};
  return list_by(c, root, tracked) && list_by(c, root, others);
}

/* nftw() has no argument for its caller. */
static catalogue *walked;
static double walked_until;

static int look_at(const char *path, const struct stat *status, int type, struct FTW *where) {
  static const char *const others[] = {"node_modules", "build", "target", "__pycache__", "venv", "site-packages"};
  (void)status;
  const char *name = path + where->base;
  bool skip = type == FTW_D && where->level > 0 && (name[0] == '.' || where->level > LEVELS);
  for (size_t i = 0; type == FTW_D && where->level > 0 && i < sizeof others / sizeof others[0]; i++)
    skip = skip || strcmp(name, others[i]) == 0;
  if (type == FTW_F) add_file(walked, path);
  walked->incomplete = walked->incomplete || clock_now() > walked_until;
  return skip ? FTW_SKIP_SUBTREE : walked->incomplete ? FTW_STOP : FTW_CONTINUE;
}

static void list_folder(catalogue *c, const char *root, double until) {
  walked = c;
  walked_until = until;
  (void)nftw(root, look_at, 16, FTW_PHYS | FTW_ACTIONRETVAL);
}

static int compare_files(const void *a, const void *b) {
  return strcmp(((const catalogue_file *)a)->path, ((const catalogue_file *)b)->path);
}

/* Roots may overlap. */
static void sort_files(catalogue *c) {
  if (c->count == 0) return;
  qsort(c->files, c->count, sizeof *c->files, compare_files);
  size_t kept = 1;
  for (size_t i = 1; i < c->count; i++)
    if (strcmp(c->files[kept - 1].path, c->files[i].path) == 0)
      free(c->files[i].path);
    else
      c->files[kept++] = c->files[i];
  c->count = kept;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

char *catalogue_read(const char *path, size_t *length) {
  struct stat status;
  int file = is_open_here(path) ? -1 : open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  bool fine = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST_FILE;
  char *text = fine ? mem_calloc((size_t)status.st_size + 1, 1) : NULL;
  *length = 0;
  while (fine && *length < (size_t)status.st_size) {
    ssize_t got = read(file, text + *length, (size_t)status.st_size - *length);
    if (got <= 0) {
      fine = got == 0;
      break;
    }
    *length += (size_t)got;
  }
  if (file >= 0) (void)close(file);
  if (text != NULL && (!fine || memchr(text, '\0', *length) != NULL)) {
    free(text);
    text = NULL;
  }
  return text;
}

/* The hash of a word as the filters have it. */
static uint32_t catalogue_word(const char *s, size_t length) {
  uint32_t hash = 0x811c9dc5u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)s[i]) * 0x01000193u;
  return hash ^ hash >> 15;
}

static void add_words(catalogue_file *f, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t end = i;
    while (end < length && (isalnum((unsigned char)text[end]) != 0 || text[end] == '_')) end++;
    if (end - i >= SHORTEST_WORD) {
      uint32_t word = catalogue_word(text + i, end - i) & (f->bits - 1);
      f->words[word / 8] |= (unsigned char)(1u << word % 8);
    }
    /* "\nint" holds the word "int" after an escape sequence */
    if (i > 0 && text[i - 1] == '\\' && end - i > SHORTEST_WORD) {
      uint32_t word = catalogue_word(text + i + 1, end - i - 1) & (f->bits - 1);
      f->words[word / 8] |= (unsigned char)(1u << word % 8);
    }
    i = end + 1;
  }
}

static void read_words(catalogue_file *f) {
  size_t length = 0;
  scoped char *text = catalogue_read(f->path, &length);
  if (text == NULL) return;
  for (f->bits = 256; f->bits < length / 4 && f->bits < MOST_BITS; f->bits *= 2) {
  }
  f->words = mem_calloc(f->bits / 8, 1);
  add_words(f, text, length);
}

static bool catalogue_has(const catalogue_file *f, uint32_t word) {
  uint32_t bit = word & (f->bits - 1);
  return f->words != NULL && (f->words[bit / 8] >> bit % 8 & 1) != 0;
}

/* The files of `roots`: those that git knows or does not ignore where one is in a repository, else what is in the
 * folder, but for folders that hold what was built or belongs to others. Links are not followed; what is no regular
 * file of at most some megabytes is left out. Reads them until `until` (base/clock.h). */
static void catalogue_fill(catalogue *c, const char *const *roots, size_t count, double until) {
  for (size_t i = 0; i < count; i++)
    if (!list_repository(c, roots[i])) list_folder(c, roots[i], until);
  sort_files(c);
  for (size_t i = 0; i < c->count && !c->incomplete; i++) {
    read_words(&c->files[i]);
    c->incomplete = clock_now() > until;
  }
}

static void catalogue_free(catalogue *c) {
  for (size_t i = 0; i < c->count; i++) {
    free(c->files[i].path);
    free(c->files[i].words);
  }
  free(c->files);
  *c = (catalogue){0};
}

typedef struct candidates {
  candidate *items; /* the one that has most of the source first; of those that are alike a source before a string, a
                       near file before a far one, then by path */
  size_t count, capacity;
  bool incomplete; /* the search took too long */
} candidates;

/* Ranking files by the words that they share with a source, then matching the best. */

enum { MOST_WORDS = 4000, MOST_READ = 200, MOST_KEPT = 48 };

#define MOST_STEPS UINT64_C(200000000)

/* Is so much of a source enough to say that it is written there? */
static bool candidate_is_enough(const home_target *t, size_t tokens) {
  return tokens >= HOME_ENOUGH || (tokens > 0 && tokens * 4 >= t->tokens.count * 3);
}

/* --- words ------------------------------------------------------------------------------------------------------- */

static int compare_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The different words of a source, by hash. */
static uint32_t *words_of(const home_target *t, size_t *count) {
  uint32_t *words = mem_calloc(t->tokens.count + 1, sizeof *words);
  size_t all = 0;
  for (size_t i = 0; i < t->tokens.count; i++) {
    const home_token *token = &t->tokens.items[i];
    if (token->kind == HOME_WORD && token->end - token->begin >= SHORTEST_WORD)
      words[all++] = catalogue_word(t->text.text + token->begin, token->end - token->begin);
  }
  if (all > 1) qsort(words, all, sizeof *words, compare_words);
  *count = 0;
  for (size_t i = 0; i < all && *count < MOST_WORDS; i++)
    if (*count == 0 || words[*count - 1] != words[i]) words[(*count)++] = words[i];
  return words;
}

/* A file and how much its words say: a word counts for more the fewer files have it. */
typedef struct ranked {
  const catalogue_file *file;
  double score;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a;
  const ranked *y = b;
  if (x->score != y->score) return x->score < y->score ? 1 : -1;
  return strcmp(x->file->path, y->file->path);
}

static ranked *rank(const home_target *t, const catalogue *c) {
  size_t count = 0;
  scoped uint32_t *words = words_of(t, &count);
  ranked *list = mem_calloc(c->count + 1, sizeof *list);
  for (size_t i = 0; i < c->count; i++) list[i].file = &c->files[i];
  for (size_t w = 0; w < count; w++) {
    size_t having = 0;
    for (size_t i = 0; i < c->count; i++) having += catalogue_has(&c->files[i], words[w]) ? 1 : 0;
    for (size_t i = 0; i < c->count && having > 0; i++)
      list[i].score += catalogue_has(&c->files[i], words[w]) ? 1.0 / (double)having : 0;
  }
  if (c->count > 1) qsort(list, c->count, sizeof *list, compare_ranked);
  return list;
}

/* --- files ------------------------------------------------------------------------------------------------------- */

/* Folders to go up and down from the current directory to a file. */
static size_t distance_to(const char *path) {
  char here[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL) return 0;
  size_t same = 0;
  for (size_t i = 0; here[i] == path[i] && here[i] != '\0'; i++) {
    same = path[i] == '/' ? i : same;
    if (here[i + 1] == '\0' && path[i + 1] == '/') same = i + 1;
  }
  size_t steps = 0;
  for (const char *c = here + same; *c != '\0'; c++) steps += *c == '/' ? 1 : 0;
  for (const char *c = path + same; *c != '\0'; c++) steps += *c == '/' ? 1 : 0;
  return steps;
}

static void release(candidate *c) {
  stream_free(&c->stream);
  free(c->text);
  free(c->claims);
}

static void look_into(candidates *out, const home_target *t, const catalogue_file *file, uint64_t *steps) {
  size_t length = 0;
  scoped char *text = catalogue_read(file->path, &length);
  for (int kind = 0; text != NULL && kind < STREAM_KINDS && out->count < MOST_KEPT; kind++) {
    candidate c = {.file = file, .kind = (stream_kind)kind, .length = length};
    if (!stream_make(c.kind, text, length, file->language, &c.stream)) continue;
    c.claims = mem_calloc(t->tokens.count + 1, sizeof *c.claims);
    c.total = home_match(t, &c.stream, c.claims, steps);
    if (candidate_is_enough(t, c.total)) {
      c.text = mem_strndup(text, length);
      c.away = distance_to(file->path);
      *ARRAY_ADD(out->items, out->count, out->capacity) = c;
    } else {
      release(&c);
    }
  }
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a;
  const candidate *y = b;
  if (x->total != y->total) return x->total < y->total ? 1 : -1;
  if (x->kind != y->kind) return x->kind > y->kind ? 1 : -1;
  if (x->away != y->away) return x->away > y->away ? 1 : -1;
  return strcmp(x->file->path, y->file->path);
}

static candidates candidates_of(const home_target *t, const catalogue *c, double until) {
  candidates out = {0};
  uint64_t steps = MOST_STEPS;
  scoped ranked *list = rank(t, c);
  for (size_t i = 0; i < c->count && i < MOST_READ && list[i].score > 0 && out.count < MOST_KEPT; i++) {
    if (clock_now() > until || steps == 0) {
      out.incomplete = true;
      break;
    }
    look_into(&out, t, list[i].file, &steps);
  }
  if (out.count > 1) qsort(out.items, out.count, sizeof *out.items, compare_candidates);
  return out;
}

static void candidates_free(candidates *c) {
  for (size_t i = 0; i < c->count; i++) release(&c->items[i]);
  free(c->items);
  *c = (candidates){0};
}

#define SECONDS_TO_READ 15.0   /* all files, once */
#define SECONDS_TO_SEARCH 10.0 /* for one source */
#define LARGEST_SOURCE ((size_t)16 << 20)

/* A source that was looked for. */
typedef struct known_source {
  char sha256[65];
  home_found *found;
} known_source;

static struct {
  char **roots;
  size_t root_count, root_capacity;
  bool filled, incomplete;
  char *alike; /* a sentence on the first source that several files have alike; NULL: none was seen */
  catalogue catalogue;
  known_source *known;
  size_t known_count, known_capacity;
} state;

/* --- who has what ------------------------------------------------------------------------------------------------- */

/* A token of the source: the candidate that has it, and which of its tokens it is. */
typedef struct owner {
  uint32_t candidate, token;
} owner;

typedef struct laid {
  const home_target *t;
  const candidates *c;
  owner *owners; /* one a token */
  bool *taken;   /* one a candidate: some token is its own */
} laid;

/* Tokens from i on that one run of a candidate claims. */
static size_t claim_end(const laid *l, const candidate *c, size_t i) {
  size_t end = i + 1;
  while (end < l->t->tokens.count && c->claims[end].token != HOME_NONE && c->claims[end].run == c->claims[i].run) end++;
  return end;
}

static bool nobody_has(const laid *l, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (l->owners[i].candidate != HOME_NONE) return false;
  return true;
}

/* What a candidate claims and nobody has yet: how many tokens; with `take` they are its own. */
static size_t take_rest(laid *l, uint32_t which, bool take) {
  const candidate *c = &l->c->items[which];
  size_t total = 0;
  for (size_t i = 0; i < l->t->tokens.count;) {
    size_t end = i + 1;
    if (c->claims[i].token != HOME_NONE) {
      end = claim_end(l, c, i);
      bool mine = nobody_has(l, i, end);
      total += mine ? end - i : 0;
      for (size_t k = i; k < end && mine && take; k++) l->owners[k] = (owner){which, c->claims[k].token};
    }
    i = end;
  }
  l->taken[which] = l->taken[which] || (take && total > 0);
  return total;
}

static bool file_is_taken(const laid *l, uint32_t which) {
  for (uint32_t i = 0; i < which; i++)
    if (l->taken[i] && l->c->items[i].file == l->c->items[which].file) return true;
  return false;
}

static laid lay(const home_target *t, const candidates *c) {
  laid l = {.t = t, .c = c};
  l.owners = mem_calloc(t->tokens.count + 1, sizeof *l.owners);
  l.taken = mem_calloc(c->count + 1, sizeof *l.taken);
  for (size_t i = 0; i < t->tokens.count; i++) l.owners[i] = (owner){HOME_NONE, HOME_NONE};
  for (uint32_t i = 0; i < c->count; i++)
    if (file_is_taken(&l, i) || candidate_is_enough(t, take_rest(&l, i, false))) (void)take_rest(&l, i, true);
  return l;
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

static const home_token *token_of(const laid *l, const owner *o) {
  return &l->c->items[o->candidate].stream.tokens.items[o->token];
}

/* Is there the end of a line between two offsets of a file? */
static bool lines_between(const laid *l, const owner *a, const owner *b) {
  const candidate *c = &l->c->items[a->candidate];
  uint32_t from = c->stream.text.at[token_of(l, a)->begin];
  uint32_t to = c->stream.text.at[token_of(l, b)->begin];
  uint32_t low = from < to ? from : to;
  uint32_t high = from < to ? to : from;
  return memchr(c->text + low, '\n', high - low) != NULL;
}

/* Was the end of a line between token i and the one before it, which ends at `end` of the source, left out? */
static bool lost_line(const laid *l, size_t i, size_t end) {
  const home_token *t = l->t->tokens.items;
  const owner *a = &l->owners[i - 1];
  const owner *b = &l->owners[i];
  return a->candidate != HOME_NONE && a->candidate == b->candidate && !t[i].directive && !t[i - 1].directive &&
         memchr(l->t->text.text + end, '\n', t[i].begin - end) == NULL && lines_between(l, a, b);
}

static bool says_line(const home_target *t) {
  for (size_t i = 0; i < t->tokens.count; i++) {
    const home_token *token = &t->tokens.items[i];
    if (token->end - token->begin == 8 && memcmp(t->text.text + token->begin, "__LINE__", 8) == 0) return true;
  }
  return false;
}

/* The source with the lines that it lost when it became a string; tokens move along. */
static char *restore_lines(laid *l, home_target *t, size_t *length) {
  buffer text = {0};
  const char *s = t->text.text;
  size_t copied = 0;
  bool keep = says_line(t);
  for (size_t i = 0; i < t->tokens.count; i++) {
    home_token *token = &t->tokens.items[i];
    if (i > 0 && !keep && lost_line(l, i, copied)) {
      bool blank = token->begin > copied && s[token->begin - 1] == ' ';
      buffer_append(&text, s + copied, token->begin - copied - (blank ? 1 : 0));
      buffer_putc(&text, '\n');
      copied = token->begin;
    }
    uint32_t size = token->end - token->begin;
    buffer_append(&text, s + copied, token->begin - copied);
    copied = token->end;
    buffer_append(&text, s + token->begin, size);
    token->end = (uint32_t)text.length;
    token->begin = token->end - size;
  }
  buffer_append(&text, s + copied, t->text.count - copied);
  *length = text.length;
  return text.length == 0 ? mem_strdup("") : buffer_take(&text);
}

/* --- spans ------------------------------------------------------------------------------------------------------- */

static void add_span(model_home *h, model_span s) {
  model_span *last = h->span_count == 0 ? NULL : &h->spans[h->span_count - 1];
  if (last != NULL && last->length == last->home_length && s.length == s.home_length &&
      last->offset + last->length == s.offset && last->home_offset + last->home_length == s.home_offset) {
    last->length += s.length;
    last->home_length += s.home_length;
  } else {
    *ARRAY_ADD(h->spans, h->span_count, h->span_capacity) = s;
  }
}

/* `count` characters from `offset` on, which are those of the decoded text from `from` on. */
static void add_characters(model_home *h, const decoded *d, uint32_t offset, uint32_t from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) add_span(h, (model_span){offset + i, 1, d->at[from + i], d->width[from + i]});
}

/* Blanks and comments between two tokens that follow each other in the home, too. */
static void add_gap(model_home *h, const laid *l, const char *text, size_t i) {
  const owner *a = &l->owners[i];
  const owner *b = &l->owners[i + 1];
  if (b->candidate != a->candidate || b->token != a->token + 1) return;
  const decoded *d = &l->c->items[a->candidate].stream.text;
  const home_token *t = &l->t->tokens.items[i];
  const home_token *x = token_of(l, a);
  uint32_t count = t[1].begin - t[0].end;
  if (x[1].begin - x[0].end == count && memcmp(text + t[0].end, d->text + x[0].end, count) == 0)
    add_characters(h, d, t[0].end, x[0].end, count);
}

static void add_token(model_home *h, const laid *l, const char *text, size_t i) {
  const owner *o = &l->owners[i];
  const decoded *d = &l->c->items[o->candidate].stream.text;
  const home_token *t = &l->t->tokens.items[i];
  const home_token *x = token_of(l, o);
  if (x->kind == HOME_HOLE) {
    uint32_t begin = d->at[x->begin];
    add_span(h, (model_span){t->begin, t->end - t->begin, begin, d->at[x->end - 1] + d->width[x->end - 1] - begin});
    return;
  }
  add_characters(h, d, t->begin, x->begin, t->end - t->begin);
  if (i + 1 < l->t->tokens.count) add_gap(h, l, text, i);
}

/* --- homes ------------------------------------------------------------------------------------------------------- */

static model_home *add_home(home_found *f, size_t *capacity, const candidate *c) {
  char *root = NULL;
  char *name = project_name(c->file->path, &root);
  for (size_t i = 0; i < f->count; i++) {
    if (strcmp(f->homes[i].name, name) == 0) {
      free(name);
      free(root);
      return &f->homes[i];
    }
  }
  model_home *h = ARRAY_ADD(f->homes, f->count, *capacity);
  *h = (model_home){.name = name, .root = root, .text = mem_strndup(c->text, c->length), .length = c->length};
  (void)SHA256Data((const uint8_t *)c->text, c->length, h->sha256);
  return h;
}

static void add_homes(home_found *f, const laid *l) {
  size_t capacity = 0;
  for (uint32_t i = 0; i < l->c->count; i++)
    if (l->taken[i]) (void)add_home(f, &capacity, &l->c->items[i]);
  for (size_t i = 0; i < l->t->tokens.count; i++)
    if (l->owners[i].candidate != HOME_NONE)
      add_token(add_home(f, &capacity, &l->c->items[l->owners[i].candidate]), l, f->text, i);
}

/* --- searching ---------------------------------------------------------------------------------------------------- */

static void fill_catalogue(void) {
  if (!state.filled) {
    state.filled = true;
    catalogue_fill(&state.catalogue, (const char *const *)state.roots, state.root_count, clock_now() + SECONDS_TO_READ);
    state.incomplete = state.catalogue.incomplete;
  }
}

/* Nothing tells which of two files a program was made from that are as far away. */
static void note_alike(const laid *l) {
  const candidate *items = l->c->items;
  if (l->c->count < 2 || state.alike != NULL || !l->taken[0] || l->taken[1] || items[0].total != items[1].total ||
      items[0].kind != items[1].kind || items[0].away != items[1].away || items[0].file == items[1].file)
    return;
  char *roots[2] = {0};
  char *names[2];
  for (int i = 0; i < 2; i++) names[i] = project_name(items[i].file->path, &roots[i]);
  buffer text =
      buffer_with("a kernel is written in %s and alike in %s; reports name the first; --source-root DIR chooses",
                  names[0], names[1]);
  state.alike = buffer_take(&text);
  for (int i = 0; i < 2; i++) {
    free(names[i]);
    free(roots[i]);
  }
}

static home_found *search(const char *text, size_t length) {
  home_found *f = mem_calloc(1, sizeof *f);
  fill_catalogue();
  home_target t = home_target_of(text, length);
  candidates c = candidates_of(&t, &state.catalogue, clock_now() + SECONDS_TO_SEARCH);
  state.incomplete = state.incomplete || c.incomplete;
  laid l = lay(&t, &c);
  f->text = restore_lines(&l, &t, &f->length);
  add_homes(f, &l);
  note_alike(&l);
  free(l.owners);
  free(l.taken);
  candidates_free(&c);
  home_target_free(&t);
  return f;
}

void home_search_in(const char *const *roots, size_t count) {
  home_forget();
  for (size_t i = 0; i < count; i++) {
    char *full = realpath(roots[i], NULL);
    if (full != NULL) *ARRAY_ADD(state.roots, state.root_count, state.root_capacity) = full;
  }
}

static void free_found(home_found *f) {
  model_homes_free(f->homes, f->count);
  free(f->text);
  free(f);
}

void home_forget(void) {
  for (size_t i = 0; i < state.root_count; i++) free(state.roots[i]);
  for (size_t i = 0; i < state.known_count; i++) free_found(state.known[i].found);
  free(state.roots);
  free(state.known);
  free(state.alike);
  catalogue_free(&state.catalogue);
  memset(&state, 0, sizeof state);
}

const home_found *home_of(const char *text, size_t length) {
  static const home_found nothing = {0};
  char sha256[SHA256_DIGEST_STRING_LENGTH];
  if (state.root_count == 0 || length == 0 || length > LARGEST_SOURCE) return &nothing;
  (void)SHA256Data((const uint8_t *)text, length, sha256);
  for (size_t i = 0; i < state.known_count; i++)
    if (strcmp(state.known[i].sha256, sha256) == 0) return state.known[i].found;
  home_found *found = search(text, length);
  known_source *k = ARRAY_ADD(state.known, state.known_count, state.known_capacity);
  memcpy(k->sha256, sha256, sizeof k->sha256);
  k->found = found;
  return found;
}

char *home_title(const home_found *f) {
  if (f->count == 0 || f->homes[0].span_count == 0) return NULL;
  model_file file = {.text = f->text, .length = f->length, .homes = f->homes, .home_count = 1};
  home_index x = home_index_of(&file);
  home_place at = {0};
  buffer title = {0};
  bool known = home_find(&x, f->homes[0].spans[0].offset, &at);
  buffer_printf(&title, "%s:%u", f->homes[0].name, known ? (unsigned)at.line : 0);
  home_index_free(&x);
  return buffer_take(&title);
}

const char *home_note(void) {
  return state.incomplete
             ? "not all files were looked at for the strings that kernels come from, as there are so many; "
               "--source-root DIR names the folder to look in"
             : state.alike;
}
