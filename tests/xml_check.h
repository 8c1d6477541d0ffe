/* A strict reader of the XML that reports write: well-formed XML 1.0 without DTD internals, comments or CDATA. */
#ifndef CLTC_TESTS_XML_CHECK_H
#define CLTC_TESTS_XML_CHECK_H

#include <stdbool.h>
#include <stddef.h>

enum { XML_ATTRIBUTES = 16, XML_DEPTH = 16, XML_NAME = 64 };

typedef struct xml_element {
  char name[XML_NAME];
  char parent[XML_NAME]; /* "" for the root */
  struct {
    char name[XML_NAME];
    char *value; /* entities resolved */
  } attributes[XML_ATTRIBUTES];
  size_t attribute_count;
} xml_element;

/* NULL when the element has none of that name. */
const char *xml_get(const xml_element *e, const char *attribute);

/* Fails the test where the text is not well-formed; gives each element to `take` at its start tag. */
void xml_check(const char *text, void (*take)(const xml_element *e, void *context), void *context);

/* What a document type allows, one row an element; parents and attributes separated by spaces, attributes that may be
 * left out end in ?. */
typedef struct xml_rule {
  const char *element, *parents, *attributes;
} xml_rule;
/* Fails where an element does not follow its row. Ended by a row without an element. */
void xml_follows(const char *text, const xml_rule *rules);

#endif
