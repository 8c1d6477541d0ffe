// BUFFER: in int 64 random:11:0:9 ro
// BUFFER: out int 64 none wo
// BUFFER: stage float 64 none
// BUFFER: sums int 64 none wo
// BUFFER: given int 64 none wo
// BUFFER: points float4 64 none
// BUFFER: lengths float 64 none wo
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
// KERNEL: half_of
// GLOBAL: 32
// LOCAL: 16
// ARG: in
// ARG: stage
// KERNEL: positions
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: points
// KERNEL: measure
// GLOBAL: 64
// LOCAL: 16
// ARG: points
// ARG: lengths
// READ: lengths
// READ: points nosum
// READ: stage nosum
// WHY: what has no value is not used: elements, members and components that are left out; a loop leaves before; a copy of a structure; a buffer of which the host reads more than was written.
typedef struct {
  char kind;
  int weight, spare;
} Item;

int pick(int v) {
  int result;
  if (v > 4)
    result = v * 2;
  else
    result = -v;
  return result + 1;
}

kernel void parts(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int ring[4], never, best, any = 0;
  Item it, copy;
  int4 v;
  float4 w;
  ring[0] = in[i];
  ring[1] = 3;
  it.kind = (char)in[i];
  it.weight = 5;
  copy = it;
  v.xy = (int2)(1, in[i]);
  w.xyz = (float3)(1.0f, 2.0f, 3.0f);
  w = w * 2.0f;
  for (int k = 0; k < 4; k++) {
    if (!any || k > best)
      best = k * in[i];
    any = 1;
  }
  never = ring[3];
  out[i] = ring[in[i] & 1] + copy.kind + copy.weight + v.x + v.y + (int)(w.x + w.y) + best + pick(in[i]);
}

kernel void tile_sum(global const int *in, global int *sums, local int *given) {
  local int tile[16], unused[4];
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 8)
    tile[l] = in[i];
  given[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[i] = tile[7 - (l & 7)] + given[15 - l];
}

kernel void half_of(global const int *in, global float *stage) {
  size_t i = get_global_id(0);
  stage[i] = in[2 * i] + in[2 * i + 1];
}

kernel void positions(global const int *in, global float4 *points) {
  size_t i = get_global_id(0);
  float4 p;
  p.x = in[i];
  p.y = 2.0f;
  p.z = 3.0f;
  points[i] = p;
}

kernel void measure(global const float4 *points, global float *lengths) {
  size_t i = get_global_id(0);
  lengths[i] = length(points[i].xyz);
}

kernel void given_part(global const int *in, global int *given, local int *tile, local float2 *pairs) {
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 8)
    tile[l] = in[i];
  pairs[l].x = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int never = tile[12];
  given[i] = tile[7 - (l & 7)] + (int)pairs[15 - l].x;
}
