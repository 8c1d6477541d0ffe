// Accesses to local memory at places that never change, one of a word and one of a byte in it.
kernel void byte(global const int *values) {
  local int last[2][3];
  if (get_local_id(0) == 0) {
    last[1][2] = values[get_global_id(0)]; //@word
  }
  local char *p = (local char *)&(last[0][0]);
  if (get_local_id(0) == 1) {
    p[sizeof(int) * 5 + 2] = 42; //@byte
  }
}

/* Words at odd places that share no byte, and others that do. */
kernel void odd_words(global uchar *a) {
  const int i = get_global_id(0);
  *(global uint *)(a + 5 * i + 1) = i;
}
kernel void odd_words_that_meet(global uchar *a) {
  const int i = get_global_id(0);
  *(global uint *)(a + 3 * i + 1) = i; //@odd_word
}
typedef struct { uchar c; uint v; } odd_record;
kernel void odd_members(global uchar *a) {
  const int i = get_global_id(0);
  ((global odd_record *)(a + 9 * i))->v = i;
}
kernel void odd_members_that_meet(global uchar *a) {
  const int i = get_global_id(0);
  ((global odd_record *)(a + 2 * i))->v = i; //@odd_member
}
