// What the doctor has the front end instrument.
__kernel void probe(__global float4 *out) {
  if (get_global_id(0) > 3)
    out[get_global_id(0)] = sqrt(out[0]);
}
