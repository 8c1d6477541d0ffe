// BUFFER: in int 64 ramp ro
// BUFFER: log int 64 zeros wo
// BUFFER: parts int 128 zeros
// BUFFER: seen int 64 ramp
// BUFFER: out int 64 zeros
// SUB: part parts 64 64 wo
// MAP: seen x
// UNMAP: seen
// MAP: out r
// UNMAP: out
// MAP: log w
// KERNEL: writes_and_reads
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: part
// ARG: parts
// ARG: seen
// ARG: out
// UNMAP: log
// KERNEL: writes
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: log
// READ: log
// READ: out
// WHY: what was made for reading is read, for writing written; a part may be written alone, though all of it is read by its own name;
// WHY: what was mapped is unmapped before the launch, or is not given to it.
kernel void writes_and_reads(global const int *in, global int *part, global const int *parts, global int *seen, global int *out) {
  size_t i = get_global_id(0);
  part[i] = in[i];
  seen[i] += 1;
  out[i] = seen[i] + parts[i];
}

kernel void writes(global const int *in, global int *log) {
  size_t i = get_global_id(0);
  log[i] = in[i] + 1;
}
