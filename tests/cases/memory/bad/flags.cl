// BUFFER: in int 64 ramp
// BUFFER: log int 64 zeros wo
// BUFFER: parts int 128 zeros wo
// BUFFER: seen int 64 ramp
// BUFFER: out int 64 zeros
// SUB: part parts 64 64 wo
// KERNEL: reads_what_is_written
// GLOBAL: 64
// LOCAL: 16
// ARG: log
// ARG: part
// ARG: out
// MAP: seen x
// KERNEL: touches_what_is_mapped
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: seen
// UNMAP: seen
// READ: out
// WHY: memory that was made with CL_MEM_WRITE_ONLY is read: plainly, by an update, by a vector load, in a part of a buffer that has its
// WHY: flags; memory that the host has mapped to write all of it is written, and updated.
int fetch(global const int *from, size_t i) {
  return vload2(i, from).x; // ERROR: write-only
}

kernel void reads_what_is_written(global int *log, global int *part, global int *out) {
  size_t i = get_global_id(0);
  log[i] = (int)i;
  log[i] += 2; // ERROR: write-only
  out[i] = part[i]; // ERROR: write-only
  if (i < 32)
    out[i] += fetch(log, i);
}

kernel void touches_what_is_mapped(global const int *in, global int *seen) {
  size_t i = get_global_id(0);
  seen[i] = in[i]; // ERROR: mapped
  atomic_add(seen + i, 1); // ERROR: mapped
  if (in[i] > 3)
    seen[i] = 3; // ERROR: mapped
}
