/* cltestcheck memory: each test case with its accesses held against the memory that they are meant for; once more where one has left
 * it, to see which. */
#include "cli/commands.h"
#include "cli/measuring.h"

static int cmd_memory(const settings *s) {
  return measuring_or_once_more(&(measuring){.settings = s, .options = measure_of(s, FORM_BOUNDS, &look_for_faults)});
}

const command command_memory = {
    "memory",
    "find accesses outside of their memory, and what else kernels do wrong with it",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program, unmodified, with every access of its kernels held against the buffer or array that its pointer "
    "was made from: accesses outside, through null pointers, at addresses that a type does not allow, and against a "
    "buffer's flags. A read outside gives 0, a write outside is dropped, and the program goes on, so that one that "
    "would have crashed comes to its end. Exits with 3 when an error was found.",
    "cltestcheck memory --kernel 'reduce*' -- ./my_tests",
    cmd_memory,
    FOR_MEMORY};
