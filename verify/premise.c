#include "verify/premise.h"

void premise_add(json_t *to, const char *kind, const char *text) {
  json_array_append_new(to, json_pack("{s:s,s:s}", "kind", kind, "text", text));
}

void premise_add_contents(json_t *to, const char *buffer, const contents_known *c, const char *text) {
  const char *holds = c->distinct ? "distinct" : c->ascending ? "ascending" : c->identity ? "identity" : "values";
  json_t *made = json_pack("{s:s,s:s,s:s,s:s}", "kind", "contents", "text", text, "buffer", buffer, "holds", holds);
  if (c->within) {
    json_object_set_new(made, "low", json_integer(c->low));
    json_object_set_new(made, "high", json_integer(c->high));
  }
  json_array_append_new(to, made);
}
