// What the source is written with: helpers, structures, vectors, private arrays, tables, casts, macros.

// The two accesses are in helpers; the finding says from where they are called.
// expect race helpers a
// ask {"local": [64], "groups": [1]}
void put(global int *to, int at, int what) {
  to[at] = what; //! write
}
int take(global const int *from, int at) {
  return from[at]; //! read
}
kernel void helpers(global int *a) {
  const int i = get_global_id(0);
  put(a, i, 1); //! inlined
  put(a + 64, i, take(a, i + 1)); //! inlined?
}

int two_deep(global int *a, int at) { return take(a, 2 * at) + take(a, 2 * at + 1); }

// expect verified helpers_apart
// ask {"local": [64], "groups": [4]}
kernel void helpers_apart(global int *a, global int *b) {
  const int i = get_global_id(0);
  put(b, i, two_deep(a, i));
}

struct pair {
  int first, second;
};

// expect verified structures
// ask {"local": [64], "groups": [4]}
kernel void structures(global struct pair *p, struct pair by_value) {
  const int i = get_global_id(0);
  struct pair mine = p[i];
  mine.first += by_value.second;
  p[i] = mine;
}

// One member of a neighbour is read while it writes the other: they are not the same bytes.
// expect verified other_members
// ask {"local": [64], "groups": [4]}
kernel void other_members(global struct pair *p) {
  const int i = get_global_id(0);
  p[i].first = p[i + 1].second;
}

// expect race same_members p
// ask {"local": [64], "groups": [4]}
kernel void same_members(global struct pair *p) {
  const int i = get_global_id(0);
  p[i].first = p[i + 1].first; //! read write
}

// expect verified vectors
// ask {"local": [64], "groups": [4]}
kernel void vectors(global float4 *a, global float4 *b) {
  const int i = get_global_id(0);
  float4 v = b[i];
  v.xy = v.zw;
  a[i] = v * 2.0f;
}

// A component is written by each of four: each writes one, none the whole vector.
// expect verified components_by_pointer
// ask {"local": [64], "groups": [1]}
kernel void components_by_pointer(global float4 *a) {
  const int i = get_global_id(0);
  ((global float *)a)[i] = 1.0f;
}

// The vector of a neighbour overlaps by three elements.
// expect race overlapping a
// ask {"local": [64], "groups": [1]}
// with {"benign": false}
kernel void overlapping(global float *a) {
  const int i = get_global_id(0);
  vstore4((float4)(i), 0, a + i); //! write
}

// expect verified vector_loads
// ask {"local": [64], "groups": [4]}
kernel void vector_loads(global float *a, global const float *b) {
  const int i = get_global_id(0);
  vstore4(vload4(i, b), i, a);
}

// Three floats each, packed: not a float4.
// expect verified threes
// ask {"local": [64], "groups": [4]}
kernel void threes(global float *a) {
  const int i = get_global_id(0);
  vstore3((float3)(1.0f), i, a);
}

// A float3 in memory takes the room of four, and the fourth is nobody's.
// expect verified threes_in_memory
// ask {"local": [64], "groups": [4]}
kernel void threes_in_memory(global float3 *a) { a[get_global_id(0)] = (float3)(1.0f); }

// expect possible-race mixed_widths a
// ask {"local": [64], "groups": [1]}
kernel void mixed_widths(global int *a) {
  const int i = get_global_id(0);
  a[i] = 0; //! write
  ((global char *)a)[i] = 1; //! write
}

// expect verified private_arrays
// ask {"local": [64], "groups": [4]}
kernel void private_arrays(global int *a, int n) {
  int mine[8];
  for (int j = 0; j < 8; j++) {
    mine[j] = j * n;
  }
  a[get_global_id(0)] = mine[n & 7];
}

constant int order[4] = {2, 0, 3, 1};
constant int repeats[4] = {2, 0, 2, 1};

// A permutation that the program holds.
// expect verified constant_table
// ask {"local": [4], "groups": [1]}
kernel void constant_table(global int *a) { a[order[get_local_id(0)]] = get_local_id(0); }

// expect race constant_repeats a[2]
// ask {"local": [4], "groups": [1]}
kernel void constant_repeats(global int *a) {
  a[repeats[get_local_id(0)]] = get_local_id(0); //! write
}

#define AT(array, i) array[(i) * 2 + 1]

// expect verified through_macro
// ask {"local": [64], "groups": [4]}
kernel void through_macro(global int *a) { AT(a, get_global_id(0)) = AT(a, get_global_id(0)) + 1; }

// A pointer that is one of two, and moves.
// expect verified chosen_pointer
// ask {"local": [64], "groups": [4]}
kernel void chosen_pointer(global int *a, global int *b, int which) {
  global int *p = which > 0 ? a : b;
  p += get_global_id(0);
  *p = 1;
}

// expect race chosen_pointer_meets
// ask {"local": [64], "groups": [4]}
kernel void chosen_pointer_meets(global int *a, global int *b) {
  global int *p = get_global_id(0) % 2 == 0 ? a : b;
  p[get_global_id(0) / 4] = get_global_id(0); //! write
}

// A local array of the kernel, in two dimensions.
// expect verified local_array
// slow
// ask {"local": [16, 16], "groups": [2, 2]}
kernel void local_array(global int *a) {
  local int tile[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tile[x][y];
}

// A null pointer is no memory of anyone.
// expect verified null_or_not
// ask {"local": [64], "groups": [4]}
kernel void null_or_not(global int *a, int n) {
  global int *p = n > 0 ? a : (global int *)0;
  if (p != 0) {
    p[get_global_id(0)] = 1;
  }
}

// Nobody knows what a function does that is only declared.
// expect verified only_declared
// ask {"local": [64], "groups": [4]}
// assumes somewhere_else, whose body is not there
int somewhere_else(int i);
kernel void only_declared(global int *a) { a[get_global_id(0)] = somewhere_else(get_local_id(0)); }
