/* Elements of global memory that work-items of one group share. Each launch has one group. */

/* Two work-items store other values to one element. */
__kernel void halves(__global int *out) {
  out[get_global_id(0) / 2] = (int)get_global_id(0); //@halves
}

__kernel void wholes(__global int *out) {
  out[get_global_id(0)] = (int)get_global_id(0);
}

/* An update in place reads the neighbour's element, which the neighbour stores. */
__kernel void shift(__global int *data) {
  size_t i = get_global_id(0);
  if (i + 1 < get_global_size(0)) {
    data[i] = data[i + 1] + 1; //@shift
  }
}

__kernel void shift_ordered(__global int *data) {
  size_t i = get_global_id(0);
  int next = i + 1 < get_global_size(0) ? data[i + 1] + 1 : data[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] = next;
}

/* Only the element at the border is shared: each work-item stores its 4 elements and one more. */
__kernel void one_more(__global int *out) {
  int i = get_global_id(0);
  for (int k = 0; k <= 4; k++) {
    out[i * 4 + k] = i; //@one_more
  }
}

__kernel void four_each(__global int *out) {
  int i = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    out[i * 4 + k] = i;
  }
}

/* Updates of one counter are lost. */
__kernel void lost_update(__global int *count) {
  count[get_global_id(0) % 4] += (int)get_global_id(0) + 1; //@lost_update
}

__kernel void kept_update(__global int *count) {
  atomic_add(&count[get_global_id(0) % 4], (int)get_global_id(0) + 1);
}

/* All store the same value: benign. */
__kernel void same_value(__global int *found, __global const int *in) {
  if (in[get_global_id(0)] >= 0) {
    found[0] = 1; //@same_value
  }
}

/* All but one store the same value. */
__kernel void one_other_value(__global int *found) {
  found[0] = get_global_id(0) == 5 ? 7 : 1; //@other_value
}

/* Only one work-item stores. */
__kernel void one_store(__global int *found) {
  if (get_local_id(0) == 0) {
    found[0] = 1;
  }
}

/* One stores what the others load. */
__kernel void store_and_load(__global int *found, __global int *out) {
  if (get_local_id(0) == 0) {
    found[0] = 1; //@loaded_store
  } else {
    out[get_local_id(0)] = found[0]; //@loaded_load
  }
}

/* An index that is limited to the last element makes all that lie after store there. */
__kernel void limited(__global int *out, int n) {
  out[min((int)get_global_id(0), n - 1)] = (int)get_global_id(0); //@limited
}

__kernel void left_out(__global int *out, int n) {
  if ((int)get_global_id(0) < n) {
    out[get_global_id(0)] = (int)get_global_id(0);
  }
}

/* A matrix of 8 columns whose rows are taken for 7 long. */
__kernel void short_rows(__global int *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 7 + x] = y * 100 + x; //@short_rows
}

__kernel void full_rows(__global int *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 8 + x] = y * 100 + x;
}

/* Slots of a list by an atomic counter: each is another's, whatever the order. */
__kernel void slots(__global int *count, __global int *list) {
  list[atomic_inc(count)] = (int)get_global_id(0);
}

__kernel void slots_plain(__global int *count, __global int *list) {
  int slot = count[0]; //@slots_load
  count[0] = slot + 1 + (int)get_global_id(0); //@slots_store
  list[get_global_id(0)] = slot;
}

/* A loop that steps by the group's size; one that steps by less comes upon the others' elements. */
__kernel void strides(__global int *out, int step) {
  for (int i = get_local_id(0); i < 64; i += step) {
    out[i] = (int)get_local_id(0); //@strides
  }
}

/* An element is stored twice by the same work-item, and loaded by it. */
__kernel void own_twice(__global int *out) {
  size_t i = get_global_id(0);
  out[i] = 1;
  out[i] += 2;
  out[i] = out[i] * out[i];
}

/* All load what nobody stores. */
__kernel void all_load(__global const int *in, __global int *out) {
  out[get_global_id(0)] = in[0] + in[1] + in[get_global_id(0) / 2];
}
