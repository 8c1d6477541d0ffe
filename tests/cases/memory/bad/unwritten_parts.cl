// BUFFER: in int 64 random:11:0:9 ro
// BUFFER: out int 64 none wo
// BUFFER: quads int 64 none
// BUFFER: sums int 64 none wo
// BUFFER: given int 64 none wo
// KERNEL: parts
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// KERNEL: tile_sum
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: quads
// ARG: sums
// ARG: local int 16
// READ: sums
// KERNEL: given_part
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: given
// ARG: local int 16
// ARG: local float2 16
// READ: given
// WHY: an element of a private array, a member of a structure and a component of a vector have no value when they are used; half of a local array has none, nor has that of a parameter; a helper leaves its result unset.
typedef struct {
  int kind, weight;
} Item;

int pick(int v) {
  int result;
  if (v > 4)
    result = v * 2;
  return result + 1; // ERROR: uninitialized-read
}

kernel void parts(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int ring[4];
  Item it;
  int4 v;
  ring[0] = in[i];
  ring[1] = 3;
  it.kind = in[i];
  v.x = 1;
  v.y = in[i];
  int a = ring[in[i] & 3] * 2; // ERROR: uninitialized-read
  int b = it.weight + it.kind; // ERROR: uninitialized-read
  int c = v.x + v.y + v.z;     // ERROR: uninitialized-read
  out[i] = a + 1000 * b + 1000000 * c + pick(in[i]);
}

kernel void tile_sum(global const int *in, global int *quads, global int *sums, local int *given) {
  local int tile[16];
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 8)
    tile[l] = in[i];
  given[l] = in[i];
  quads[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[i] = tile[15 - l] + given[l]; // ERROR: uninitialized-read
}

kernel void given_part(global const int *in, global int *given, local int *tile, local float2 *pairs) {
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 8)
    tile[l] = in[i];
  pairs[l] = (float2)(in[i], 1.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  given[i] = tile[15 - l] + (int)pairs[15 - l].x; // ERROR: uninitialized-read
}
