// BUFFER: in int 64 random:27:0:9 ro
// BUFFER: out int 64 none wo
// KERNEL: encode
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: the switch has no default, code stays unset for values of 3 and more.
__kernel void encode(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int code;
    switch (in[i]) {
    case 0: code = 17; break;
    case 1: code = 34; break;
    case 2: code = 51; break;
    }
    int parity = code & 1; // ERROR: uninitialized-read
    out[i] = parity + 2;
}
