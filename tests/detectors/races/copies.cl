/* Asynchronous copies: they run from the call until wait_group_events returns. */

/* The tile is loaded while it is copied. */
__kernel void no_wait(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t done = async_work_group_copy(tile, in + get_group_id(0) * n, n, 0); //@no_wait_copy
  out[get_global_id(0)] = tile[i]; //@no_wait_load
  wait_group_events(1, &done);
}

__kernel void with_wait(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t done = async_work_group_copy(tile, in + get_group_id(0) * n, n, 0);
  wait_group_events(1, &done);
  out[get_global_id(0)] = tile[n - 1 - i];
}

/* A barrier does not wait for copies. */
__kernel void barrier_for_wait(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t done = async_work_group_copy(tile, in + get_group_id(0) * n, n, 0); //@barrier_copy
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i]; //@barrier_load
  wait_group_events(1, &done);
}

/* The tile is copied out before all have stored their elements. */
__kernel void copy_too_early(__global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i + 1; //@early_store
  event_t done = async_work_group_copy(out + get_group_id(0) * n, tile, n, 0); //@early_copy
  wait_group_events(1, &done);
}

__kernel void copy_in_time(__global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out + get_group_id(0) * n, tile, n, 0);
  wait_group_events(1, &done);
}

/* What is copied is changed before the copy is over. */
__kernel void source_changes(__global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out + get_group_id(0) * n, tile, n, 0); //@source_copy
  tile[i] = 0; //@source_store
  wait_group_events(1, &done);
}

__kernel void source_changes_later(__global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out + get_group_id(0) * n, tile, n, 0);
  wait_group_events(1, &done);
  tile[i] = 0;
}

/* Two copies fill the tile; the second begins one element too early. */
__kernel void copies_meet(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  event_t done[2];
  done[0] = async_work_group_copy(tile, in, 8, 0); //@meet_first
  done[1] = async_work_group_copy(tile + 7, in + 32, 8, 0); //@meet_second
  wait_group_events(2, done);
  out[get_global_id(0)] = tile[i % 8];
}

__kernel void copies_apart(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  event_t done[2];
  done[0] = async_work_group_copy(tile, in, 8, 0);
  done[1] = async_work_group_copy(tile + 8, in + 32, 8, 0);
  wait_group_events(2, done);
  out[get_global_id(0)] = tile[i % 8];
}

/* One of two copies is waited for. */
__kernel void one_of_two(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t first = async_work_group_copy(a, in, n, 0);
  event_t second = async_work_group_copy(b, in + n, n, 0); //@two_copy
  wait_group_events(1, &first);
  out[get_global_id(0)] = a[i] + b[i]; //@two_load
  wait_group_events(1, &second);
}

/* Both are, the second one first, and each is used when it was. */
__kernel void one_by_one(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t first = async_work_group_copy(a, in, n, 0);
  event_t second = async_work_group_copy(b, in + n, n, 0);
  wait_group_events(1, &second);
  int sum = b[i];
  wait_group_events(1, &first);
  out[get_global_id(0)] = sum + a[i];
}

/* The second copy gets the event of the first, so that one wait is for both. */
__kernel void handed_on(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t both = async_work_group_copy(a, in, n, 0);
  both = async_work_group_copy(b, in + n, n, both);
  wait_group_events(1, &both);
  out[get_global_id(0)] = a[i] + b[i];
}

/* The event is one for both, though the second call's result is not kept; it is used again after the wait. */
__kernel void handed_on_twice(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t both = async_work_group_copy(a, in, n, 0);
  for (int k = 0; k < 3; k++) {
    async_work_group_copy(b, in + n, n, both);
    wait_group_events(1, &both);
    out[get_global_id(0)] = a[i] + b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

/* It gets none: nobody waits for the first. */
__kernel void not_handed_on(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t both = async_work_group_copy(a, in, n, 0); //@lost_copy
  both = async_work_group_copy(b, in + n, n, 0);
  wait_group_events(1, &both);
  out[get_global_id(0)] = a[i] + b[i]; //@lost_load
}

static void begin(__local int *to, __global const int *from, size_t n, event_t *done) {
  *done = async_work_group_copy(to, from, n, (event_t)0); //@begin_copy
}

/* Two tiles, in which forty copies are begun one after another: while one is used the next one is copied. */
__kernel void two_tiles(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t done[2];
  int sum = 0;
  begin(a, in, n, &done[0]);
  for (int k = 0; k < 40; k++) {
    begin(k % 2 == 0 ? b : a, in, n, &done[(k + 1) % 2]);
    wait_group_events(1, &done[k % 2]);
    sum += k % 2 == 0 ? a[i] : b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  wait_group_events(2, done);
  out[get_global_id(0)] = sum;
}

/* It waits for the one that is copied, and uses the other. */
__kernel void wrong_tile(__global const int *in, __global int *out, __local int *a, __local int *b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t done[2];
  begin(a, in, n, &done[0]);
  begin(b, in, n, &done[1]);
  wait_group_events(1, done);
  out[get_global_id(0)] = b[i]; //@wrong_load
  wait_group_events(1, done + 1);
}

/* Every other element is copied: those between may be stored. */
__kernel void strided_own(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_strided_copy(out + get_group_id(0) * n * 2, tile, n, 2, 0);
  out[(get_group_id(0) * n + i) * 2 + 1] = in[i];
  wait_group_events(1, &done);
}

__kernel void strided_shared(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_strided_copy(out + get_group_id(0) * n * 2, tile, n, 2, 0); //@strided_copy
  out[(get_group_id(0) * n + i) * 2] = in[i] + 100; //@strided_store
  wait_group_events(1, &done);
}

/* All groups copy to the same place. */
__kernel void groups_copy(__global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out, tile, n, 0); //@groups_copy
  wait_group_events(1, &done);
}

/* Work-items that do not agree on a copy. */
__kernel void other_arguments(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  event_t done = async_work_group_copy(tile, in + i, n, 0); //@other_arguments
  wait_group_events(1, &done);
  out[get_global_id(0)] = tile[i];
}

__kernel void some_copy(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) {
    event_t done = async_work_group_copy(tile, in, n, 0); //@some_copy
    wait_group_events(1, &done);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i];
}

__kernel void all_copy(__global const int *in, __global int *out, __local int *tile, int wanted) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (wanted) {
    event_t done = async_work_group_copy(tile, in, n, 0);
    wait_group_events(1, &done);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i];
}
