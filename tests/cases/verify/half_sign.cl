// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: work-item 0 stores 0.5, work-item 1 stores -0.515625 to edge[3]: two values.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void sides(global half *edge) {
  half v = 0.5h;
  if (get_local_id(0) & 1) {
    v = -0.515625h;
  }
  edge[3] = v;
}
