// EXPECT: clean
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: work-item 2k stores bytes 0 to 2 of pixel k, work-item 2k + 1 byte 3: components of a vector are memory of their own.
kernel void compose(global uchar4 *out, global const uchar4 *rgb, global const uchar *alpha) {
  const uint i = get_global_id(0);
  if (i % 2 == 0) {
    out[i / 2].xyz = rgb[i / 2].zyx;
  } else {
    out[i / 2].w = alpha[i / 2];
  }
}
