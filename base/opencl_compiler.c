/* The macros that a device defines and clang does not, as options for clang. */
#include "base/opencl_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

const char *opencl_version_macro(const char *standard) {
  static const char *const macros[] = {"-D__OPENCL_VERSION__=120", "-D__OPENCL_VERSION__=200",
                                       "-D__OPENCL_VERSION__=300"};
  const size_t letters = standard == NULL ? 0 : strcspn(standard, "0123456789");
  const unsigned long number = standard == NULL ? 1 : strtoul(standard + letters, NULL, 10);
  const bool plus = standard != NULL && strstr(standard, "++") != NULL;
  if (plus) /* C++ for OpenCL 1.0 and 2021 */
    return macros[number >= 2021 ? 2 : 1];
  return macros[number >= 3 ? 2 : number == 2 ? 1 : 0];
}

const char *opencl_option_macro(const char *option) {
  return strcmp(option, "-cl-fast-relaxed-math") == 0 ? "-D__FAST_RELAXED_MATH__=1" : NULL;
}

/* --- of a device -------------------------------------------------------------------------------------------------- */

/* Extensions that clang takes to be there. */
static const char *const extensions[] = {"cl_amd_media_ops",
                                         "cl_amd_media_ops2",
                                         "cl_clang_storage_class_specifiers",
                                         "cl_ext_float_atomics",
                                         "cl_intel_device_side_avc_motion_estimation",
                                         "cl_intel_subgroups",
                                         "cl_intel_subgroups_short",
                                         "cl_khr_3d_image_writes",
                                         "cl_khr_byte_addressable_store",
                                         "cl_khr_depth_images",
                                         "cl_khr_extended_bit_ops",
                                         "cl_khr_fp16",
                                         "cl_khr_fp64",
                                         "cl_khr_gl_msaa_sharing",
                                         "cl_khr_global_int32_base_atomics",
                                         "cl_khr_global_int32_extended_atomics",
                                         "cl_khr_int64_base_atomics",
                                         "cl_khr_int64_extended_atomics",
                                         "cl_khr_integer_dot_product",
                                         "cl_khr_kernel_clock",
                                         "cl_khr_local_int32_base_atomics",
                                         "cl_khr_local_int32_extended_atomics",
                                         "cl_khr_mipmap_image",
                                         "cl_khr_mipmap_image_writes",
                                         "cl_khr_srgb_image_writes",
                                         "cl_khr_subgroup_ballot",
                                         "cl_khr_subgroup_clustered_reduce",
                                         "cl_khr_subgroup_extended_types",
                                         "cl_khr_subgroup_non_uniform_arithmetic",
                                         "cl_khr_subgroup_non_uniform_vote",
                                         "cl_khr_subgroup_rotate",
                                         "cl_khr_subgroup_shuffle",
                                         "cl_khr_subgroup_shuffle_relative",
                                         "cl_khr_subgroups"};

/* The nth line, from 0, or NULL. */
static const char *line_of(const char *text, unsigned n) {
  for (; n > 0 && text != NULL; n--) {
    text = strchr(text, '\n');
    text = text == NULL ? NULL : text + 1;
  }
  return text;
}

static bool has_word(const char *line, const char *word, size_t length) {
  const char *end = line + strcspn(line, "\n");
  while (line < end) {
    const size_t here = strcspn(line, " \n");
    if (here == length && strncmp(line, word, length) == 0) return true;
    line += here + (line[here] == ' ');
  }
  return false;
}

static bool is_known(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strlen(extensions[i]) == length && strncmp(extensions[i], word, length) == 0) return true;
  return false;
}

bool opencl_asks_device(const char *text) {
  static const char *const words[] = {"include", "__OPENCL_VERSION__", "__IMAGE_SUPPORT__", "cl_", "__opencl_c_",
                                      /* what makes such a word of parts: pasted tokens, lines that go on */
                                      "##", "%:%:", "\\\n", "\\\r", "\?\?/"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i]) != NULL) return true;
  return false;
}

char *opencl_device_options(const char *device) {
  const char *version = line_of(device, 4), *list = line_of(device, 5), *images = line_of(device, 6);
  unsigned major = 0, minor = 0;
  buffer out = {0};
  buffer_puts(&out, "");
  if (images == NULL || sscanf(version, "OpenCL %u.%u", &major, &minor) != 2) return buffer_take(&out);
  buffer_printf(&out, "-D__OPENCL_VERSION__=%u%s", major * 100 + minor * 10,
                strcmp(images, "images") == 0 ? "" : " -U__IMAGE_SUPPORT__");
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (!has_word(list, extensions[i], strlen(extensions[i]))) buffer_printf(&out, " -U%s", extensions[i]);
  for (size_t here = 0; *list != '\n'; list += here + (list[here] == ' ')) {
    here = strcspn(list, " \n");
    const size_t letters =
        strspn(list, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"); /* else it is no name */
    if (here > 0 && letters == here && !is_known(list, here)) buffer_printf(&out, " -D%.*s=1", (int)here, list);
  }
  return buffer_take(&out);
}
