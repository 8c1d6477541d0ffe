// Launches that were seen: sizes, scalars, which buffers are the same memory, sizes and contents of buffers.

// The scalar makes the difference.
// expect verified stride
// slow
// ask {"launches": [{"local": [64], "groups": [4], "arguments": {"s": 1}, "buffers": {"a": {"bytes": 1024}}}]}
// expect race stride a
// ask {"launches": [{"local": [64], "groups": [4], "arguments": {"s": 0}, "buffers": {"a": {"bytes": 1024}}}]}
kernel void stride(global int *a, int s) {
  a[get_global_id(0) * s] = get_global_id(0); //! write
}

// Two names of one memory.
// expect race same_memory
// ask {"launches": [{"local": [64], "groups": [4], "buffers": {"a": {"bytes": 2048, "memory": 1}, "b": {"bytes": 2048, "memory": 1}}}]}
// expect verified same_memory
// ask {"launches": [{"local": [64], "groups": [4], "buffers": {"a": {"bytes": 2048, "memory": 1}, "b": {"bytes": 2048, "memory": 2}}}]}
// expect race same_memory
// ask {"local": [64], "groups": [4]}
// with {"alias": true}
kernel void same_memory(global int *a, global int *b) {
  const int i = get_global_id(0);
  a[i] = b[i + 1]; //! write read
}

// Beyond the end by one element, where the size is known.
// expect out-of-bounds one_too_many a[256]
// ask {"launches": [{"local": [64], "groups": [4], "arguments": {"n": 256}, "buffers": {"a": {"bytes": 1024}}}]}
// expect verified one_too_many
// ask {"launches": [{"local": [64], "groups": [4], "arguments": {"n": 255}, "buffers": {"a": {"bytes": 1024}}}]}
// expect verified one_too_many
// ask {"launches": [{"local": [64], "groups": [4], "arguments": {"n": 256}, "buffers": {"a": {"bytes": 1024}}}]}
// with {"bounds": false}
kernel void one_too_many(global int *a, int n) {
  const int i = get_global_id(0);
  if (i + 1 <= n) {
    a[i + 1] = 1; //! write
  }
}

// Below the beginning.
// expect out-of-bounds before_begin a
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"a": {"bytes": 256}, "b": {"bytes": 256}}}]}
kernel void before_begin(global const int *a, global int *b) {
  const int i = get_global_id(0);
  b[i] = a[i - 1]; //! read
}

// A local argument, and an array of the kernel.
// expect out-of-bounds local_argument t[64]
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"t": {"local_bytes": 256}, "a": {"bytes": 256}}}]}
kernel void local_argument(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l + 1] = l; //! write
  a[l] = 1;
}

// expect out-of-bounds array_of_kernel t[32]
// ask {"local": [64], "groups": [1]}
kernel void array_of_kernel(global int *a) {
  local int t[32];
  const int l = get_local_id(0);
  if (l <= 32) {
    t[l] = l; //! write
  }
  a[l] = 1;
}

// Values within the buffer: no access is out of bounds.
// expect verified gather
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"out": {"bytes": 256}, "in": {"bytes": 128}, "index": {"bytes": 256, "contents": ["within:0:31"]}}}]}
kernel void gather(global int *out, global const int *in, global const int *index) {
  out[get_global_id(0)] = in[index[get_global_id(0)]];
}

// All launches hold for sizes that are powers of two.
// expect verified several_launches ; elements(a) >= get_global_size(0); get_global_offset(0) == 0
// ask {"launches": [{"local": [32], "groups": [4], "buffers": {"a": {"bytes": 512}}}, {"local": [64], "groups": [2], "buffers": {"a": {"bytes": 512}}}, {"local": [16], "groups": [8], "buffers": {"a": {"bytes": 512}}}]}
kernel void several_launches(global int *a) { a[get_global_id(0)] = 1; }

// One of the launches goes wrong.
// expect race one_goes_wrong a
// ask {"launches": [{"local": [32], "groups": [1], "arguments": {"n": 0}, "buffers": {"a": {"bytes": 512}}}, {"local": [32], "groups": [1], "arguments": {"n": 1}, "buffers": {"a": {"bytes": 512}}}]}
kernel void one_goes_wrong(global int *a, int n) {
  a[n == 1 ? 0 : get_global_id(0)] = get_local_id(0); //! write
}

// Where the host put a permutation, nobody meets.
// expect verified scatter
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"out": {"bytes": 256}, "index": {"bytes": 256, "contents": ["distinct", "within:0:63"]}}}]}
// expect possible-race scatter out
// ask {"local": [64], "groups": [1]}
kernel void scatter(global int *out, global const int *index) {
  out[index[get_global_id(0)]] = get_global_id(0); //! write
}

// expect verified identity
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"out": {"bytes": 256}, "index": {"bytes": 256, "contents": ["identity"]}}}]}
kernel void identity(global int *out, global const int *index) {
  out[index[get_global_id(0)]] = get_global_id(0);
}

// Rows of a sparse matrix: where the next begins, this one ends.
// expect verified sparse_rows
// slow
// ask {"launches": [{"local": [16], "groups": [1], "buffers": {"out": {"bytes": 4096}, "begin": {"bytes": 68, "contents": ["ascending", "within:0:1024"]}}}]}
kernel void sparse_rows(global int *out, global const int *begin) {
  const int row = get_global_id(0);
  for (int j = begin[row]; j < begin[row + 1]; j++) {
    out[j] = row;
  }
}

// Halves of one memory, or parts that overlap by 4 bytes.
// expect verified parts
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"a": {"bytes": 256, "memory": 1, "offset": 0}, "b": {"bytes": 256, "memory": 1, "offset": 256}}}]}
// expect race parts
// ask {"launches": [{"local": [64], "groups": [1], "buffers": {"a": {"bytes": 256, "memory": 1, "offset": 0}, "b": {"bytes": 256, "memory": 1, "offset": 252}}}]}
kernel void parts(global int *a, global int *b) {
  const int i = get_local_id(0);
  a[i] = 1;  //! write
  b[i] = 2;  //! write
}

// Scalars that are no integers.
// expect verified other_scalars
// ask {"launches": [{"local": [32], "groups": [1], "arguments": {"x": {"bytes": "0000803f"}, "s": {"bytes": "0500000006000000"}}, "buffers": {"a": {"bytes": 512}}}]}
struct two {
  int first, second;
};
kernel void other_scalars(global int *a, float x, struct two s) {
  if (s.first == 5 && s.second == 6) {
    a[get_global_id(0)] = (int)x;
  } else {
    a[0] = get_local_id(0);
  }
}
