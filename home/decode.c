/* String literals as the compiler of their language reads them: a table of languages, a decoder, tokens. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "home/home.h"

/* Stand in decoded text for what is not known: */
#define DECODED_HOLE '\001'  /* a value that a program puts into a format: %d, {name} */
#define DECODED_BREAK '\002' /* the end of a piece; what follows may stand anywhere else in a program */

enum { LONGEST_GAP = 160, LONGEST_DELIMITER = 16 };

typedef struct reader {
  const char *s;
  size_t length;
  const language *l;
  decode_format format;
  decoded out;
  size_t behind; /* the end of the last literal; 0 for none */
} reader;

/* How a literal is written. */
typedef struct literal {
  char quote;
  unsigned quotes;                 /* 1 or 3 */
  unsigned numbers;                /* # after the closing quote */
  bool escapes;                    /* a backslash means something */
  bool lines;                      /* it may go over several lines */
  bool braces;                     /* {value} is a hole, whatever the format */
  char end[LONGEST_DELIMITER + 3]; /* of R"x( ": `)x"`; "" for others */
} literal;

static char at(const reader *r, size_t i) { return i < r->length ? r->s[i] : '\0'; }

static bool is_word(char c) { return isalnum((unsigned char)c) != 0 || c == '_' || (unsigned char)c >= 0x80; }

static void put(reader *r, char c, size_t where, size_t width) {
  decoded *d = &r->out;
  if (d->count == d->capacity) {
    d->capacity = d->capacity == 0 ? 1024 : 2 * d->capacity;
    d->text = mem_realloc(d->text, d->capacity);
    d->at = mem_realloc(d->at, d->capacity * sizeof *d->at);
    d->width = mem_realloc(d->width, d->capacity * sizeof *d->width);
  }
  d->text[d->count] = c;
  d->at[d->count] = (uint32_t)where;
  d->width[d->count++] = (uint32_t)width;
}

static void put_character(reader *r, char c, size_t where, size_t width) {
  put(r, c == DECODED_HOLE || c == DECODED_BREAK || c == DECODED_VALUE ? '?' : c, where, width);
}

/* --- holes ------------------------------------------------------------------------------------------------------ */

/* Length of a conversion such as %d, %5.2lf, %(name)s or %1$s; 0: there is none. */
static size_t conversion(const reader *r, size_t i) {
  size_t k = i + 1;
  if (at(r, k) == '(') {
    while (k < r->length && at(r, k) != ')' && at(r, k) != '\n') k++;
    k += at(r, k) == ')' ? 1 : 0;
  }
  k += strspn(r->s + k, "0123456789$");
  k += strspn(r->s + k, "-+ #0");
  k += strspn(r->s + k, "0123456789*.");
  k += strspn(r->s + k, "hlLqjzt");
  return at(r, k) != '\0' && strchr("diouxXeEfFgGaAcsr", at(r, k)) != NULL ? k + 1 - i : 0;
}

/* Length of {a value}, with its braces; 0 where they enclose none: code has statements between them. */
static size_t enclosed(const reader *r, size_t i) {
  int depth = 0;
  for (size_t k = i; k < r->length && k - i < LONGEST_GAP && strchr("\n\\;", r->s[k]) == NULL; k++) {
    depth += r->s[k] == '{' ? 1 : r->s[k] == '}' ? -1 : 0;
    if (depth == 0) return k + 1 - i;
  }
  return 0;
}

static size_t word_length(const reader *r, size_t i) {
  size_t k = i;
  while (k < r->length && is_word(r->s[k])) k++;
  return k - i;
}

/* ${name}, $name, @name@: not OpenCL C, so always a hole. */
static size_t marked_hole(const reader *r, size_t i) {
  if (r->s[i] == '$' && at(r, i + 1) == '{') {
    size_t n = enclosed(r, i + 1);
    return n == 0 ? 0 : n + 1;
  }
  size_t n = word_length(r, i + 1);
  if (r->s[i] == '$') return n == 0 ? 0 : n + 1;
  return n > 0 && at(r, i + 1 + n) == '@' ? n + 2 : 0;
}

/* A hole, or a character that a format writes twice. Returns the bytes taken, 0: it is neither. */
static size_t take_format(reader *r, size_t i, const literal *lit) {
  char c = r->s[i];
  bool braces = lit->braces || r->format == DECODE_BRACES;
  bool percents = !braces && r->format == DECODE_PERCENTS;
  size_t n = 0;
  if (c == '$' || c == '@') {
    n = marked_hole(r, i);
  } else if (c == '%') {
    bool twice = at(r, i + 1) == '%';
    n = twice ? 0 : conversion(r, i);
    r->out.percents = r->out.percents || twice || n > 0;
    if (percents && twice) {
      put(r, '%', i, 2);
      return 2;
    }
    n = percents ? n : 0;
  } else if (c == '{' || c == '}') {
    r->out.braces = true;
    if (braces && at(r, i + 1) == c) {
      put(r, c, i, 2);
      return 2;
    }
    n = braces && c == '{' ? enclosed(r, i) : 0;
  }
  if (n > 0) put(r, DECODED_HOLE, i, n);
  return n;
}

/* --- characters of a literal -------------------------------------------------------------------------------------- */

static unsigned digits_value(const char *s, size_t n, unsigned base) {
  unsigned value = 0;
  for (size_t i = 0; i < n; i++) {
    unsigned digit =
        (unsigned)(isdigit((unsigned char)s[i]) != 0 ? s[i] - '0' : tolower((unsigned char)s[i]) - 'a' + 10);
    value = value * base + digit;
  }
  return value;
}

/* \ooo, \xhh, \uhhhh: bytes taken after the backslash, 0: something else. */
static size_t take_number(reader *r, size_t i) {
  static const char hexadecimal[] = "0123456789abcdefABCDEF";
  char c = at(r, i + 1);
  size_t octal = strspn(r->s + i + 1, "01234567");
  if (octal > 0) {
    octal = octal > 3 ? 3 : octal;
    put_character(r, (char)digits_value(r->s + i + 1, octal, 8), i, 1 + octal);
    return octal;
  }
  size_t most = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  size_t n = most == 0 ? 0 : strspn(r->s + i + 2, hexadecimal);
  n = n > most ? most : n;
  if (n == 0) return 0;
  unsigned value = digits_value(r->s + i + 2, n, 16);
  put_character(r, value < 0x80 ? (char)value : '?', i, 2 + n);
  return 1 + n;
}

/* An escape sequence at i; returns the bytes taken. */
static size_t take_escape(reader *r, size_t i) {
  static const char names[] = "ntrabfv0";
  static const char values[] = "\n\t\r\a\b\f\v";
  char c = at(r, i + 1);
  if (c == '\r' && at(r, i + 2) == '\n') return 3;
  if (c == '\n' || c == '\0') return c == '\n' ? 2 : 1;
  size_t number = take_number(r, i);
  if (number > 0) return 1 + number;
  const char *name = strchr(names, c);
  put_character(r, name == NULL || c == '0' ? c : values[name - names], i, 2);
  return 2;
}

/* Bytes of the end of the literal at i, 0: it goes on. */
static size_t closing(const reader *r, const literal *lit, size_t i) {
  if (lit->end[0] != '\0') {
    size_t n = strlen(lit->end);
    return r->length - i >= n && memcmp(r->s + i, lit->end, n) == 0 ? n : 0;
  }
  for (unsigned k = 0; k < lit->quotes; k++)
    if (at(r, i + k) != lit->quote) return 0;
  for (unsigned k = 0; k < lit->numbers; k++)
    if (at(r, i + lit->quotes + k) != '#') return 0;
  return lit->quotes + lit->numbers;
}

/* From after the opening quotes; returns where the literal ends. */
static size_t take_literal(reader *r, const literal *lit, size_t i) {
  while (i < r->length) {
    size_t end = closing(r, lit, i);
    if (end > 0 || (r->s[i] == '\n' && !lit->lines)) return i + end;
    if (lit->escapes && r->s[i] == '\\') {
      i += take_escape(r, i);
      continue;
    }
    size_t taken = take_format(r, i, lit);
    if (taken == 0) {
      put_character(r, r->s[i], i, 1);
      taken = 1;
    }
    i += taken;
  }
  return r->length;
}

/* --- literals in code -------------------------------------------------------------------------------------------- */

/* An expression: nothing that ends one, and brackets in pairs. */
static bool is_value(const char *s, size_t length) {
  int depth = 0;
  for (size_t i = 0; i < length && depth >= 0; i++) {
    depth += strchr("([", s[i]) != NULL ? 1 : strchr(")]", s[i]) != NULL ? -1 : 0;
    if (strchr(";={}#,", s[i]) != NULL) return false;
  }
  return depth == 0 && length <= LONGEST_GAP;
}

/* What stands between two literals: nothing that matters, a value, or a boundary. */
static void put_gap(reader *r, size_t begin) {
  if (r->behind == 0) return;
  size_t length = begin - r->behind;
  const char *gap = r->s + r->behind;
  bool nothing = true;
  for (size_t i = 0; i < length; i++)
    nothing = nothing && (isspace((unsigned char)gap[i]) != 0 || gap[i] == '\\' || gap[i] == '+');
  if (!nothing) put(r, is_value(gap, length) ? DECODED_VALUE : DECODED_BREAK, r->behind, length);
}

/* The letters right before a quote: R, r, f, u8, … */
static size_t prefix_length(const reader *r, size_t quote) {
  size_t n = 0;
  while (n < quote && r->l->numbered && r->s[quote - n - 1] == '#') n++;
  size_t word = n;
  while (n < quote && (is_word(r->s[quote - n - 1]) || strchr("$@", r->s[quote - n - 1]) != NULL)) n++;
  return n - word <= 3 ? n : 0;
}

static bool prefix_has(const reader *r, size_t quote, size_t n, char lower) {
  for (size_t i = 0; i < n; i++)
    if (tolower((unsigned char)r->s[quote - n + i]) == lower) return true;
  return false;
}

/* R"x(: the end that belongs to it. Returns the bytes after the quote that belong to the opening, 0: it is none. */
static size_t delimiter(const reader *r, size_t quote, literal *lit) {
  size_t n = 0;
  while (n < LONGEST_DELIMITER && at(r, quote + 1 + n) != '(' && at(r, quote + 1 + n) > ' ') n++;
  if (at(r, quote + 1 + n) != '(') return 0;
  lit->end[0] = ')';
  memcpy(lit->end + 1, r->s + quote + 1, n);
  (void)strcpy(lit->end + 1 + n, "\"");
  lit->lines = true;
  lit->escapes = false;
  return n + 1;
}

/* A literal that begins at a quote; returns where it ends. */
static size_t take_quoted(reader *r, size_t i) {
  literal lit = {.quote = r->s[i], .quotes = 1, .escapes = true};
  size_t n = prefix_length(r, i);
  size_t begin = i + 1;
  if (r->s[i] == '`') {
    lit.lines = true;
    lit.escapes = r->l->apostrophes; /* JavaScript's, not Go's */
  } else if (r->l->delimited && r->s[i] == '"' && n > 0 && r->s[i - 1] == 'R') {
    begin += delimiter(r, i, &lit);
  } else if (r->l->triple && at(r, i + 1) == r->s[i] && at(r, i + 2) == r->s[i]) {
    lit.quotes = 3;
    lit.lines = true;
    begin += 2;
  }
  if (r->l->numbered) {
    lit.lines = true;
    lit.escapes = !prefix_has(r, i, n, 'r');
    while (!lit.escapes && lit.numbers < n && r->s[i - 1 - lit.numbers] == '#') lit.numbers++;
  } else if (r->l->hashes || r->l->triple) {
    lit.escapes = lit.escapes && !prefix_has(r, i, n, 'r') && !prefix_has(r, i, n, '@');
    lit.braces = prefix_has(r, i, n, 'f') || prefix_has(r, i, n, '$');
  }
  put_gap(r, i - n);
  r->behind = take_literal(r, &lit, begin);
  return r->behind;
}

static size_t line_end(const reader *r, size_t i) {
  while (i < r->length && r->s[i] != '\n') i += r->s[i] == '\\' && r->l->slashes ? 2 : 1;
  return i < r->length ? i : r->length;
}

/* Where a comment at i ends; i: there is none. */
static size_t skip_comment(const reader *r, size_t i) {
  if (r->l->slashes && r->s[i] == '/' && at(r, i + 1) == '/') return line_end(r, i);
  if (r->l->slashes && r->s[i] == '/' && at(r, i + 1) == '*') {
    for (i += 2; i < r->length && !(r->s[i] == '*' && at(r, i + 1) == '/'); i++) {
    }
    return i + 2 < r->length ? i + 2 : r->length;
  }
  return r->l->hashes && r->s[i] == '#' ? line_end(r, i) : i;
}

/* 'x' of a language in which that is a number. */
static size_t skip_character(const reader *r, size_t i) {
  size_t k = i + 1;
  k += at(r, k) == '\\' ? 2 : 1;
  for (size_t n = 0; n < 8 && k < r->length && r->s[k] != '\'' && r->s[k] != '\n'; n++) k++;
  return at(r, k) == '\'' ? k + 1 : i + 1;
}

/* A comment between two literals is none of what stands between them. */
static void leave_out(reader *r, size_t from, size_t to) {
  bool only_blanks = r->behind > 0;
  for (size_t k = r->behind; k < from && only_blanks; k++) only_blanks = isspace((unsigned char)r->s[k]) != 0;
  r->behind = only_blanks ? to : r->behind;
}

decoded decode_literals(const char *text, size_t length, const language *l, decode_format format) {
  reader r = {.s = text, .length = length, .l = l, .format = format};
  for (size_t i = 0; i < length;) {
    size_t behind = skip_comment(&r, i);
    if (behind > i) {
      leave_out(&r, i, behind);
      i = behind;
    } else if (text[i] == '"' || (text[i] == '\'' && l->apostrophes) || (text[i] == '`' && l->backticks)) {
      i = take_quoted(&r, i);
    } else if (text[i] == '\'') {
      i = skip_character(&r, i);
    } else {
      i++;
    }
  }
  return r.out;
}

decoded decode_nothing(const char *text, size_t length) {
  reader r = {.s = text, .length = length};
  for (size_t i = 0; i < length; i++) put_character(&r, text[i], i, 1);
  return r.out;
}

decoded decode_arguments(const char *text, size_t length) {
  reader r = {.s = text, .length = length};
  char quote = '\0';
  for (size_t i = 0; i < length; i++) {
    bool pair = text[i] == '\\' && i + 1 < length;
    if (pair && text[i + 1] == 'n' && quote == '\0') {
      put(&r, '\n', i++, 2);
      continue;
    }
    put_character(&r, text[i], i, 1);
    if (pair && quote != '\0') {
      put_character(&r, text[i + 1], i + 1, 1);
      i++;
    } else if (text[i] == quote || text[i] == '\n') {
      quote = '\0';
    } else if (quote == '\0' && text[i] == '"') {
      quote = '"';
    }
  }
  return r.out;
}

void decoded_free(decoded *d) {
  free(d->text);
  free(d->at);
  free(d->width);
  *d = (decoded){0};
}

/* The table of languages. */

static const language languages[] = {
    {.extensions = " cl clh clc ocl opencl ", .kernels = true, .slashes = true, .delimited = true, .macros = true},
    {.extensions = " h hpp hh hxx inc inl ipp tpp def ",
     .kernels = true,
     .slashes = true,
     .delimited = true,
     .macros = true},
    {.extensions = " c cc cpp cxx c++ m mm cu ", .slashes = true, .delimited = true, .macros = true},
    {.extensions = " py pyx pxd pyi mako ", .hashes = true, .apostrophes = true, .triple = true},
    {.extensions = " rs ", .slashes = true, .numbered = true},
    {.extensions = " go ", .slashes = true, .backticks = true},
    {.extensions = " js mjs cjs jsx ts tsx ", .slashes = true, .apostrophes = true, .backticks = true},
    {.extensions = " java kt scala groovy swift dart cs ", .slashes = true, .triple = true},
    {.extensions = " jl ", .hashes = true, .triple = true},
    {.extensions = " rb pl pm sh lua r ", .hashes = true, .apostrophes = true},
    {.extensions = NULL, .kernels = true, .slashes = true},
};

/* What programs do not keep kernels in; reports quote them. */
static const char binary[] =
    " o a so obj lib dll exe pyc class jar png jpg jpeg gif bmp ico svg webp tif tiff pdf ps zip gz bz2 xz zst tar 7z "
    "ttf otf woff woff2 mp3 mp4 avi mov wav ogg db sqlite npy npz h5 pt bin dat spv bc po mo lock map min.js css html "
    "htm md rst tex csv tsv log patch diff json sarif xml info stryker ";

const language *language_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash == NULL ? path : slash, '.');
  char extension[16] = " ";
  size_t length = dot == NULL ? 0 : strlen(dot + 1);
  if (length > 0 && length + 3 <= sizeof extension) {
    for (size_t i = 0; i < length; i++) extension[i + 1] = (char)tolower((unsigned char)dot[i + 1]);
    (void)strcpy(extension + length + 1, " ");
    if (strstr(binary, extension) != NULL) return NULL;
  }
  const language *l = languages;
  while (l->extensions != NULL && (length == 0 || extension[1] == '\0' || strstr(l->extensions, extension) == NULL))
    l++;
  return l;
}

/* Splitting text into tokens. */

typedef struct splitter {
  const char *s;
  size_t count;
  home_tokens out;
  bool directive, line_begins;
} splitter;

static char next(const splitter *t, size_t i) { return i < t->count ? t->s[i] : '\0'; }

static uint32_t hash_of(const char *s, size_t length) {
  const uint64_t hash = hash_more(HASH_EMPTY, s, length);
  return (uint32_t)(hash ^ (hash >> 32));
}

/* After a comment over several lines, whose text begins at i. One that a break cuts off ends there. */
static size_t skip_block(const splitter *t, size_t i) {
  size_t cut = 0;
  for (; i < t->count; i++) {
    if (t->s[i] == '*' && next(t, i + 1) == '/') return i + 2;
    if (cut > 0 && t->s[i] == '/' && next(t, i + 1) == '*') return cut;
    cut = cut == 0 && t->s[i] == DECODED_BREAK ? i : cut;
  }
  return cut == 0 ? i : cut;
}

/* After a comment at i; i: there is none. */
static size_t token_comment(const splitter *t, size_t i) {
  if (t->s[i] != '/' || (next(t, i + 1) != '/' && next(t, i + 1) != '*')) return i;
  if (t->s[i + 1] == '*') return skip_block(t, i + 2);
  while (i < t->count && t->s[i] != '\n' && t->s[i] != DECODED_BREAK) i++;
  return i;
}

/* After a string or character constant. */
static size_t skip_string(const splitter *t, size_t i, bool *hole) {
  char quote = t->s[i];
  size_t k = i + 1;
  while (k < t->count && t->s[k] != quote && t->s[k] != '\n' && t->s[k] != DECODED_BREAK) {
    *hole = *hole || t->s[k] == DECODED_HOLE || t->s[k] == DECODED_VALUE;
    k += t->s[k] == '\\' && k + 1 < t->count && t->s[k + 1] != '\n' ? 2 : 1;
  }
  return next(t, k) == quote ? k + 1 : i + 1;
}

/* A hole takes in the words that it touches. */
static void add(splitter *t, home_token token) {
  home_token *last = t->out.count == 0 ? NULL : &t->out.items[t->out.count - 1];
  bool touches = last != NULL && last->end == token.begin;
  bool into_last = touches && last->kind == HOME_HOLE && (token.kind == HOME_WORD || token.kind == HOME_HOLE);
  if (into_last || (touches && last->kind == HOME_WORD && token.kind == HOME_HOLE)) {
    last->kind = HOME_HOLE;
    last->end = token.end;
    return;
  }
  *ARRAY_ADD(t->out.items, t->out.count, t->out.capacity) = token;
}

static size_t take_token(splitter *t, size_t i) {
  home_token token = {.begin = (uint32_t)i, .kind = HOME_OTHER};
  size_t end = i + 1;
  bool hole = t->s[i] == DECODED_HOLE || t->s[i] == DECODED_VALUE;
  if (is_word(t->s[i])) {
    token.kind = HOME_WORD;
    while (end < t->count && is_word(t->s[end])) end++;
  } else if (t->s[i] == '"' || t->s[i] == '\'') {
    end = skip_string(t, i, &hole);
  }
  token.kind = hole ? HOME_HOLE : t->s[i] == DECODED_BREAK ? HOME_BREAK : token.kind;
  t->directive = t->directive || (t->line_begins && t->s[i] == '#');
  t->line_begins = false;
  token.directive = t->directive;
  token.end = (uint32_t)end;
  token.hash = hash_of(t->s + i, end - i);
  add(t, token);
  return end;
}

home_tokens home_tokens_of(const decoded *d) {
  splitter t = {.s = d->text, .count = d->count, .line_begins = true};
  for (size_t i = 0; i < t.count;) {
    size_t behind = token_comment(&t, i);
    bool continued =
        t.s[i] == '\\' && (next(&t, i + 1) == '\n' || (next(&t, i + 1) == '\r' && next(&t, i + 2) == '\n'));
    if (behind > i) {
      i = behind;
    } else if (continued) {
      i += next(&t, i + 1) == '\n' ? 2 : 3;
    } else if (t.s[i] == '\n') {
      t.directive = false;
      t.line_begins = true;
      i++;
    } else if (isspace((unsigned char)t.s[i]) != 0 || t.s[i] == '\0') {
      i++;
    } else {
      i = take_token(&t, i);
    }
  }
  return t.out;
}

void home_tokens_free(home_tokens *t) {
  free(t->items);
  *t = (home_tokens){0};
}

bool home_token_same(const decoded *a, const home_token *x, const decoded *b, const home_token *y) {
  return x->hash == y->hash && x->end - x->begin == y->end - y->begin &&
         memcmp(a->text + x->begin, b->text + y->begin, x->end - x->begin) == 0;
}
