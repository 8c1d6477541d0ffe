// EXPECT: uninitialized-read
// BUFFER: in int 64 random:3:0:9 ro
// BUFFER: peaks int 64 none wo
// KERNEL: find_peaks
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: peaks
// READ: peaks zeros
// WHY: no element is above 9, so nothing is written; the program ends otherwise where what it reads is not 0.
kernel void find_peaks(global const int *in, global int *peaks) {
  const int i = get_global_id(0);
  if (in[i] > 9)
    peaks[i] = 1;
}
