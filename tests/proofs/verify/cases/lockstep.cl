// Sub-groups whose work-items go in lock step (--warp-sync): what one instruction of theirs does is over before the next.

// expect verified shifted
// ask {"local": [32], "groups": [1]}
// with {"warp": 32}
// expect race shifted t
// ask {"local": [32], "groups": [1]}
// expect race shifted t
// ask {"local": [64], "groups": [1]}
// with {"warp": 32}
kernel void shifted(local int *t) {
  const int l = get_local_id(0);
  const int x = t[(l + 1) % get_local_size(0)]; //! read
  t[l] = x; //! write
}

// One instruction of many work-items that write to one place.
// expect race one_instruction t[0]
// ask {"local": [32], "groups": [1]}
// with {"warp": 32}
kernel void one_instruction(local int *t) {
  t[0] = get_local_id(0); //! write
}

// Both branches: in which order they come is not said.
// expect race both_branches t
// ask {"local": [32], "groups": [1]}
// with {"warp": 32}
kernel void both_branches(local int *t) {
  const int l = get_local_id(0);
  if (l < 16) {
    t[l] = l; //! write
  } else {
    t[l - 16] = 5; //! write
  }
}
