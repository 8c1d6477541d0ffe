/* Races between commands of a program, in words. */
#include <inttypes.h>
#include <string.h>

#include "reports/words/finding_text.h"

static bool is_launch(const db_command *c) { return c->kernel[0] != '\0'; }

/* "launch 2 of kernel add", "call 1 of clEnqueueReadBuffer" */
static void put_command(const db_command *c, const char *place, buffer *to) {
  buffer_printf(to, is_launch(c) ? "launch %" PRIu32 " of kernel %s" : "call %" PRIu32 " of %s", c->number,
                is_launch(c) ? c->kernel : c->function);
  buffer_printf(to, place[0] == '\0' ? "%s" : " (%s)", place);
}

/* "writes (as out)", "has mapped for writing" */
static void put_access(const db_command *c, bool possible, buffer *to) {
  static const struct {
    const char *access, *mapped, *sure, *maybe;
  } deeds[] = {{"read", "has mapped for reading", "reads", "may read"},
               {"write", "has mapped for writing", "writes", "may write"},
               {"atomic", "has mapped for writing", "changes", "may change"}};
  size_t i = 0;
  while (i + 1 < sizeof deeds / sizeof deeds[0] && strcmp(deeds[i].access, c->access) != 0) {
    i++;
  }
  const bool sure = !possible || !is_launch(c) || c->sure;
  buffer_puts(to, c->mapped ? deeds[i].mapped : sure ? deeds[i].sure : deeds[i].maybe);
  if (c->parameter[0] != '\0') {
    buffer_printf(to, " (as %s)", c->parameter);
  }
}

/* Where the two meet: "memory object 3 (a buffer of 256 bytes), bytes 0 to 63" */
static void put_where(const told_finding *f, buffer *to) {
  const db_detail *d = f->detail;
  buffer_printf(to, "memory object %" PRIu32 " (%s of %" PRIu64 " bytes)", f->commands[0].memory,
                strcmp(text_or_empty(d->space), "image") == 0 ? "an image" : "a buffer", d->size.value);
  if (d->element.known && d->element_size.known) {
    buffer_printf(to, ", bytes %" PRIu64 " to %" PRIu64, d->element.value,
                  d->element.value + d->element_size.value - 1);
  }
}

static void put_reason(const db_command *a, const db_command *b, buffer *to) {
  static const char unordered[] = "and no event, barrier or wait of the host puts them in order";
  if (a->queue != b->queue) {
    buffer_printf(to, "they are in queues %" PRIu32 " and %" PRIu32 ", %s", a->queue, b->queue, unordered);
  } else if (!a->in_order) {
    buffer_printf(to, "queue %" PRIu32 " is out of order, %s", a->queue, unordered);
  } else {
    buffer_puts(to, "the mapping has not ended by then");
  }
}

void put_commands(const told_finding *f, char *const *files, buffer *to) {
  (void)files;
  if (f->command_count != 2) {
    return;
  }
  const db_command *first = &f->commands[0], *second = &f->commands[1];
  const bool mapped = strcmp(f->rule, "mapped") == 0;
  put_command(first, finding_witness(f, "first place"), to);
  buffer_puts(to, " and ");
  put_command(second, finding_witness(f, "second place"), to);
  buffer_puts(to, mapped ? ": the first " : " may run at the same time: the first ");
  put_access(first, f->possible, to);
  buffer_puts(to, " what the second ");
  put_access(second, f->possible, to);
  buffer_puts(to, ", ");
  put_where(f, to);
  buffer_puts(to, "; ");
  if (mapped) {
    buffer_puts(to, "the mapping has not ended by then");
  } else {
    put_reason(first, second, to);
  }
  buffer_puts(to, f->possible ? "; whether they meet in the same bytes is not known" : "");
}

/* "launch 2 of kernel add (clEnqueueNDRangeKernel, in queue 1, which is in order)" */
static void give_command(const db_command *c, const char *what, finding_part *take, void *context) {
  buffer text = {0};
  put_command(c, "", &text);
  buffer_printf(&text, " (%s, in queue %" PRIu32 ", which is %s", c->function, c->queue,
                c->in_order ? "in order" : "out of order");
  if (c->thread > 0) {
    buffer_printf(&text, ", by thread %" PRIu32, c->thread);
  }
  buffer_puts(&text, ")");
  take(context, PART_SHOWN, what, buffer_text(&text));
  buffer_free(&text);
}

void give_commands(const told_finding *f, finding_part *take, void *context) {
  if (f->command_count != 2) {
    return;
  }
  buffer text = {0};
  give_command(&f->commands[0], "first command", take, context);
  give_command(&f->commands[1], "second command", take, context);
  put_where(f, &text);
  take(context, PART_SHOWN, "memory", buffer_text(&text));
  buffer_free(&text);
  buffer_printf(&text, "%" PRIu64, f->detail->count.value);
  take(context, PART_SHOWN, "pairs of commands", buffer_text(&text));
  buffer_free(&text);
}
