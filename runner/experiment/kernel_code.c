#include "runner/experiment/kernel_code.h"

#include <elf.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_SYMBOLS = 4096 };

/* A shared object, not trusted. */
typedef struct object {
  const unsigned char *bytes;
  size_t size;
  Elf64_Ehdr header;
} object;

/* --- finding it --------------------------------------------------------------------------------------------------- */

static uint32_t little_endian(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool open_object(object *o, const unsigned char *bytes, size_t size) {
  *o = (object){.bytes = bytes, .size = size};
  if (size < sizeof o->header || memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64) {
    return false;
  }
  memcpy(&o->header, bytes, sizeof o->header);
  const Elf64_Ehdr *h = &o->header;
  return h->e_shentsize == sizeof(Elf64_Shdr) && h->e_shnum > 0 && h->e_shoff <= size &&
         (size_t)h->e_shnum * sizeof(Elf64_Shdr) <= size - h->e_shoff;
}

/* The one that the name "/KERNEL.so" is followed by. */
static bool find_object(object *o, const unsigned char *binary, size_t size, const char *kernel) {
  char *name = mem_calloc(strlen(kernel) + sizeof "/.so", 1);
  const size_t length = (size_t)sprintf(name, "/%s.so", kernel);
  bool found = false;
  for (const unsigned char *at = binary; !found && (at = memmem(at, size - (size_t)(at - binary), name, length));) {
    at += length;
    const size_t left = size - (size_t)(at - binary);
    const size_t held = left < 4 ? 0 : little_endian(at);
    found = left >= 4 && held <= left - 4 && open_object(o, at + 4, held);
  }
  free(name);
  return found;
}

/* --- its parts ---------------------------------------------------------------------------------------------------- */

static bool section(const object *o, size_t index, Elf64_Shdr *s) {
  if (index >= o->header.e_shnum) {
    return false;
  }
  memcpy(s, o->bytes + o->header.e_shoff + index * sizeof *s, sizeof *s);
  return s->sh_type == SHT_NOBITS || (s->sh_offset <= o->size && s->sh_size <= o->size - s->sh_offset);
}

/* A string of a string table; "" where there is none. */
static const char *string_at(const object *o, size_t table, size_t offset) {
  Elf64_Shdr s;
  if (!section(o, table, &s) || s.sh_type != SHT_STRTAB || offset >= s.sh_size) {
    return "";
  }
  const char *begin = (const char *)o->bytes + s.sh_offset + offset;
  return memchr(begin, '\0', s.sh_size - offset) == NULL ? "" : begin;
}

static void add(SHA2_CTX *sum, const void *bytes, size_t size) { SHA256Update(sum, bytes, size); }

static void add_number(SHA2_CTX *sum, uint64_t value) { add(sum, &value, sizeof value); }

/* Without the digits behind the mark. */
static void add_name(SHA2_CTX *sum, const char *name, const char *mark) {
  const char *found = strstr(name, mark);
  const size_t head = found == NULL ? strlen(name) : (size_t)(found - name) + strlen(mark);
  const char *tail = name + head;
  tail += strspn(tail, found == NULL ? "" : "0123456789");
  add(sum, name, head);
  add(sum, tail, strlen(tail) + 1);
}

typedef struct symbol {
  Elf64_Sym is;
  const char *name;
} symbol;

/* Of the functions; their order in the table depends on their names. */
static int by_value(const void *a, const void *b) {
  const symbol *left = a, *right = b;
  return left->is.st_value != right->is.st_value ? (left->is.st_value < right->is.st_value ? -1 : 1)
                                                 : strcmp(left->name, right->name);
}

static bool read_symbol(const object *o, const Elf64_Shdr *table, size_t index, symbol *s) {
  if (index >= table->sh_size / sizeof s->is) {
    return false;
  }
  memcpy(&s->is, o->bytes + table->sh_offset + index * sizeof s->is, sizeof s->is);
  s->name = string_at(o, table->sh_link, s->is.st_name);
  return true;
}

static bool add_symbols(SHA2_CTX *sum, const object *o, const Elf64_Shdr *table, const char *mark) {
  const size_t all = table->sh_size / sizeof(Elf64_Sym);
  if (all > MOST_SYMBOLS) {
    return false;
  }
  symbol *symbols = mem_calloc(all + 1, sizeof *symbols);
  size_t count = 0;
  for (size_t i = 0; i < all; i++) {
    count += read_symbol(o, table, i, &symbols[count]) && symbols[count].is.st_shndx != SHN_UNDEF ? 1 : 0;
  }
  qsort(symbols, count, sizeof *symbols, by_value);
  for (size_t i = 0; i < count; i++) {
    add_number(sum, symbols[i].is.st_value);
    add_number(sum, symbols[i].is.st_size);
    add_name(sum, symbols[i].name, mark);
  }
  free(symbols);
  return true;
}

static bool add_relocations(SHA2_CTX *sum, const object *o, const Elf64_Shdr *s, const char *mark) {
  Elf64_Shdr table;
  if (!section(o, s->sh_link, &table) || table.sh_type != SHT_DYNSYM) {
    return s->sh_size == 0;
  }
  for (size_t i = 0; i < s->sh_size / sizeof(Elf64_Rela); i++) {
    Elf64_Rela r;
    symbol to;
    memcpy(&r, o->bytes + s->sh_offset + i * sizeof r, sizeof r);
    if (!read_symbol(o, &table, ELF64_R_SYM(r.r_info), &to)) {
      return false;
    }
    add_number(sum, r.r_offset);
    add_number(sum, ELF64_R_TYPE(r.r_info));
    add_number(sum, (uint64_t)r.r_addend);
    add_name(sum, to.name, mark);
  }
  return true;
}

/* Hash tables, version and note sections and the dynamic section say nothing that the others do not. */
static bool add_section(SHA2_CTX *sum, const object *o, const Elf64_Shdr *s, const char *mark) {
  if ((s->sh_flags & SHF_ALLOC) == 0) {
    return true;
  }
  switch (s->sh_type) {
    case SHT_PROGBITS:
    case SHT_INIT_ARRAY:
    case SHT_FINI_ARRAY:
      add(sum, o->bytes + s->sh_offset, s->sh_size);
      __attribute__((fallthrough));
    case SHT_NOBITS:
      add_number(sum, s->sh_flags);
      add_number(sum, s->sh_addr);
      add_number(sum, s->sh_size);
      return true;
    case SHT_DYNSYM:
      return add_symbols(sum, o, s, mark);
    case SHT_RELA:
      return add_relocations(sum, o, s, mark);
    default:
      return s->sh_type != SHT_REL;
  }
}

bool kernel_code_digest(const unsigned char *binary, size_t size, const char *const *kernels, size_t count,
                        const char *mark, char digest[65]) {
  SHA2_CTX sum;
  SHA256Init(&sum);
  bool understood = count > 0;
  for (size_t k = 0; k < count && understood; k++) {
    object o;
    understood = find_object(&o, binary, size, kernels[k]);
    for (size_t i = 0; understood && i < o.header.e_shnum; i++) {
      Elf64_Shdr s;
      understood = section(&o, i, &s) && add_section(&sum, &o, &s, mark);
    }
  }
  (void)SHA256End(&sum, digest);
  return understood;
}
