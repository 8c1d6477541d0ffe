// For kernels with barriers: every work-item leaves its hashes and counts, `n` of them and the size of its work-group,
// at its place; work-groups stand one after the other. When not all fit, the first and the last ones are kept and the
// others write to a spare place past the end (the last ones stand at the end of the room). A small kernel of its own
// then compares the work-items of each group.
//
// Where the bits that a work-item stores say all that is to be compared (detectors/coverage/pass_regions.c), it leaves nothing more: they all
// write the same few words about the shape of the launch, by which the comparing kernel finds its way in the slots.
// Word 3 tells the two apart.
//
// None of this may branch or wait at a barrier: compilers for CPUs (PoCL 3.1) are known to translate branches after a
// conditional barrier wrongly, so we add none.

#define CLTC_PLANES(n, stores) { \
  const ulong cltc_groups = (ulong)get_num_groups(0) * get_num_groups(1) * get_num_groups(2); \
  const ulong cltc_size = CLTC_SIZE, cltc_group = CLTC_GROUP, cltc_lane = CLTC_LANE; \
  const ulong cltc_front = (ulong)(cltc_groups * cltc_size <= cltc_capacity) | \
                           (ulong)((cltc_group + 1) * 2 * cltc_size <= cltc_capacity); \
  const ulong cltc_back = (ulong)((cltc_groups - cltc_group) * 2 * cltc_size <= cltc_capacity); \
  const ulong cltc_begin = \
      cltc_front ? cltc_group * cltc_size : cltc_capacity - (cltc_groups - cltc_group) * cltc_size; \
  const ulong cltc_spare = 4 + (ulong)cltc_capacity * ((n) + 1); \
  const ulong cltc_own = 4 + (cltc_begin + cltc_lane) * ((n) + 1); \
  __global uint *const cltc_r = cltc_planes + ((cltc_front | cltc_back) ? cltc_own : cltc_spare); \
  stores \
  cltc_r[n] = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); \
  __global uint *const cltc_head = cltc_planes + ((cltc_group | cltc_lane) == 0 ? 0 : cltc_spare + (n) + 1); \
  cltc_head[0] = (uint)cltc_groups; \
  cltc_head[1] = (uint)cltc_size; \
  cltc_head[2] = cltc_capacity; \
  cltc_head[3] = 0u; }
#ifdef CLTC_DIRECT
#define CLTC_SETTLED(n, stores) CLTC_PLANES(n, stores)
#else
#define CLTC_SETTLED(n, stores) { \
  cltc_planes[0] = (uint)(get_num_groups(0) * get_num_groups(1) * get_num_groups(2)); \
  cltc_planes[1] = (uint)CLTC_SIZE; \
  cltc_planes[3] = 1u; \
  cltc_planes[4] = (uint)CLTC_LOCAL(0); cltc_planes[7] = (uint)get_global_size(0); \
  cltc_planes[5] = (uint)CLTC_LOCAL(1); cltc_planes[8] = (uint)get_global_size(1); \
  cltc_planes[6] = (uint)CLTC_LOCAL(2); cltc_planes[9] = (uint)get_global_size(2); }
#endif
#define CLTC_ALONG(d, i) \
  (cltc_planes[7 + (d)] - (i) * cltc_planes[4 + (d)] < cltc_planes[4 + (d)] \
       ? cltc_planes[7 + (d)] - (i) * cltc_planes[4 + (d)] \
       : cltc_planes[4 + (d)])
#define CLTC_ACROSS(d) ((cltc_planes[7 + (d)] + cltc_planes[4 + (d)] - 1u) / cltc_planes[4 + (d)])
#define CLTC_RECORD(r, group, differing, items) \
  if (atomic_cmpxchg(&cltc_flags[r], 0u, 1u) == 0u) { \
    cltc_flags[(r) + 1] = cltc_launch; \
    cltc_flags[(r) + 2] = (group); \
    cltc_flags[(r) + 3] = (differing); \
    cltc_flags[(r) + 4] = (items); \
  }
