// BUFFER: keys int 32 random:6:0:50 ro
// BUFFER: items ulong 64 none
// BUFFER: sorted ulong 64 none
// BUFFER: out int 32 none wo
// KERNEL: build
// GLOBAL: 32
// LOCAL: 16
// ARG: keys
// ARG: items
// KERNEL: move_items
// GLOBAL: 32
// LOCAL: 16
// ARG: items
// ARG: sorted
// KERNEL: unpack
// GLOBAL: 32
// LOCAL: 16
// ARG: sorted
// ARG: out
// READ: out
// READ: sorted nosum
// WHY: structures with 7 bytes of padding are copied as a whole; padding has no value, though the host reads its bytes too.
typedef struct {
    char tag;
    long weight;
} Item;

__kernel void build(__global const int *keys, __global Item *items)
{
    size_t i = get_global_id(0);
    Item it;
    it.tag = (char)(keys[i] & 63);
    it.weight = keys[i] * 3L;
    items[i] = it;
}

__kernel void move_items(__global const Item *items, __global Item *sorted)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    sorted[n - 1 - i] = items[i];
}

__kernel void unpack(__global const Item *sorted, __global int *out)
{
    size_t i = get_global_id(0);
    out[i] = sorted[i].tag + (int)sorted[i].weight;
}
