/* clang as a compiler of OpenCL C, for who looks at what it makes of a kernel. */
#ifndef CLTC_BASE_OPENCL_COMPILER_H
#define CLTC_BASE_OPENCL_COMPILER_H

#include <stdbool.h>

#define OPENCL_COMPILER "clang-19"
/* The first words of its command line: for a device with 64-bit addresses, with the functions of the language. */
#define OPENCL_COMPILER_WORDS                                                                                         \
  OPENCL_COMPILER, "-x", "cl", "-target", "spir64-unknown-unknown", "-Xclang", "-finclude-default-header", "-Xclang", \
      "-fdeclare-opencl-builtins", "-w"

/* The option that defines __OPENCL_VERSION__, which devices do and clang does not: the version of the language that is
 * asked for ("CL2.0"; NULL: none is), but no device is older than 1.2. */
const char *opencl_version_macro(const char *standard);

/* The definition that this build option stands for ("-cl-fast-relaxed-math": -D__FAST_RELAXED_MATH__=1), or NULL. */
const char *opencl_option_macro(const char *option);

/* Lines in front of a source: names that clang defines for the target above, and no device does. */
#define OPENCL_COMPILER_FIRST "#undef __SPIR__\n#undef __SPIR64__\n"

/* Whether a text (or build options) may ask for what a device defines, itself or in a file that it includes. */
bool opencl_asks_device(const char *text);

/* Build options that define what the device defines, and no more: its version, its extensions, images. `device` is what
 * cltestcheck's layer says of it (layer/common/guest.h); "" where that says nothing of these. To be freed. */
char *opencl_device_options(const char *device);

#endif
