/* Parameters that a kernel may write memory through, of programs that were not instrumented. */
#include "runner/build/written.h"

#include <string.h>

#include "runner/build/build.h"

bool kernel_may_write(const instrument_result *made, size_t kernel, uint32_t argument) {
  const instrument_kernel *k = &made->kernels[kernel];
  bool any = false;
  for (size_t i = 0; i < k->written_count; i++) {
    any = any || k->written[i] == argument;
  }
  return any;
}

typedef enum answer { HAS_NO_SUCH_KERNEL, MAY_WRITE, WRITES_NOT } answer;

static answer ask(const program_request *r, const char *kernel, uint32_t argument) {
  instrument_result made = {0};
  error why;
  answer said = HAS_NO_SUCH_KERNEL;
  const bool read = build_instrumented(r, KERNEL_COUNTED, &made, &why) == 0 && made.question_count == 0;
  for (size_t k = 0; read && k < made.model.kernel_count; k++) {
    if (strcmp(made.model.kernels[k].name, kernel) == 0) {
      said = kernel_may_write(&made, k, argument) ? MAY_WRITE : WRITES_NOT;
    }
  }
  instrument_free(&made);
  return said;
}

bool source_may_write(const program_request *const *programs, size_t count, const char *kernel, uint32_t argument) {
  bool any = false, all = true;
  for (size_t i = 0; i < count && all; i++) {
    const answer said = ask(programs[i], kernel, argument);
    any = any || said == MAY_WRITE;
    all = said != WRITES_NOT;
  }
  return any && all;
}
