// What the doctor has the front end instrument, and each device run.
__kernel void probe(__global int *out) {
  const int i = (int)get_global_id(0);
  if (i >= 0)
    out[i] = i;
}
