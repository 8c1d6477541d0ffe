/* What a symbolizer says, and build ids. */
#include "runner/call_places.h"

#include <elf.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/subprocess.h"

/* --- places -------------------------------------------------------------------------------------------------------- */

/* "0x1f2e", or "FILE:LINE:COLUMN" or "FILE:LINE (discriminator 2)" of a frame, of inlined ones first. */
static bool read_frame(char *line, call_place *out) {
  uint32_t numbers[2] = {0};
  size_t found = 0;
  line[strcspn(line, "(\n")] = '\0';
  for (size_t length = strlen(line); length > 0 && line[length - 1] == ' '; length--) line[length - 1] = '\0';
  for (char *colon = strrchr(line, ':'); found < 2 && colon != NULL; colon = strrchr(line, ':')) {
    char *end = NULL;
    const unsigned long number = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0') break;
    numbers[found++] = (uint32_t)number;
    *colon = '\0';
  }
  *out = (call_place){.path = line, .line = numbers[found == 2 ? 1 : 0], .column = found == 2 ? numbers[0] : 0};
  return found > 0 && out->line > 0 && line[0] != '?';
}

/* Wrappers of OpenCL in headers of the system, inlined, are not where the program calls. */
static bool is_system(const char *path) { return strncmp(path, "/usr/", strlen("/usr/")) == 0; }

static void read_places(char *text, call_place *out, size_t count) {
  size_t at = 0;
  for (char *line = text, *next = NULL; line != NULL && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    next = next == NULL ? NULL : next + 1;
    call_place frame;
    if (strncmp(line, "0x", 2) == 0) {
      at++;
    } else if (at > 0 && at <= count && read_frame(line, &frame)) {
      call_place *to = &out[at - 1];
      if (to->path == NULL || (is_system(to->path) && !is_system(frame.path))) {
        free(to->path);
        *to = frame;
        to->path = mem_strdup(frame.path);
      }
    }
  }
}

void find_call_places(const char *module, const uint64_t *offsets, size_t count, call_place *out) {
  static const char *const tools[] = {"llvm-symbolizer-19", "llvm-symbolizer", "addr2line"};
  scoped const char **argv = mem_calloc(count + 8, sizeof *argv);
  char(*texts)[24] = mem_calloc(count + 1, sizeof *texts);
  memset(out, 0, count * sizeof *out);
  bool answered = false;
  for (size_t t = 0; t < sizeof tools / sizeof tools[0] && !answered; t++) {
    size_t n = 0;
    argv[n++] = tools[t];
    if (strcmp(tools[t], "addr2line") != 0) argv[n++] = "--functions=none";
    argv[n++] = "-a";
    argv[n++] = "-i";
    argv[n++] = "-e";
    argv[n++] = module;
    for (size_t i = 0; i < count; i++) {
      (void)snprintf(texts[i], sizeof texts[i], "0x%llx", (unsigned long long)offsets[i]);
      argv[n++] = texts[i];
    }
    argv[n] = NULL;
    scoped_buffer answer = {0};
    answered = subprocess_ask(argv, &answer) == 0;
    if (answered) {
      scoped char *text = buffer_take(&answer);
      read_places(text, out, count);
    }
  }
  free(texts);
}

/* --- identity ------------------------------------------------------------------------------------------------------ */

static size_t padded(size_t size) { return (size + 3) / 4 * 4; }

/* The build id among notes. */
static bool find_build_id(const unsigned char *notes, size_t size, char out[65]) {
  Elf64_Nhdr note;
  for (size_t at = 0; at + sizeof note <= size;) {
    memcpy(&note, notes + at, sizeof note);
    const size_t name = at + sizeof note, value = name + padded(note.n_namesz);
    if (note.n_namesz > size || note.n_descsz > size || value + note.n_descsz > size) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        memcmp(notes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 && note.n_descsz > 0 && note.n_descsz <= 32) {
      for (size_t i = 0; i < note.n_descsz; i++) (void)snprintf(out + 2 * i, 3, "%02x", notes[value + i]);
      return true;
    }
    at = value + padded(note.n_descsz);
  }
  return false;
}

static bool read_at(FILE *f, uint64_t offset, void *to, size_t size) {
  return fseek(f, (long)offset, SEEK_SET) == 0 && fread(to, 1, size, f) == size;
}

static bool read_build_id(FILE *f, char out[65]) {
  enum { NOTES_MOST = 65536 };
  Elf64_Ehdr head;
  bool found = false;
  if (!read_at(f, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  for (size_t i = 0; i < head.e_phnum && !found; i++) {
    Elf64_Phdr part;
    if (!read_at(f, head.e_phoff + i * sizeof part, &part, sizeof part)) return false;
    if (part.p_type == PT_NOTE && part.p_filesz <= NOTES_MOST) {
      unsigned char *notes = mem_calloc(part.p_filesz + 1, 1);
      found = read_at(f, part.p_offset, notes, part.p_filesz) && find_build_id(notes, part.p_filesz, out);
      free(notes);
    }
  }
  return found;
}

void module_identity(const char *module, char out[65]) {
  FILE *f = fopen(module, "rbe");
  const bool found = f != NULL && read_build_id(f, out);
  if (f != NULL) (void)fclose(f);
  if (!found && SHA256File(module, out) == NULL) out[0] = '\0';
}

void put_call_place(const char *module, uint64_t offset, buffer *to) {
  call_place at = {0};
  if (module[0] != '\0') find_call_places(module, &offset, 1, &at);
  if (at.path != NULL) buffer_printf(to, "%s:%u", path_end(at.path), (unsigned)at.line);
  free(at.path);
}
