/* Escaping for XML. */
#include "reports/ci/xml.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
  char character;
  const char *entity;
} entities[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"}, {'"', "&quot;"},
                {'\n', "&#10;"}, {'\r', "&#13;"}, {'\t', "&#9;"}};

static const char *entity_of(char c) {
  for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
    if (entities[i].character == c) {
      return entities[i].entity;
    }
  }
  return NULL;
}

/* XML 1.0 has no other C0 controls, no U+FFFE and no U+FFFF. */
static bool is_character(const char *s, size_t n) {
  return !(n == 0 || (n == 1 && (unsigned char)s[0] < 0x20) ||
           (n == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0)));
}

void xml_text(FILE *out, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    const char *entity = entity_of(text[i]);
    if (entity != NULL) {
      (void)fputs(entity, out);
    } else if (is_character(text + i, n)) {
      (void)fwrite(text + i, 1, n, out);
    } else {
      (void)fputs(UTF8_REPLACEMENT, out);
    }
    i += n == 0 ? 1 : n;
  }
}

void xml_attribute(FILE *out, const char *name, const char *text) {
  (void)fprintf(out, " %s=\"", name);
  xml_text(out, text);
  (void)fputc('"', out);
}
