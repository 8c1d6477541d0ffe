// The kernels that OR what work-items left in slots into flags. Words of an item repeat with the item's size, so that
// each accumulator belongs to one flag word.

// `fold`: bytes of an item, where several are in a word.
void cltc_merge(__global uint *flags, uint word, uint bits, uint fold) {
  if (fold == 1) { bits |= bits >> 16; bits = (bits | bits >> 8) & 0xffu; }
  if (fold == 2) bits = (bits | bits >> 16) & 0xffffu;
  if (bits & ~flags[word]) atomic_or(&flags[word], bits);
}

// For CPU devices: contiguous chunks.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void cltc_chunks(__global uint *flags, __global const uint *slots, ulong total, ulong chunk, uint words,
                 uint period, uint fold) {
  ulong begin = get_global_id(0) * chunk, end = min(begin + chunk, total);
  for (uint v = 0; v < period; v++) {
    uint16 a = (uint16)(0), b = a, c = a, d = a;
    ulong i = begin + v, step = period;
    for (; i + 3 * step < end; i += 4 * step) {
      a |= vload16(i, slots); b |= vload16(i + step, slots);
      c |= vload16(i + 2 * step, slots); d |= vload16(i + 3 * step, slots);
    }
    for (; i < end; i += step) a |= vload16(i, slots);
    uint lanes[16];
    vstore16(a | b | c | d, 0, lanes);
    for (uint e = 0; e < 16; e++)
      if (lanes[e]) cltc_merge(flags, (16 * v + e) % words, lanes[e], fold);
  }
}

// For the others: coalesced strides.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void cltc_strides(__global uint *flags, __global const uint *slots, ulong total, ulong stride, uint words,
                  uint period, uint fold) {
  ulong first = get_global_id(0);
  uint bits = 0;
  if (first >= stride) return;
  for (ulong i = first; i < total; i += stride) bits |= slots[i];
  if (bits) cltc_merge(flags, (uint)(first % words), bits, fold);
}
