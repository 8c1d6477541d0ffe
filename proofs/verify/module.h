/* LLVM's form of a source: read from bitcode, and brought into the shape that the proof reads: helpers inlined, variables
 * in registers, loops with one entry and one back edge, `switch` as branches, one return. */
#ifndef CLTC_VERIFY_MODULE_H
#define CLTC_VERIFY_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct buffer;

typedef struct module {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  unsigned language; /* OpenCL C 1.2: 120 */
} module;

/* The attribute of functions without a body that the source declares, and no header of OpenCL C. */
#define MODULE_OWN "cltestcheck.own"
/* The name of a function that stands for what is not known of the function that it is called in begins so. */
#define MODULE_UNKNOWN "__cltc_unknown: "

/* Takes bitcode of `length` bytes. -1 with `e`: it cannot be read or changed. */
int module_read(const char *bitcode, size_t length, module *out, error *e);
void module_free(module *m);

/* LLVM's name of a value, which LLVM owns. */
const char *module_name(LLVMValueRef v);
/* The argument of that name, by its number; -1: there is none. */
int module_argument(LLVMValueRef kernel, const char *name);

/* The kernels, in the order of the source; NULL ends them: first with `after` NULL. */
LLVMValueRef module_next_kernel(const module *m, LLVMValueRef after);

/* A place in the user's source. */
typedef struct source_place {
  const char *file; /* lent by LLVM */
  size_t file_length;
  unsigned line, column; /* from 1; line 0: not known */
} source_place;

/* Where an instruction is written. `level` 0: there; 1: the call through which it was inlined, and so on. false: there is
 * no such level. */
bool module_place(LLVMValueRef instruction, unsigned level, source_place *out);
/* Where a kernel is written. */
source_place module_kernel_place(LLVMValueRef kernel);

/* The type of an argument without what typedef has named ("uint*"), lent by LLVM; "": not known. */
const char *module_argument_type(const module *m, LLVMValueRef kernel, unsigned argument);

/* The size that `reqd_work_group_size` gives; false: none. */
bool module_required_size(const module *m, LLVMValueRef kernel, uint64_t sizes[3]);

/* Adds how far a getelementptr is behind what it is made from, in bytes. false: that is not constant. */
bool module_distance(LLVMTargetDataRef layout, LLVMValueRef address, int64_t *at);

#define LANES_ONE (UINT32_C(1) << 31) /* a component whose number is computed */

/* The components of a marked one, a bit each: 0: the load is there for a store only. false: it is not marked. */
bool lanes_marked(LLVMContextRef context, LLVMValueRef access, uint32_t *lanes);
/* Of LANES_ONE: the insertelement or extractelement that has the number as its last operand. NULL: it is gone. */
LLVMValueRef lanes_one(LLVMValueRef access);

/* What the proofs know of attributes and metadata, of the source's and of LLVM's: a table as of functions (calls.c) and
 * instructions (execute.c). */

/* Whether there is a row: of an attribute by its number, and of metadata. */
bool attributes_has(unsigned kind);
bool attributes_has_metadata(LLVMContextRef context, unsigned kind);

/* --- OpenCL C to LLVM bitcode, by clang 19 as a child ------------------------------------------------------------- */

/* What is compiled. */
typedef struct compile_input {
  const char *source;    /* the text */
  const char *file;      /* its name, for places and for includes beside it */
  const char *options;   /* as given to clBuildProgram; those that say nothing to clang are left out */
  const char *directory; /* where relative names of files begin; NULL: the current folder */
  double seconds;        /* of the processor; the compiler is stopped after that */
} compile_input;

/* Appends the bitcode to `out`. -1 with `e`: clang 19 is missing, or the text does not compile (its first error). */
int compile_source(const compile_input *input, struct buffer *out, error *e);

#endif
