/* The hint at --device, with the command line as it was given. */
#include "cli/denied.h"

#include <stdio.h>

#include "base/buffer.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "cli/assignments.h"

static const char *type_name(uint32_t type) {
  return (type & 4u) != 0 ? "a GPU" : (type & 2u) != 0 ? "a CPU" : (type & 8u) != 0 ? "an accelerator" : "a";
}

static void add_word(buffer *line, const char *word) {
  buffer_putc(line, ' ');
  shell_word(line, word);
}

static void add_options(const command_line *given, buffer *line) {
  for (size_t i = 0; given->assigned != NULL && i < given->assigned->count; i++) {
    const assignment *a = &given->assigned->items[i];
    if (a->level == FROM_COMMAND_LINE && !a->off) {
      buffer_printf(line, " --%s", a->option->name);
      if (a->value != NULL && a->option->argument != NULL) {
        add_word(line, a->value);
      }
    }
  }
}

void say_denied(const command_line *given, const target *t, uint32_t type) {
  if (t->device != NULL) {
    return;
  }
  buffer line = {0};
  buffer_printf(&line, "cltestcheck %s --device 0", given->typed);
  add_options(given, &line);
  for (size_t i = 0; i < given->positional.count; i++) {
    add_word(&line, given->positional.items[i]);
  }
  buffer_puts(&line, given->command == NULL ? "" : " --");
  for (char **word = given->command; word != NULL && *word != NULL; word++) {
    add_word(&line, *word);
  }
  say(stderr,
      "cltestcheck: the program asked for %s device and there is none; this presents another one (`cltestcheck "
      "devices` lists them):\n    %s\n",
      type_name(type), buffer_text(&line));
  buffer_free(&line);
}
