/* The table of OpenCL C's functions. A name that ends in `*` stands for all that begin so. */
#include "frontend/tree_builtins.h"

#include <string.h>

#define NONE TREE_EFFECT_NONE
#define READ TREE_EFFECT_READ
#define WRITE TREE_EFFECT_WRITE
#define BOTH TREE_EFFECT_BOTH

typedef struct builtin_row {
  tree_builtin what;
  const char *names; /* parted by spaces */
} builtin_row;

/* The first row that fits. */
static const builtin_row rows[] = {
    {{TREE_WORK_ITEM, NONE, NONE, true},
     "get_work_dim get_global_size get_local_size get_enqueued_local_size get_num_groups get_group_id "
     "get_global_offset"},
    {{TREE_WORK_ITEM, NONE, NONE, false}, "get_global_id get_local_id get_global_linear_id get_local_linear_id"},
    {{TREE_BARRIER, NONE, NONE, false}, "barrier work_group_barrier sub_group_barrier"},
    {{TREE_FENCE, NONE, NONE, false}, "mem_fence read_mem_fence write_mem_fence atomic_work_item_fence"},
    {{TREE_ATOMIC_LOAD, READ, NONE, false}, "atomic_load*"},
    {{TREE_ATOMIC_STORE, WRITE, NONE, false}, "atomic_store* atomic_init atomic_flag_clear*"},
    {{TREE_ATOMIC_ANY, BOTH, BOTH, false}, "atomic_* atom_*"},
    {{TREE_IMAGE_READ, NONE, NONE, false}, "read_image*"},
    {{TREE_IMAGE_WRITE, NONE, NONE, false}, "write_image*"},
    {{TREE_IMAGE_QUERY, NONE, NONE, false}, "get_image_*"},
    {{TREE_ASYNC_COPY, WRITE, READ, false},
     "async_work_group_copy async_work_group_strided_copy async_work_group_copy_*"},
    {{TREE_ASYNC_WAIT, READ, READ, false}, "wait_group_events"},
    {{TREE_PREFETCH, NONE, NONE, false}, "prefetch"},
    {{TREE_VECTOR_LOAD, READ, READ, false}, "vload*"},
    {{TREE_VECTOR_STORE, WRITE, WRITE, false}, "vstore*"},
    {{TREE_CONVERSION, NONE, NONE, false}, "convert_* as_*"},
    {{TREE_MATH, WRITE, WRITE, false}, "fract frexp lgamma_r modf remquo sincos"},
    {{TREE_MATH, NONE, NONE, false},
     "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf "
     "exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb ldexp lgamma log log2 log10 log1p logb mad "
     "maxmag minmag nan nextafter pow pown powr remainder rint rootn round rsqrt sin sinh sinpi sqrt tan tanh tanpi "
     "tgamma trunc half_* native_*"},
    {{TREE_INTEGER, NONE, NONE, true},
     "abs abs_diff add_sat hadd rhadd clz ctz mad_hi mad_sat mul_hi rotate sub_sat upsample popcount mad24 mul24 "
     "dot_4x8* "
     "dot_acc*"},
    {{TREE_COMMON, NONE, NONE, true}, "clamp max min"},
    {{TREE_COMMON, NONE, NONE, false}, "degrees mix radians step smoothstep sign"},
    {{TREE_GEOMETRIC, NONE, NONE, false},
     "cross dot distance length normalize fast_distance fast_length fast_normalize"},
    {{TREE_RELATIONAL, NONE, NONE, false},
     "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal "
     "isordered isunordered signbit any all bitselect select"},
    {{TREE_VECTOR_MISC, NONE, NONE, false}, "shuffle shuffle2"},
    {{TREE_GROUP, NONE, NONE, false},
     "work_group_all work_group_any work_group_broadcast work_group_reduce_* work_group_scan_*"},
    {{TREE_PIPE, READ, READ, false}, "write_pipe sub_group_reserve_write_pipe work_group_reserve_write_pipe"},
    {{TREE_PIPE, WRITE, WRITE, false},
     "read_pipe reserve_read_pipe reserve_write_pipe commit_read_pipe commit_write_pipe is_valid_reserve_id "
     "get_pipe_num_packets get_pipe_max_packets work_group_reserve_read_pipe work_group_commit_* sub_group_commit_* "
     "sub_group_reserve_read_pipe"},
    {{TREE_SUB_GROUP, NONE, NONE, false},
     "sub_group_* get_sub_group_* get_num_sub_groups get_max_sub_group_size "
     "get_enqueued_num_sub_groups"},
    {{TREE_ADDRESS_SPACE, NONE, NONE, false}, "to_global to_local to_private get_fence"},
    {{TREE_PRINTF, NONE, NONE, false}, "printf"},
    {{TREE_EVENT, WRITE, WRITE, false},
     "enqueue_kernel enqueue_marker retain_event release_event create_user_event is_valid_event set_user_event_status "
     "capture_event_profiling_info get_default_queue ndrange_1D ndrange_2D ndrange_3D get_kernel_*"},
};

static const char *const kinds[TREE_BUILTIN_KIND_COUNT] = {
    [TREE_WORK_ITEM] = "work-item function",
    [TREE_BARRIER] = "barrier",
    [TREE_FENCE] = "fence",
    [TREE_ATOMIC_ANY] = "atomic",
    [TREE_ATOMIC_LOAD] = "atomic load",
    [TREE_ATOMIC_STORE] = "atomic store",
    [TREE_IMAGE_READ] = "image read",
    [TREE_IMAGE_WRITE] = "image write",
    [TREE_IMAGE_QUERY] = "image query",
    [TREE_ASYNC_COPY] = "async copy",
    [TREE_ASYNC_WAIT] = "async wait",
    [TREE_PREFETCH] = "prefetch",
    [TREE_VECTOR_LOAD] = "vector load",
    [TREE_VECTOR_STORE] = "vector store",
    [TREE_MATH] = "math",
    [TREE_INTEGER] = "integer",
    [TREE_COMMON] = "common",
    [TREE_GEOMETRIC] = "geometric",
    [TREE_RELATIONAL] = "relational",
    [TREE_CONVERSION] = "conversion",
    [TREE_VECTOR_MISC] = "vector",
    [TREE_GROUP] = "work-group function",
    [TREE_SUB_GROUP] = "sub-group function",
    [TREE_PIPE] = "pipe",
    [TREE_ADDRESS_SPACE] = "address space",
    [TREE_PRINTF] = "printf",
    [TREE_EVENT] = "event",
};

static bool fits(const char *name, const char *row, size_t length) {
  return row[length - 1] == '*' ? strncmp(name, row, length - 1) == 0
                                : strlen(name) == length && memcmp(name, row, length) == 0;
}

const tree_builtin *tree_find_builtin(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (const char *at = rows[i].names; *at != '\0';) {
      const size_t length = strcspn(at, " ");
      if (fits(name, at, length)) {
        return &rows[i].what;
      }
      at += length + strspn(at + length, " ");
    }
  }
  return NULL;
}

const char *tree_builtin_name(tree_builtin_kind kind) { return kinds[kind]; }

bool tree_builtin_is_pure(const tree_builtin *b) {
  static const bool pure[TREE_BUILTIN_KIND_COUNT] = {
      [TREE_WORK_ITEM] = true, [TREE_IMAGE_QUERY] = true, [TREE_VECTOR_LOAD] = true,
      [TREE_MATH] = true,      [TREE_INTEGER] = true,     [TREE_COMMON] = true,
      [TREE_GEOMETRIC] = true, [TREE_RELATIONAL] = true,  [TREE_CONVERSION] = true};
  const bool writes = b->first == WRITE || b->first == BOTH || b->others == WRITE || b->others == BOTH;
  return pure[b->kind] && !writes;
}
