#include "runner/engine/elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

static const parameter *parameter_of(const signature *of, const char *name) {
  for (size_t i = 0; i < of->count; i++) {
    const parameter *p = &of->parameters[i];
    if (strcmp(p->name, name) == 0 && (p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_LOCAL)) {
      return p;
    }
  }
  return NULL;
}

/* The message with other words for the element, where it names it. */
static void tell(answer_finding *f, const char *before, const char *now) {
  const char *at = strstr(f->message, before);
  if (at == NULL) {
    return;
  }
  buffer text = {0};
  buffer_append(&text, f->message, (size_t)(at - f->message));
  buffer_puts(&text, now);
  buffer_puts(&text, at + strlen(before));
  free(f->message);
  f->message = buffer_take(&text);
}

static void tell_element(answer_finding *f, const parameter *p) {
  char before[300], now[340];
  const uint64_t byte = f->element * f->element_size, within = byte % p->size;
  (void)snprintf(before, sizeof before, "%.200s[%llu]", f->array, (unsigned long long)f->element);
  const int length = snprintf(now, sizeof now, "%.200s[%llu]", f->array, (unsigned long long)(byte / p->size));
  if (f->element_size < p->size) {
    (void)snprintf(now + length, sizeof now - (size_t)length, " (byte %llu of it)", (unsigned long long)within);
  }
  tell(f, before, now);
  f->element = byte / p->size;
  f->element_size = p->size;
}

void elements_tell(verify_answer *a, const signature *of) {
  for (size_t i = 0; of != NULL && i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    const parameter *p = f->has_element && strcmp(f->space, "image") != 0 ? parameter_of(of, f->array) : NULL;
    if (p != NULL && p->size > 0 && f->element_size > 0 && f->element_size != p->size) {
      tell_element(f, p);
    }
  }
}
