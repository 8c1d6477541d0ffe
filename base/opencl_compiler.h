/* clang as a compiler of OpenCL C, for who looks at what it makes of a kernel. */
#ifndef CLTC_BASE_OPENCL_COMPILER_H
#define CLTC_BASE_OPENCL_COMPILER_H

#define OPENCL_COMPILER "clang-19"
/* The first words of its command line: for a device with 64-bit addresses, with the functions of the language. */
#define OPENCL_COMPILER_WORDS                                                                                         \
  OPENCL_COMPILER, "-x", "cl", "-target", "spir64-unknown-unknown", "-Xclang", "-finclude-default-header", "-Xclang", \
      "-fdeclare-opencl-builtins", "-w"

/* The option that defines __OPENCL_VERSION__, which devices do and clang does not: the version of the language that is asked for
 * ("CL2.0"; NULL: none is), but no device is older than 1.2. */
const char *opencl_version_macro(const char *standard);

#endif
