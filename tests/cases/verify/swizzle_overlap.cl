// EXPECT: race
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: both store element 2 of vector k: .xyz has it, and so has .hi. Work-item 2k brings its number, work-item 2k + 1 another.
kernel void blend(global float4 *z) {
  const uint i = get_global_id(0);
  if (i & 1) {
    z[i >> 1].hi = (float2)(i, i);
  } else {
    z[i >> 1].xyz = (float3)(i, i, i);
  }
}
