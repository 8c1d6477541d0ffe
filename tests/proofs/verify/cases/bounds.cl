// Accesses that leave their buffers, or could not be shown not to.

// After two loops: the first work-items are before the beginning.
// expect out-of-bounds behind_loops a
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 3}, "buffers": {"a": {"bytes": 1024}}}]}
kernel void behind_loops(global int *a, int n) {
  const int l = get_local_id(0);
  for (int i = 0; i < 3; i++) {
    for (int j = l; j < n; j += get_local_size(0)) {
    }
  }
  a[l - 2] = l; //! write
}

// In the third iteration of a loop whose end is an argument.
// expect out-of-bounds third_iteration a
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 3}, "buffers": {"a": {"bytes": 64}}}]}
// expect verified third_iteration
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 2}, "buffers": {"a": {"bytes": 64}}}]}
// assumes no signed overflow
kernel void third_iteration(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    a[get_global_id(0) + 8 * j] = j; //! write
  }
}

// The iteration that leaves the buffer is the thousandth: nobody goes so far, and nobody may say that all stay inside.
// expect verified thousandth
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 1001}, "buffers": {"a": {"bytes": 32000}}}]}
// assumes a write of a at bounds.cl:36
// expect verified thousandth
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 1000}, "buffers": {"a": {"bytes": 32000}}}]}
// assumes no signed overflow
kernel void thousandth(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    a[get_global_id(0) + 8 * j] = j;
  }
}

// What an index is read from may hold anything, or what a launch had there.
// expect verified gather
// ask {"launches": [{"local": [8], "groups": [2], "buffers": {"out": {"bytes": 64}, "in": {"bytes": 64}, "index": {"bytes": 64}}}]}
// assumes a read of in at bounds.cl:49
// expect verified gather
// ask {"launches": [{"local": [8], "groups": [2], "buffers": {"out": {"bytes": 64}, "in": {"bytes": 64}, "index": {"bytes": 64, "contents": ["within:0:15"]}}}]}
// assumes nothing
kernel void gather(global int *out, global const int *in, global const int *index) {
  const int i = get_global_id(0);
  out[i] = in[index[i]];
}

// An element that is larger than the buffer.
// expect out-of-bounds larger_than_all a[0]
// ask {"launches": [{"local": [1], "groups": [1], "buffers": {"a": {"bytes": 4}}}]}
kernel void larger_than_all(global char *a) {
  *(global long *)a = 1; //! write
}

// Asynchronous copies: 16 elements of 4 bytes.
// expect out-of-bounds copy_behind t
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}, "t": {"local_bytes": 60}}}]}
// expect verified copy_behind
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}, "t": {"local_bytes": 64}}}]}
// assumes nothing
kernel void copy_behind(global int *a, local int *t) {
  event_t e = async_work_group_copy(t, a, 16, 0); //! write
  wait_group_events(1, &e);
}

// Only where a group is one work-item.
// expect out-of-bounds alone t
kernel void alone(global int *a) {
  local int t[1024];
  t[get_local_size(0) - 2 + get_local_id(0)] = get_local_id(0); //! write
  a[get_global_id(0)] = 1;
}

// A local array is as large as it is for all sizes: the proof needs the size of the group.
// expect verified needs_size ; get_work_dim() == 1; get_local_size(0) <= 64
// ask {"dimensions": 1, "assume": ["get_local_size(0) <= 64"]}
// expect out-of-bounds needs_size t
// ask {"dimensions": 1, "assume": ["get_local_size(0) <= 65"]}
kernel void needs_size(global int *a) {
  local int t[64];
  t[get_local_id(0)] = 1;
  a[get_global_id(0)] = t[get_local_id(0)];
}

// A pointer that is null on one way, and goes through a helper.
// expect out-of-bounds null_on_one_way
// ask {"local": [8], "groups": [1]}
float *one_of(float *p, int i) { return i != 0 ? p : 0; }
kernel void null_on_one_way(int i) {
  float x = 0;
  float *y = one_of(&x, i);
  y[0] = y[0] + 1; //! read? write?
}

// What other launches need is an expression: as many elements as are asked for.
// expect verified guarded ; elements(a) >= n; elements(b) >= n
// ask {"launches": [{"count": 1, "dimensions": 1, "local": [32, 1, 1], "groups": [4, 1, 1], "offset": [0, 0, 0], "arguments": {"n": 120}, "buffers": {"a": {"bytes": 480}, "b": {"bytes": 480}}}, {"count": 1, "dimensions": 1, "local": [32, 1, 1], "groups": [8, 1, 1], "offset": [0, 0, 0], "arguments": {"n": 250}, "buffers": {"a": {"bytes": 1000}, "b": {"bytes": 1000}}}]}
kernel void guarded(global float *a, global const float *b, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    a[i] = b[i];
  }
}

// Some more than there are work-items.
// expect verified some_more ; elements(a) >= get_global_size(0); elements(k) >= get_global_size(0) + 8; get_global_offset(0) == 0
// ask {"launches": [{"count": 1, "dimensions": 1, "local": [32, 1, 1], "groups": [4, 1, 1], "offset": [0, 0, 0], "buffers": {"a": {"bytes": 512}, "k": {"bytes": 544}}}, {"count": 1, "dimensions": 1, "local": [32, 1, 1], "groups": [8, 1, 1], "offset": [0, 0, 0], "buffers": {"a": {"bytes": 1024}, "k": {"bytes": 1056}}}]}
kernel void some_more(global int *a, global const int *k) {
  a[get_global_id(0)] = k[get_global_id(0) + 8];
}

// Ids that do not begin at 0 are not followed.
// expect verified with_offset ; accesses stay inside their buffers, as in the launches that were seen
// ask {"launches": [{"count": 1, "dimensions": 1, "local": [32, 1, 1], "groups": [4, 1, 1], "offset": [16, 0, 0], "buffers": {"a": {"bytes": 576}}}]}
kernel void with_offset(global int *a) { a[get_global_id(0)] = 1; }

// The second dimension is not asked for, and what is known of it is no matter.
// expect verified other_dimension ; get_work_dim() == 2; get_local_size(1) == 1; get_num_groups(1) == 1; elements(a) >= get_global_size(0); get_global_offset(0) == 0
// ask {"launches": [{"count": 1, "dimensions": 2, "local": [8, 1, 1], "groups": [4, 1, 1], "offset": [0, 0, 0], "buffers": {"a": {"bytes": 128}}}]}
kernel void other_dimension(global int *a) { a[get_global_id(0)] += 1; }
