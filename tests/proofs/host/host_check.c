/* Writes C that checks launches against the facts of a host program: host_check FILE [OPTION…] > check.c. A launch is
 * right when all facts of one of the ways to it hold. */
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "proofs/host/host.h"

static const char *type_of(const host_argument *a) {
  switch (a->size) {
    case 1: return a->is_signed ? "int8_t" : "uint8_t";
    case 2: return a->is_signed ? "int16_t" : "uint16_t";
    case 4: return a->is_signed ? "int32_t" : "uint32_t";
    default: return a->is_signed ? "int64_t" : "uint64_t";
  }
}

static void write_fact(const host_launch *l, const host_fact *f) {
  char names[64][64];
  const char *pointers[64];
  buffer text = {0};
  for (size_t i = 0; i < l->argument_count && i < 64; i++) {
    const host_argument *a = &l->arguments[i];
    if (a->kind == HOST_ARGUMENT_VALUE)
      (void)snprintf(names[i], sizeof names[i], "(*(const %s *)l->arguments[%zu].bytes)", type_of(a), i);
    else
      (void)snprintf(names[i], sizeof names[i], "%zu", i);
    pointers[i] = names[i];
  }
  expression_write(f->expression, pointers, &text);
  printf("    size = %u;\n    ok = ok && (%s);\n", f->element_size, buffer_text(&text));
  buffer_free(&text);
}

static void write_memory(const host_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) {
    for (size_t k = 0; k < i; k++) {
      const host_argument *a = &l->arguments[i];
      const host_argument *b = &l->arguments[k];
      if (a->memory >= 0 && b->memory >= 0) {
        printf("    ok = ok && (memcmp(l->arguments[%zu].bytes, l->arguments[%zu].bytes, 8) == 0) == %d;\n", i, k,
               a->memory == b->memory);
      }
    }
  }
}

int main(int argc, char **argv) {
  error e = {0};
  host_facts facts;
  if (argc < 2) return 1;
  const host_source source = {argv[1], (const char *const *)&argv[2], (size_t)argc - 2};
  if (host_read(&(host_input){.sources = &source, .source_count = 1}, &facts, &e) != 0) {
    fprintf(stderr, "%s\n", e.text);
    host_free(&facts);
    return e.code;
  }
  printf("#include <string.h>\n#include \"stub.h\"\n");
  printf("typedef uint8_t uchar; typedef uint16_t ushort; typedef uint32_t uint; typedef uint64_t ulong;\n");
  printf("#define get_global_size(d) (l->global[d])\n#define get_local_size(d) (l->local[d])\n");
  printf("#define get_num_groups(d) (l->global[d] / l->local[d])\n#define get_global_offset(d) (l->offset[d])\n");
  printf("#define elements(i) (stub_bytes(&l->arguments[i]) / size)\n");
  printf("bool check_launch(const stub_launch *l) {\n  bool any = false;\n  size_t size = 1;\n");
  for (size_t i = 0; i < facts.launch_count; i++) {
    const host_launch *launch = &facts.launches[i];
    if (launch->kernel == NULL)
      printf("  {\n    bool ok = true;\n");
    else
      printf("  if (strcmp(l->kernel, \"%s\") == 0) {\n    bool ok = true;\n", launch->kernel);
    for (size_t k = 0; k < launch->fact_count; k++) write_fact(launch, &launch->facts[k]);
    write_memory(launch);
    printf("    any = any || ok;\n  }\n");
  }
  printf("  (void)size;\n  return any;\n}\n");
  host_free(&facts);
  return 0;
}
