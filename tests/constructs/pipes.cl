__kernel void test(__global int *out, read_only pipe int in) {
  int i = get_global_id(0), v = 3;
  if (read_pipe(in, &v) == 0)
    v++;
  out[i] = v;
}
// Pipes, where the device has them; this one is empty.
// options: -cl-std=CL2.0
// range: 4 2
// args: pipe 8
// code: 1-6
// site: function 1 entered |
// site: if 3 false | true
// lines: 4
// findings: 0
// skip-if-build-fails
