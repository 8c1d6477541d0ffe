// EXPECT: oob
// RUN: sides b0:32=1,2,3,0xf0000000,5,6,7,8 b1:32 @8:8
// WHY: the fourth number is above 2^31 - 1, so work-item 3 stores to row[8 + 3], and row has 8 elements.
kernel void sides(global const uint *number, global int *out) {
  local int row[8];
  const int l = get_local_id(0);
  const int side = number[l] > 0x7fffffffu ? 8 : 0;
  row[side + l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = row[l];
}
