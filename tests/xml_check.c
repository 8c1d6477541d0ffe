/* Reading XML, for tests. */
#include "tests/xml_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "base/utf8.h"

typedef struct reader {
  const char *at;
  char open[XML_DEPTH][XML_NAME];
  size_t depth;
  size_t roots;
} reader;

static void broken(const reader *r, const char *what) { fail_msg("not XML: %s at: %.80s", what, r->at); }

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static void skip_space(reader *r) { r->at += strspn(r->at, " \t\r\n"); }

static void read_name(reader *r, char name[XML_NAME]) {
  size_t n = 0;
  while (is_name(r->at[n])) {
    n++;
  }
  if (n == 0 || n >= XML_NAME || (r->at[0] >= '0' && r->at[0] <= '9')) {
    broken(r, "no name");
  }
  memcpy(name, r->at, n);
  name[n] = '\0';
  r->at += n;
}

static void read_entity(reader *r, buffer *to) {
  static const struct {
    const char *entity;
    char character;
  } known[] = {{"&amp;", '&'}, {"&lt;", '<'},   {"&gt;", '>'},  {"&quot;", '"'},
               {"&#9;", '\t'}, {"&#10;", '\n'}, {"&#13;", '\r'}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strncmp(r->at, known[i].entity, strlen(known[i].entity)) == 0) {
      buffer_putc(to, known[i].character);
      r->at += strlen(known[i].entity);
      return;
    }
  }
  broken(r, "unknown entity");
}

/* Characters up to `stop`, none that XML 1.0 does not allow. */
static char *read_characters(reader *r, char stop) {
  buffer text = {0};
  while (*r->at != stop && *r->at != '\0') {
    if (*r->at == '&') {
      read_entity(r, &text);
      continue;
    }
    size_t n = utf8_character(r->at, strlen(r->at));
    bool control = n == 1 && (unsigned char)*r->at < 0x20 && strchr("\t\n\r", *r->at) == NULL;
    bool none = n == 3 && (memcmp(r->at, "\xef\xbf\xbe", 3) == 0 || memcmp(r->at, "\xef\xbf\xbf", 3) == 0);
    if (n == 0 || control || none || *r->at == '<' || strncmp(r->at, "]]>", 3) == 0) {
      broken(r, "a character that may not be here");
    }
    buffer_append(&text, r->at, n);
    r->at += n;
  }
  return buffer_take(&text);
}

static void read_attributes(reader *r, xml_element *e) {
  for (;;) {
    size_t space = strspn(r->at, " \t\r\n");
    r->at += space;
    if (*r->at == '>' || *r->at == '/') {
      return;
    }
    if (space == 0 || e->attribute_count == XML_ATTRIBUTES) {
      broken(r, "attributes run together, or too many");
    }
    char name[XML_NAME];
    read_name(r, name);
    if (strncmp(r->at, "=\"", 2) != 0 || xml_get(e, name) != NULL) {
      broken(r, "an attribute without a value, or twice");
    }
    r->at += 2;
    char *value = read_characters(r, '"');
    if (*r->at != '"') {
      broken(r, "an open attribute");
    }
    r->at++;
    memcpy(e->attributes[e->attribute_count].name, name, sizeof name);
    e->attributes[e->attribute_count++].value = value;
  }
}

static void read_start(reader *r, void (*take)(const xml_element *, void *), void *context) {
  xml_element e = {0};
  r->at++;
  read_name(r, e.name);
  read_attributes(r, &e);
  if (r->depth > 0) {
    memcpy(e.parent, r->open[r->depth - 1], XML_NAME);
  } else {
    r->roots++;
  }
  bool empty = *r->at == '/';
  r->at += empty ? 1 : 0;
  if (*r->at != '>' || r->roots != 1 || r->depth == XML_DEPTH) {
    broken(r, "a tag that does not end, a second root, or too deep");
  }
  r->at++;
  if (!empty) {
    memcpy(r->open[r->depth++], e.name, XML_NAME);
  }
  take(&e, context);
  for (size_t i = 0; i < e.attribute_count; i++) {
    free(e.attributes[i].value);
  }
}

static void read_end(reader *r) {
  char name[XML_NAME];
  r->at += 2;
  read_name(r, name);
  if (*r->at != '>' || r->depth == 0 || strcmp(r->open[r->depth - 1], name) != 0) {
    broken(r, "an end tag that fits no start tag");
  }
  r->at++;
  r->depth--;
}

/* `<?xml …?>` and `<!DOCTYPE …>`, each once at most. */
static void read_prolog(reader *r) {
  if (strncmp(r->at, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", 38) != 0) {
    broken(r, "no declaration");
  }
  r->at += 38;
  skip_space(r);
  if (strncmp(r->at, "<!DOCTYPE ", 10) == 0) {
    r->at += strcspn(r->at, ">");
    r->at += *r->at == '>' ? 1 : 0;
  }
}

void xml_check(const char *text, void (*take)(const xml_element *e, void *context), void *context) {
  reader r = {.at = text};
  read_prolog(&r);
  while (*r.at != '\0') {
    if (strncmp(r.at, "</", 2) == 0) {
      read_end(&r);
    } else if (*r.at == '<') {
      read_start(&r, take, context);
    } else if (r.depth == 0) {
      size_t space = strspn(r.at, " \t\r\n");
      r.at += space;
      if (space == 0) {
        broken(&r, "text outside the root");
      }
    } else {
      free(read_characters(&r, '<'));
    }
  }
  if (r.depth != 0 || r.roots != 1) {
    broken(&r, "the end is missing");
  }
}

const char *xml_get(const xml_element *e, const char *attribute) {
  for (size_t i = 0; i < e->attribute_count; i++) {
    if (strcmp(e->attributes[i].name, attribute) == 0) {
      return e->attributes[i].value;
    }
  }
  return NULL;
}

/* --- following rules ----------------------------------------------------------------------------------------- */

/* Is `word` one of the words of `list`? A ? at the end of a word of the list does not count. */
static bool has_word(const char *list, const char *word) {
  for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
    size_t n = strcspn(at, " ");
    size_t bare = at[n - 1] == '?' ? n - 1 : n;
    if (strlen(word) == bare && strncmp(at, word, bare) == 0) {
      return true;
    }
    at += n;
  }
  return false;
}

static void follow(const xml_element *e, void *context) {
  const xml_rule *rule = context;
  while (rule->element != NULL && strcmp(rule->element, e->name) != 0) {
    rule++;
  }
  if (rule->element == NULL ||
      (rule->parents[0] == '\0' ? e->parent[0] != '\0' : !has_word(rule->parents, e->parent))) {
    fail_msg("%s may not stand in \"%s\"", e->name, e->parent);
  }
  for (size_t i = 0; i < e->attribute_count; i++) {
    if (!has_word(rule->attributes, e->attributes[i].name)) {
      fail_msg("%s has no attribute %s", e->name, e->attributes[i].name);
    }
  }
  for (const char *at = rule->attributes; *at != '\0'; at += strspn(at, " ")) {
    size_t n = strcspn(at, " ");
    char name[XML_NAME] = {0};
    memcpy(name, at, n);
    if (name[n - 1] != '?' && xml_get(e, name) == NULL) {
      fail_msg("%s lacks its attribute %s", e->name, name);
    }
    at += n;
  }
}

void xml_follows(const char *text, const xml_rule *rules) { xml_check(text, follow, (void *)rules); }
