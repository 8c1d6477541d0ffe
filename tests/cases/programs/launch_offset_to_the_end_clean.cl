// EXPECT: clean
// RUN: put b0:1024 i256 @256:64 b0 i256 @128:64:128 b0 i256 @128:64:192
// WHY: nobody stores after a[255].
kernel void put(global int *a, int n) {
  if (get_global_id(0) < n) {
    a[get_global_id(0)] = 1;
  }
}
