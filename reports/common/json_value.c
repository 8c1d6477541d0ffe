/* Making JSON values. */
#include "reports/common/json_value.h"

#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "reports/common/writers.h"

json_t *value_text(const char *text, size_t length) {
  buffer clean = {0};
  utf8_clean(&clean, text, length);
  json_t *s = json_stringn(buffer_text(&clean), clean.length);
  buffer_free(&clean);
  return s;
}

json_t *value_string(const char *text) { return value_text(text, strlen(text)); }

json_t *value_file(const view *v, uint32_t file) {
  return file == MODEL_NONE ? json_null() : value_string(v->files[file].name);
}

void value_set(json_t *object, const char *key, json_t *value) { (void)json_object_set_new(object, key, value); }

void value_add(json_t *array, json_t *value) { (void)json_array_append_new(array, value); }

json_t *value_ratio(const ratio *r) {
  json_t *object = json_object();
  value_set(object, "covered", json_integer((json_int_t)r->covered));
  value_set(object, "total", json_integer((json_int_t)r->total));
  return object;
}
