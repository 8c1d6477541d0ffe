/* Types of elements by their names. */
#include <stdlib.h>
#include <string.h>

#include "capture/number.h"
#include "cases/internal.h"

static bool find_number(const char *type, element_type *out) {
  const size_t letters = strcspn(type, "0123456789");
  const uint32_t number = number_find(type, letters);
  const unsigned long lanes = type[letters] == '\0' ? 1 : strtoul(type + letters, NULL, 10);
  const bool known = lanes == 1 || lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
  if (number == NUMBER_KINDS || !known || (lanes == 1 && type[letters] != '\0') ||
      strspn(type + letters, "0123456789") != strlen(type + letters)) {
    return false;
  }
  *out = (element_type){number, lanes == 3 ? 4 : (uint32_t)lanes, (uint32_t)lanes, 0};
  out->size = number_size(number) * out->lanes;
  return true;
}

bool case_element_find(const char *type, const case_kernels *kernels, element_type *out) {
  if (find_number(type, out)) {
    return true;
  }
  for (size_t k = 0; kernels != NULL && k < kernels->count; k++) {
    for (size_t p = 0; p < kernels->items[k].count; p++) {
      const case_parameter *found = &kernels->items[k].parameters[p];
      const char *tag = strncmp(found->type, "struct ", 7) == 0 ? found->type + 7 : found->type;
      if (found->size > 0 && (strcmp(found->type, type) == 0 || strcmp(tag, type) == 0)) {
        *out = (element_type){NUMBER_UCHAR, 1, 1, found->size};
        return true;
      }
    }
  }
  return false;
}

void case_element_others(const case_kernels *kernels, buffer *out) {
  element_type ignored;
  buffer list = {0};
  for (size_t k = 0; k < kernels->count; k++) {
    for (size_t p = 0; p < kernels->items[k].count; p++) {
      const case_parameter *is = &kernels->items[k].parameters[p];
      if (is->kind == CASE_MEMORY && is->size > 0 && !find_number(is->type, &ignored) &&
          strstr(buffer_text(&list), is->type) == NULL) {
        buffer_printf(&list, "%s%s", list.length == 0 ? "" : ", ", is->type);
      }
    }
  }
  if (list.length > 0) {
    buffer_printf(out, ", here: %s", buffer_text(&list));
  }
  buffer_free(&list);
}

size_t case_element_numbers(const element_type *t) { return t->used * (t->size / (t->lanes * number_size(t->number))); }
