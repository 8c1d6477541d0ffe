/* The rules: what each is called, what it means, what to do about it; the sentences of those that are not about an access
 * or a barrier, and of schedules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "reports/words/words.h"
#include "schedamp/schedule.h"

static void put_refused(const db_finding *f, char *const *files, buffer *to) {
  const char *sizes = finding_witness(f, "launch"), *call = text_or_empty(f->detail.call),
             *next = finding_witness(f, "next call");
  (void)files;
  if (call[0] != '\0' && strcmp(call, "clEnqueueNDRangeKernel") != 0 && strcmp(call, "clEnqueueTask") != 0) {
    const bool makes = strncmp(call, "clCreate", 8) == 0, sets = strncmp(call, "clSet", 5) == 0;
    buffer_printf(to, "the device refused %s: %s", call, text_or_empty(f->detail.cause));
    buffer_printf(to, sizes[0] == '\0' ? "%s" : " (%s)", sizes);
    buffer_printf(to, "; the program went on, and %s %s", next,
                  makes  ? "was given an object that does not exist"
                  : sets ? "took the argument that the kernel had before"
                         : "took memory that the call should have written");
    return;
  }
  buffer_printf(to, "the device refused to launch kernel %s: %s", finding_witness(f, "kernel"),
                text_or_empty(f->detail.cause));
  buffer_printf(to, sizes[0] == '\0' ? "%s" : " (%s)", sizes);
  buffer_printf(to, "; the program went on, and %s took memory that the kernel should have written", next);
}

static void put_leak(const db_finding *f, char *const *files, buffer *to) {
  const bool one = f->detail.count.value == 1;
  const char *place = finding_witness(f, "place"), *held = finding_witness(f, "with it");
  (void)files;
  buffer_puts(to, "the program has ended without releasing ");
  /* "a buffer of 1024 bytes", "3 kernels add". */
  const db_detail *d = &f->detail;
  const char *kind = finding_witness(f, "kind"), *name = finding_witness(f, "name");
  if (d->count.value == 1)
    buffer_printf(to, "%s %s", strchr("aeiou", kind[0]) != NULL ? "an" : "a", kind);
  else
    buffer_printf(to, "%" PRIu64 " %ss", d->count.value, kind);
  buffer_printf(to, name[0] == '\0' ? "%s" : " %s", name);
  if (d->size.known) buffer_printf(to, " of %" PRIu64 " byte%s", d->size.value, d->size.value == 1 ? "" : "s");
  buffer_printf(to, " that %s made", text_or_empty(f->detail.call));
  buffer_printf(to, place[0] == '\0' ? "%s" : " (%s)", place);
  if (held[0] != '\0') buffer_printf(to, "; with %s: %s", one ? "it" : "them", held);
}

static void put_unawaited(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const char *place = finding_witness(f, "place"), *next = finding_witness(f, "next call");
  const char *where = finding_witness(f, "next place");
  (void)files;
  if (next[0] != '\0') {
    buffer_printf(to, where[0] == '\0' ? "%s%s uses memory into which " : "%s (%s) uses memory into which ", next,
                  where);
  } else {
    buffer_puts(to, "the program has ended without waiting for ");
  }
  buffer_puts(to, text_or_empty(d->call));
  buffer_printf(to, place[0] == '\0' ? "%s" : " (%s)", place);
  if (next[0] != '\0')
    buffer_puts(to, " reads without blocking, or that it maps, and the program has not waited for that");
  else
    buffer_puts(to, ", which does not block");
  if (d->count.value > 1) buffer_printf(to, " (%" PRIu64 " times)", d->count.value);
}

/* Two commands, or memory that changed while a command took it. */
static void put_host_race(const db_finding *f, char *const *files, buffer *to) {
  const char *place = finding_witness(f, "place"), *where = finding_witness(f, "next place");
  if (f->command_count > 0 || text_or_empty(f->detail.call)[0] == '\0') {
    put_commands(f, files, to);
    return;
  }
  buffer_printf(to, place[0] == '\0' ? "%s%s" : "%s (%s)", text_or_empty(f->detail.call), place);
  if (!f->detail.size.known) {
    buffer_printf(to, where[0] == '\0' ? " and %s%s" : " and %s (%s)", finding_witness(f, "next call"), where);
    buffer_puts(to, " were under way at the same time in two threads: which arguments a launch takes is left open");
    return;
  }
  buffer_printf(to,
                " takes %" PRIu64
                " byte%s of the program's memory without blocking, and the host has changed or freed them before ",
                f->detail.size.value, f->detail.size.value == 1 ? "" : "s");
  buffer_printf(to, where[0] == '\0' ? "%s%s" : "%s (%s)", finding_witness(f, "next call"), where);
  buffer_puts(to, ", by which it first knows that the command is complete");
  if (f->detail.count.value > 1) buffer_printf(to, " (%" PRIu64 " times)", f->detail.count.value);
}

/* By a command, or by an access of a kernel. */
static void put_mapped(const db_finding *f, char *const *files, buffer *to) {
  (f->command_count > 0 ? put_commands : put_memory)(f, files, to);
}

static void put_overrun(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  (void)files;
  buffer_printf(to,
                "kernel %s wrote past the end of its argument %s, a buffer of %" PRIu64 " byte%s: bytes %" PRIu64
                " to %s have changed; `cltestcheck memory` says which access does that",
                finding_witness(f, "kernel"), finding_witness(f, "argument"), d->size.value,
                d->size.value == 1 ? "" : "s", d->element.value, finding_witness(f, "last byte"));
}

static void put_wrong(const db_finding *f, char *const *files, buffer *to) {
  const uint64_t first = f->detail.launch.value + 1, last = strtoull(finding_witness(f, "last launch"), NULL, 10);
  (void)files;
  if (!f->detail.launch.known)
    buffer_puts(to, "a launch");
  else if (first >= last)
    buffer_printf(to, "launch %" PRIu64, first);
  else
    buffer_printf(to, "one of launches %" PRIu64 " to %" PRIu64, first, last);
  buffer_printf(to, " did something wrong with memory; which access that was is not known: %s",
                finding_witness(f, "why"));
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

const finding_rule finding_rules[] = {
    {"barrier-divergence", "barrier divergence", put_divergence, "BarrierDivergence",
     "Work-items of a work-group do not reach a barrier alike",
     "Some work-items of a work-group executed a barrier another number of times than others, or decided differently "
     "at a branch or loop that guards it. OpenCL leaves the behaviour undefined: the kernel may hang, or go on with "
     "memory that is not synchronised.",
     "Move the barrier out of the branch or loop, or make the condition the same for all work-items of the work-group.",
     "concurrency"},
    {"async-divergence", "divergent async copy", put_async_divergence, "AsyncDivergence",
     "Work-items of a work-group do not reach an async copy alike",
     "Some work-items of a work-group called async_work_group_copy, async_work_group_strided_copy or wait_group_events "
     "another number of times than others, or with other arguments, or decided differently at a branch or loop around "
     "the call. OpenCL leaves the behaviour undefined: a part of the data may be missing, or the kernel may hang.",
     "Let all work-items of the work-group make the call, with the same arguments: compute them from the work-group's "
     "id, not from the work-item's.",
     "concurrency"},
    {"race", "race", NULL, "WorkGroupRace", "A result depends on the order of work-groups or work-items",
     "Two work-items access the same memory, one of them writes, and nothing puts them in order: the program gave "
     "another result when the work-groups of a launch ran in another order. OpenCL promises no order, so another "
     "device or driver may choose either.",
     "Let each work-group write memory of its own, combine with atomics whose result does not depend on the order, or "
     "split the kernel into two launches. A comment `// cltestcheck: order-dependent` above the kernel says that it is "
     "meant.",
     "concurrency"},
    {"data-race", "data race", put_race, "DataRace", "Two work-items access the same memory and nothing orders them",
     "Two work-items access the same bytes, at least one of them writes, not both by atomic functions, and neither a "
     "barrier nor anything else puts the two in order: it was seen in a launch of the program, or proved. What the "
     "bytes hold then depends on the device. Both accesses are shown.",
     "Inside a work-group, put a barrier with the memory's fence flag between the two accesses. Between work-groups, "
     "let each write memory of its own, use atomic functions for both, or split the kernel into two launches.",
     "concurrency"},
    {"benign-race", "benign race", put_race, "BenignRace",
     "Work-items write the same value to the same memory without order",
     "Several work-items wrote the same bytes and nothing orders them, but each wrote what was there already. The C "
     "memory model calls that a data race all the same.",
     "Let one work-item write, or use an atomic function.", "concurrency"},
    {"host-race", "race between commands", put_host_race, "HostRace",
     "Two commands that may run at the same time touch the same memory",
     "The program enqueues two commands, or maps memory, without anything that puts them in order: no event, barrier "
     "or wait, and not one queue that is in order. Both touch the same memory and one of them writes, so either may "
     "come first.",
     "Hand the event of the first command to the second one, put a barrier between them, wait for the first "
     "(clWaitForEvents, clFinish), or use one queue that is in order.",
     "concurrency"},
    {"out-of-bounds", "out of bounds", put_bounds, "OutOfBounds", "A kernel accesses memory outside of a buffer",
     "A work-item reads or writes in front of or past the memory that it was given. OpenCL leaves the behaviour "
     "undefined: other data is read or changed, or the program crashes.",
     "Test the index against the size before the access, or give the kernel a larger buffer.", "memory"},
    {"memory-error", "memory error", put_wrong, "MemoryError", "A kernel did something wrong with memory",
     "An access of a launch was outside of its memory, or broke another rule on memory. The program could not be run "
     "again to see which.",
     "Run `cltestcheck memory` with more time, or so that the program does the same in each run.", "memory"},
    {"null-pointer", "null pointer", put_memory, "NullPointer", "A kernel accesses memory through a null pointer",
     "A work-item reads or writes through an argument that the program set to no memory, or through a pointer that is "
     "null. OpenCL leaves the behaviour undefined: on a CPU the program crashes.",
     "Set the argument, or test the pointer before the access.", "memory"},
    {"misaligned", "misaligned access", put_memory, "Misaligned",
     "A kernel accesses memory at an address that the type does not allow",
     "An access needs an address that is a multiple of its size (a vector: of the whole vector), and was made at "
     "another one, mostly after a cast. Some devices crash, others read other bytes.",
     "Use vloadn and vstoren, which need no more alignment than an element has, or align the data.", "memory"},
    {"read-only", "write to read-only memory", put_memory, "ReadOnly",
     "A kernel writes to memory that was made for reading",
     "A kernel writes to memory that the program made with CL_MEM_READ_ONLY. OpenCL leaves the behaviour undefined: a "
     "driver may keep such memory where writes are lost.",
     "Make the memory with CL_MEM_READ_WRITE.", "memory"},
    {"write-only", "read of write-only memory", put_memory, "WriteOnly",
     "A kernel reads from memory that was made for writing",
     "A kernel reads memory that the program made with CL_MEM_WRITE_ONLY. OpenCL leaves the behaviour undefined: a "
     "driver need not bring what it held to the device.",
     "Make the memory with CL_MEM_READ_WRITE.", "memory"},
    {"mapped", "access to mapped memory", put_mapped, "Mapped", "A kernel accesses memory that the host has mapped",
     "A kernel accesses a buffer that the host has mapped for writing, or writes to one that it has mapped. OpenCL "
     "leaves the behaviour undefined: either may see what the other has not finished.",
     "Unmap the memory before the launch.", "memory"},
    {"api-error", "refused call that went unnoticed", put_refused, "ApiError",
     "The device refused a call and the program did not notice",
     "A call of the program failed (a launch, a transfer, an argument, a new object), and the program then used what "
     "the "
     "call should have written, set or made. Its results, and what its tests say of them, rest on what was there "
     "before.",
     "Look at the result of every call, and end the test when one fails.", "correctness"},
    {"buffer-overrun", "write past the end of a buffer", put_overrun, "BufferOverrun",
     "A kernel writes past the end of a buffer",
     "What lies after a buffer has changed after a launch that was given it: a work-item has written there. OpenCL "
     "leaves the behaviour undefined: other data is changed, or the program crashes.",
     "Run `cltestcheck memory`, which names the line and the work-item, and test the index before that access.",
     "memory"},
    {"uninitialized-read", "value that nobody wrote", put_unwritten, "UninitializedRead",
     "A result depends on memory that nobody has written",
     "A kernel reads a variable, buffer or image that has no value yet, and what the host reads differs with the bytes "
     "that "
     "happen to be there.",
     "Give the variable a value, or write the buffer, before it is read.", "memory"},
    {"copy-not-awaited", "async copy that was not awaited", put_memory, "CopyNotAwaited",
     "An async copy was not awaited",
     "A work-group has started an async copy, and has ended or used the copy's memory without wait_group_events for "
     "its event. OpenCL leaves it open when the copy is made, and whether it is.",
     "Wait for the event of each copy with wait_group_events before the kernel ends, and before its memory is used.",
     "memory"},
    {"used-before-read", "use of memory before it is read", put_unawaited, "UsedBeforeRead",
     "Memory is used before a read into it is complete",
     "The program has called a read or map that does not block, and has used its memory in another call, or ended, "
     "without waiting for it. What the memory holds then is left open.",
     "Wait for the event of the read (clWaitForEvents), for the queue (clFinish), or let the call block.", "memory"},
    {"leak", "object that is not released", put_leak, "Leak", "The program does not release an OpenCL object",
     "When the program ended, an object that it had made (a context, queue, program, kernel, memory object, sampler or "
     "event) was still alive: it was released less often than it was made and retained.",
     "Release each object once for the call that made it, and once for each time that it was retained.", "memory"},
    {"deadlock", "deadlock", NULL, "WorkGroupDeadlock", "A work-group never ends in some order of work-groups",
     "Under some order of work-groups a group waits for ever, mostly for one that has not begun. OpenCL does not "
     "promise that work-groups run at the same time.",
     "Do not wait for another work-group inside a kernel: split the kernel into two launches.", "concurrency"},
    {"crash", "crash", NULL, "CrashUnderSchedule", "The program crashes in some order of work-groups",
     "Under some order of work-groups the program ended by a signal or with another exit status.",
     "Run the schedule again as the message says, under a debugger, and look for indices that depend on what other "
     "work-groups have written.",
     "concurrency"},
    {"order-dependent", "order-dependent result", NULL, "OrderDependentResult",
     "A result depends on the order of work-groups, though nothing races",
     "The program gave another result when the work-groups of a launch ran in another order. Its accesses were "
     "checked, and no two of them race: atomic functions execute in an order that is left open, as those that hand out "
     "places in a list or add up floating-point numbers.",
     "Nothing, if every result is right. Else use atomic functions whose result does not depend on the order, sort "
     "what was written, or add up integers. A comment `// cltestcheck: order-dependent` above the kernel says that it "
     "is meant.",
     "concurrency"},
    {"differs", "result differs (accesses not checked)", NULL, "ResultDiffers",
     "A result differs in some order of work-groups, and accesses were not checked",
     "The program gave another result when the work-groups of a launch ran in another order. There was no time to "
     "check its accesses, so whether two of them race is not known.",
     "Give it more time (--max-time), or run `cltestcheck races`.", "concurrency"},
};
const size_t finding_rule_count = sizeof finding_rules / sizeof finding_rules[0];

const finding_rule *rule_find(const char *name) { return NAMED(finding_rules, finding_rule_count, name, name); }

const char *rule_title(const char *name) {
  const finding_rule *rule = rule_find(name);
  return rule == NULL ? name : rule->title;
}

void rule_names(buffer *to) {
  for (size_t i = 0; i < finding_rule_count; i++) buffer_printf(to, "%s%s", i == 0 ? "" : ", ", finding_rules[i].name);
}

/* "group 17 first, ticket gate" */
static void put_schedule(const db_schedule *s, buffer *to) {
  const int order = schedule_order_find(s->order), gate = schedule_gate_find(s->gate);
  const schedule read = {.order = order < 0 ? ORDER_NONE : (schedule_order)order,
                         .gate = gate < 0 ? GATE_TICKET : (schedule_gate)gate,
                         .target = s->target,
                         .seed = s->seed};
  char words[SCHEDULE_TEXT];
  schedule_describe(&read, words);
  buffer_puts(to, words);
}

/* How the other result is made. */
static void put_other(const view *v, const db_explanation *x, buffer *to) {
  const db_launch *launch = NULL;
  const db_schedule *other = x->other == 0 ? NULL : view_find_schedule(v, x->other, &launch);
  if (other != NULL) {
    put_schedule(other, to);
  } else if (x->other != 0) {
    buffer_printf(to, "schedule %" PRId64, x->other);
  } else if (x->why.in_order) {
    char words[SCHEDULE_TEXT];
    schedule_describe(&(schedule){.order = ORDER_ASCENDING, .gate = GATE_TICKET}, words);
    buffer_puts(to, words);
  } else {
    buffer_puts(to, "the gate open");
  }
}

/* --- what differs -------------------------------------------------------------------------------------------------- */

static void put_difference(const view *v, const db_schedule *s, buffer *to) {
  const db_explanation *x = s->explanation;
  const memory_difference d = {
      .first = x->first, .last = x->last, .differing = x->differing, .width = x->why.width, .height = x->why.height};
  char pixel[MEMORY_PLACE];
  if (d.width > 0) {
    memory_pixel(&d, d.first, pixel);
    buffer_printf(to, "pixel %s of %s", pixel, x->argument);
  } else {
    buffer_printf(to, "%s[%" PRIu64 "]%s", x->argument, d.first, strcmp(x->why.unit, "byte") == 0 ? " (byte)" : "");
  }
  buffer_printf(to, " is %s with ", x->reference);
  put_other(v, x, to);
  buffer_printf(to, ", and %s with ", x->seen);
  put_schedule(s, to);
  if (d.differing > 1) {
    char first[MEMORY_PLACE], last[MEMORY_PLACE];
    buffer_printf(to, "; %" PRIu64 " %ss differ, ", d.differing, x->why.unit);
    if (d.width > 0) {
      memory_pixel(&d, d.first, first);
      memory_pixel(&d, d.last, last);
      buffer_printf(to, "%s to %s", first, last);
    } else {
      buffer_printf(to, "%" PRIu64 " to %" PRIu64, d.first, d.last);
    }
  }
  /* The lines on which the kernel writes through the argument, as far as its own text tells. */
  size_t count = 0, put = 0;
  for (size_t i = 0; i < x->place_count; i++) count += strcmp(x->places[i].role, "write") == 0 ? 1 : 0;
  for (size_t i = 0; i < x->place_count; i++) {
    if (strcmp(x->places[i].role, "write") == 0) {
      buffer_printf(to, "%s%" PRIu32,
                    put++ > 0   ? ", "
                    : count > 1 ? "; written at lines "
                                : "; written at line ",
                    x->places[i].line);
    }
  }
  buffer_puts(to, strcmp(x->why.rest, "others") == 0                   ? " and others"
                  : strcmp(x->why.rest, "elsewhere") == 0 && count > 0 ? " and perhaps elsewhere"
                                                                       : "");
}

/* With several threads numbers of reads tell nobody anything. */
static void put_read(const view *v, const db_schedule *s, buffer *to) {
  const db_why *w = &s->explanation->why;
  (void)v;
  if (w->read_kernel[0] == '\0') {
    buffer_printf(to, "read %" PRIu64 " of the host gives other values", w->read_number);
    return;
  }
  buffer_printf(to, "the host reads other values from argument %" PRIu32 " of kernel %s", w->read_argument,
                w->read_kernel);
  if (w->read_number > 0) buffer_printf(to, " (after its launch %" PRIu64 ")", w->read_launch);
}

static void put_ending(const view *v, const db_schedule *s, buffer *to) {
  (void)v, (void)s;
  buffer_puts(to, "the program ends otherwise or prints something else");
}

void explanation_unfinished(const db_explanation *x, buffer *to) {
  uint32_t put = 0;
  buffer_puts(to, x->unfinished);
  EACH(const db_explained, p, x->places, x->place_count) {
    if (strcmp(p->role, "group") == 0) {
      buffer_printf(to, "%sgroup %" PRIu32, put++ > 0 ? ", " : "", p->group);
      if (p->construct[0] != '\0') {
        buffer_printf(to, " (%s the %s on line %" PRIu32 ")", strcmp(p->construct, "loop") == 0 ? "in" : "at",
                      p->construct, p->line);
      }
    }
  }
  if (put > 0 && x->why.running > put) buffer_printf(to, " and %" PRIu32 " more", x->why.running - put);
}

static void put_groups(const view *v, const db_schedule *s, buffer *to) {
  const db_why *w = &s->explanation->why;
  (void)v;
  if (w->running == 0) {
    buffer_puts(to, "some work-group never ended; the device does not let us see which");
    return;
  }
  explanation_unfinished(s->explanation, to);
  buffer_puts(to, " never ended");
  if (w->waiting > 0) {
    buffer_printf(to, ": what is waited for is the work of groups that have not begun (%" PRIu32 " of %" PRIu32 ")",
                  w->waiting, w->of_groups);
  }
}

static void put_signal(const view *v, const db_schedule *s, buffer *to) {
  (void)v, (void)s;
  buffer_puts(to, "the program is killed by a signal");
}

/* --- do accesses race? ---------------------------------------------------------------------------------------------- */

/* The race that the schedule shows, else one of its kernel: what was found again is kept once. */
static const db_finding *race_among(const db_finding *list, size_t count, int64_t shows, const char *kernel) {
  const db_finding *found = NULL;
  for (size_t i = 0; i < count; i++) {
    const db_finding *f = &list[i];
    if (!f->proved && f->place_count > 0 && strcmp(f->rule, "data-race") == 0 && strcmp(f->kernel, kernel) == 0 &&
        (found == NULL || (f->schedule == shows && found->schedule != shows)))
      found = f;
  }
  return found;
}

static const db_finding *race_of(const view *v, const db_launch *l, const db_schedule *s) {
  const char *kernel = v->kernels[l->kernel].name;
  return s->meant ? race_among(v->meant, v->meant_count, s->id, kernel)
                  : race_among(v->findings, v->finding_count, s->id, kernel);
}

static void put_racing(const view *v, const db_launch *l, const db_schedule *s, buffer *to) {
  const db_why *w = &s->explanation->why;
  const db_finding *race = strcmp(w->race, "seen") == 0 ? race_of(v, l, s) : NULL;
  if (strcmp(w->race, "none") == 0) {
    buffer_puts(to,
                w->race_why[0] == '\0'
                    ? "; none of its accesses race: the order in which atomic functions execute is left open"
                    : "; none of its accesses race, and it has no atomic functions: another command or the host uses "
                      "this memory, and nothing orders the two (queues without events, threads)");
  } else if (strcmp(w->race, "unknown") == 0) {
    buffer_printf(to, "; whether accesses of it race is not known: %s",
                  w->race_why[0] == '\0' ? "there was no time to check them" : w->race_why);
  } else if (race != NULL) {
    buffer_puts(to, "; race: ");
    /* In words, with the files of both accesses. */
    scoped char **names = mem_calloc(v->file_count + 1, sizeof *names);
    for (size_t i = 0; i < v->file_count; i++) names[i] = v->files[i].name;
    finding_sentence(race, names, to);
  }
}

static const struct {
  const char *kind;
  void (*put)(const view *v, const db_schedule *s, buffer *to);
} kinds[] = {{"memory", put_difference},
             {"read", put_read},
             {"ending", put_ending},
             {"groups", put_groups},
             {"signal", put_signal}};

void explanation_text(const view *v, const db_launch *l, const db_schedule *s, buffer *to) {
  const db_explanation *x = s->explanation;
  if (x == NULL) return;
  buffer_puts(to, x->text);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].kind, x->why.kind) == 0) kinds[i].put(v, s, to);
  put_racing(v, l, s, to);
}

void explanation_of_finding(const view *v, const db_finding *f, buffer *to) {
  const db_launch *l = NULL;
  const db_schedule *s = f->schedule == 0 ? NULL : view_find_schedule(v, f->schedule, &l);
  if (s != NULL && s->explanation != NULL) {
    buffer_printf(to, "launch %" PRIu32 ", ", l->number);
    put_schedule(s, to);
    buffer_puts(to, ": ");
    explanation_text(v, l, s, to);
  }
}
