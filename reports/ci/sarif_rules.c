/* What each rule means and what to do about it. */
#include "reports/ci/sarif_rules.h"

#include <string.h>

#include "base/buffer.h"
#include "reports/ci/sarif_parts.h"

typedef struct rule {
  const char *id, *name, *brief, *what, *todo, *tag;
} rule;

static const rule rules[] = {
    {"barrier-divergence", "BarrierDivergence", "Work-items of a work-group do not reach a barrier alike",
     "Some work-items of a work-group executed a barrier another number of times than others, or decided differently "
     "at a branch or loop that guards it. OpenCL leaves the behaviour undefined: the kernel may hang, or go on with "
     "memory that is not synchronised.",
     "Move the barrier out of the branch or loop, or make the condition the same for all work-items of the work-group.",
     "concurrency"},
    {"async-divergence", "AsyncDivergence", "Work-items of a work-group do not reach an async copy alike",
     "Some work-items of a work-group called async_work_group_copy, async_work_group_strided_copy or wait_group_events "
     "another number of times than others, or with other arguments, or decided differently at a branch or loop around "
     "the call. OpenCL leaves the behaviour undefined: a part of the data may be missing, or the kernel may hang.",
     "Let all work-items of the work-group make the call, with the same arguments: compute them from the work-group's "
     "id, not from the work-item's.",
     "concurrency"},
    {"race", "WorkGroupRace", "A result depends on the order of work-groups or work-items",
     "Two work-items access the same memory, one of them writes, and nothing puts them in order: the program gave "
     "another result when the work-groups of a launch ran in another order. OpenCL promises no order, so another "
     "device or driver may choose either.",
     "Let each work-group write memory of its own, combine with atomics whose result does not depend on the order, or "
     "split the kernel into two launches. A comment `// cltestcheck: order-dependent` above the kernel says that it is "
     "meant.",
     "concurrency"},
    {"data-race", "DataRace", "Two work-items access the same memory and nothing orders them",
     "Two work-items access the same bytes, at least one of them writes, not both by atomic functions, and neither a "
     "barrier nor anything else puts the two in order: it was seen in a launch of the program, or proved. What the "
     "bytes hold then depends on the device. Both accesses are shown.",
     "Inside a work-group, put a barrier with the memory's fence flag between the two accesses. Between work-groups, "
     "let each write memory of its own, use atomic functions for both, or split the kernel into two launches.",
     "concurrency"},
    {"benign-race", "BenignRace", "Work-items write the same value to the same memory without order",
     "Several work-items wrote the same bytes and nothing orders them, but each wrote what was there already. The C "
     "memory model calls that a data race all the same.",
     "Let one work-item write, or use an atomic function.", "concurrency"},
    {"host-race", "HostRace", "Two commands that may run at the same time touch the same memory",
     "The program enqueues two commands, or maps memory, without anything that puts them in order: no event, barrier "
     "or wait, and not one queue that is in order. Both touch the same memory and one of them writes, so either may "
     "come first.",
     "Hand the event of the first command to the second one, put a barrier between them, wait for the first "
     "(clWaitForEvents, clFinish), or use one queue that is in order.",
     "concurrency"},
    {"out-of-bounds", "OutOfBounds", "A kernel accesses memory outside of a buffer",
     "A work-item reads or writes in front of or past the memory that it was given. OpenCL leaves the behaviour "
     "undefined: other data is read or changed, or the program crashes.",
     "Test the index against the size before the access, or give the kernel a larger buffer.", "memory"},
    {"api-error", "ApiError", "The device refused a call and the program did not notice",
     "A call of the program failed (a launch, a transfer, an argument, a new object), and the program then used what "
     "the "
     "call should have written, set or made. Its results, and what its tests say of them, rest on what was there "
     "before.",
     "Look at the result of every call, and end the test when one fails.", "correctness"},
    {"buffer-overrun", "BufferOverrun", "A kernel writes past the end of a buffer",
     "What lies after a buffer has changed after a launch that was given it: a work-item has written there. OpenCL "
     "leaves the behaviour undefined: other data is changed, or the program crashes.",
     "Run `cltestcheck memory`, which names the line and the work-item, and test the index before that access.",
     "memory"},
    {"used-before-read", "UsedBeforeRead", "Memory is used before a read into it is complete",
     "The program has called a read or map that does not block, and has used its memory in another call, or ended, "
     "without waiting for it. What the memory holds then is left open.",
     "Wait for the event of the read (clWaitForEvents), for the queue (clFinish), or let the call block.", "memory"},
    {"leak", "Leak", "The program does not release an OpenCL object",
     "When the program ended, an object that it had made (a context, queue, program, kernel, memory object, sampler or "
     "event) was still alive: it was released less often than it was made and retained.",
     "Release each object once for the call that made it, and once for each time that it was retained.", "memory"},
    {"copy-not-awaited", "CopyNotAwaited", "An async copy was not awaited",
     "A work-group has started an async copy, and has ended or used the copy's memory without wait_group_events for "
     "its event. OpenCL leaves it open when the copy is made, and whether it is.",
     "Wait for the event of each copy with wait_group_events before the kernel ends, and before its memory is used.",
     "memory"},
    {"uninitialized-read", "UninitializedRead", "A result depends on memory that nobody has written",
     "A kernel reads a variable, buffer or image that has no value yet, and what the host reads differs with the bytes "
     "that "
     "happen to be there.",
     "Give the variable a value, or write the buffer, before it is read.", "memory"},
    {"memory-error", "MemoryError", "A kernel did something wrong with memory",
     "An access of a launch was outside of its memory, or broke another rule on memory. The program could not be run "
     "again to see which.",
     "Run `cltestcheck memory` with more time, or so that the program does the same in each run.", "memory"},
    {"null-pointer", "NullPointer", "A kernel accesses memory through a null pointer",
     "A work-item reads or writes through an argument that the program set to no memory, or through a pointer that is "
     "null. OpenCL leaves the behaviour undefined: on a CPU the program crashes.",
     "Set the argument, or test the pointer before the access.", "memory"},
    {"misaligned", "Misaligned", "A kernel accesses memory at an address that the type does not allow",
     "An access needs an address that is a multiple of its size (a vector: of the whole vector), and was made at "
     "another one, mostly after a cast. Some devices crash, others read other bytes.",
     "Use vloadn and vstoren, which need no more alignment than an element has, or align the data.", "memory"},
    {"read-only", "ReadOnly", "A kernel writes to memory that was made for reading",
     "A kernel writes to memory that the program made with CL_MEM_READ_ONLY. OpenCL leaves the behaviour undefined: a "
     "driver may keep such memory where writes are lost.",
     "Make the memory with CL_MEM_READ_WRITE.", "memory"},
    {"write-only", "WriteOnly", "A kernel reads from memory that was made for writing",
     "A kernel reads memory that the program made with CL_MEM_WRITE_ONLY. OpenCL leaves the behaviour undefined: a "
     "driver need not bring what it held to the device.",
     "Make the memory with CL_MEM_READ_WRITE.", "memory"},
    {"mapped", "Mapped", "A kernel accesses memory that the host has mapped",
     "A kernel accesses a buffer that the host has mapped for writing, or writes to one that it has mapped. OpenCL "
     "leaves the behaviour undefined: either may see what the other has not finished.",
     "Unmap the memory before the launch.", "memory"},
    {"deadlock", "WorkGroupDeadlock", "A work-group never ends in some order of work-groups",
     "Under some order of work-groups a group waits for ever, mostly for one that has not begun. OpenCL does not "
     "promise that work-groups run at the same time.",
     "Do not wait for another work-group inside a kernel: split the kernel into two launches.", "concurrency"},
    {"order-dependent", "OrderDependentResult", "A result depends on the order of work-groups, though nothing races",
     "The program gave another result when the work-groups of a launch ran in another order. Its accesses were "
     "checked, and no two of them race: atomic functions execute in an order that is left open, as those that hand out "
     "places in a list or add up floating-point numbers.",
     "Nothing, if every result is right. Else use atomic functions whose result does not depend on the order, sort "
     "what was written, or add up integers. A comment `// cltestcheck: order-dependent` above the kernel says that it "
     "is meant.",
     "concurrency"},
    {"differs", "ResultDiffers", "A result differs in some order of work-groups, and accesses were not checked",
     "The program gave another result when the work-groups of a launch ran in another order. There was no time to "
     "check its accesses, so whether two of them race is not known.",
     "Give it more time (--max-time), or run `cltestcheck races`.", "concurrency"},
    {"crash", "CrashUnderSchedule", "The program crashes in some order of work-groups",
     "Under some order of work-groups the program ended by a signal or with another exit status.",
     "Run the schedule again as the message says, under a debugger, and look for indices that depend on what other "
     "work-groups have written.",
     "concurrency"},
};
enum { RULES = sizeof rules / sizeof rules[0] };

static json_t *properties(const char *tag, const char *severity) {
  return json_pack("{s[sss]ssss}", "tags", "opencl", "testing", tag, "precision", "high", "problem.severity", severity);
}

static json_t *descriptor(const rule *r, const char *level, const char *severity) {
  buffer text = {0};
  buffer markdown = {0};
  buffer_printf(&text, "%s\n\nWhat to do: %s", r->what, r->todo);
  buffer_printf(&markdown, "%s\n\n**What to do.** %s", r->what, r->todo);
  json_t *d = json_object();
  value_set(d, "id", value_string(r->id));
  value_set(d, "name", value_string(r->name));
  value_set(d, "shortDescription", sarif_message(r->brief));
  value_set(d, "fullDescription", sarif_message(r->what));
  json_t *help = sarif_message(buffer_text(&text));
  value_set(help, "markdown", value_string(buffer_text(&markdown)));
  value_set(d, "help", help);
  value_set(d, "defaultConfiguration", json_pack("{ss}", "level", level));
  value_set(d, "properties", properties(r->tag, severity));
  buffer_free(&text);
  buffer_free(&markdown);
  return d;
}

static json_t *operator_rule(const char *name) {
  buffer id = {0};
  buffer brief = {0};
  buffer_printf(&id, "mutant/%s", name);
  buffer_printf(&brief, "The tests do not notice a fault of operator %s", name);
  const rule r = {buffer_text(&id),
                  "SurvivingMutant",
                  buffer_text(&brief),
                  "A small fault was made in the kernel here, and no test case gave another result in all of its runs. "
                  "The tests execute the place, but would not notice this fault.",
                  "Add a test case whose result depends on this place, or check more of the output; where the change "
                  "makes no difference to what the kernel promises, suppress the mutant.",
                  "mutation-testing"};
  json_t *d = descriptor(&r, "note", "recommendation");
  buffer_free(&id);
  buffer_free(&brief);
  return d;
}

json_t *sarif_rules(const issues *list) {
  json_t *all = json_array();
  for (size_t i = 0; i < RULES; i++) {
    value_add(all, descriptor(&rules[i], "error", "error"));
  }
  for (size_t i = 0; i < list->mutants.operator_count; i++) {
    value_add(all, operator_rule(list->mutants.operators[i].name));
  }
  return all;
}

int sarif_rule_index(const issues *list, const issue *i) {
  for (size_t k = 0; i->mutant == NULL && k < RULES; k++) {
    if (strcmp(rules[k].id, i->rule) == 0) {
      return (int)k;
    }
  }
  for (size_t k = 0; i->mutant != NULL && k < list->mutants.operator_count; k++) {
    if (strcmp(list->mutants.operators[k].name, i->rule) == 0) {
      return (int)(RULES + k);
    }
  }
  return -1;
}
