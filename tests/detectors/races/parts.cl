/* Accesses of other sizes than one element: vectors, bytes, structures. Work-items that touch other bytes never race. */

/* A vector and one component of it. */
__kernel void component(__global int4 *data) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i / 2] = (int4)(1, 2, 3, 4); //@component_vector
  } else {
    data[i / 2].z = 9; //@component_z
  }
}

__kernel void components(__global int4 *data) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i / 2].xy = (int2)(1, 2);
  } else {
    data[i / 2].zw = (int2)(3, 4);
  }
}

/* Two swizzles that share the component y. */
__kernel void swizzles(__global int4 *data) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i / 2].xy = (int2)(1, 2); //@swizzle_xy
  } else {
    data[i / 2].yzw = (int3)(7, 8, 9); //@swizzle_yzw
  }
}

/* Components of components: even.lo is x, even.hi is z, lo.y is y. */
__kernel void component_of_component(__global int4 *data) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i / 2].even.lo = (int)i + 1; //@even_lo
  } else {
    data[i / 2].w = data[i / 2].lo.x; //@lo_x
  }
}

__kernel void component_of_component_own(__global int4 *data) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i / 2].even.lo = (int)i + 1;
    (data[i / 2].zyx.lo).x = 3;
  } else {
    data[i / 2].w = data[i / 2].lo.y;
  }
}

/* By an arrow: components 2 and 3 of what the pointer leads to, and all of it. */
__kernel void arrow(__global int4 *data) {
  size_t i = get_global_id(0);
  __global int4 *p = data + i / 2;
  if (i % 2 == 0) {
    p->hi = (int2)(1, 2); //@arrow_hi
  } else {
    p->x = p->zwxy.lo.x; //@arrow_zw
  }
}

__kernel void arrow_own(__global int4 *data) {
  size_t i = get_global_id(0);
  __global int4 *p = data + i / 2;
  if (i % 2 == 0) {
    p->xz += 2;
  } else {
    p->hi.y = p->lo.y + 1;
  }
}

/* All store 7 to one component, which is no data race. */
__kernel void arrow_same(__global int4 *data) {
  __global int4 *p = data;
  p->y = 7; //@arrow_same
}

/* Vectors of four that lie three apart. */
__kernel void vstore_close(__global int *data) {
  int i = get_global_id(0);
  vstore4((int4)(i, i, i, i), 0, data + i * 3); //@vstore_close
}

__kernel void vstore_apart(__global int *data) {
  int i = get_global_id(0);
  vstore4((int4)(i, i, i, i), i, data);
}

/* Vectors of three components lie three apart, and leave the next one alone. */
__kernel void vstore_three(__global int *data) {
  int i = get_global_id(0);
  vstore3((int3)(i, i, i), i, data);
}

__kernel void vload_meets_store(__global const int *in, __global int *data, __global int *out) {
  int i = get_global_id(0);
  int4 near = vload4(0, data + i); //@vload
  data[i] = in[i]; //@vload_store
  out[i] = near.x + near.w;
}

__kernel void vload_ordered(__global const int *in, __global int *data, __global int *out) {
  int i = get_global_id(0);
  int4 near = vload4(0, data + i);
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] = in[i];
  out[i] = near.x + near.w;
}

/* A half has two bytes. */
__kernel void vstore_half_shared(__global half *data) {
  size_t i = get_global_id(0);
  vstore_half((float)i, i / 2, data); //@half
}

__kernel void vstore_half_own(__global half *data) {
  size_t i = get_global_id(0);
  vstore_half((float)i, i, data);
}

/* Bytes of one word. */
__kernel void bytes_own(__global char *data) {
  data[get_global_id(0)] = (char)get_global_id(0);
}

__kernel void bytes_shared(__global char *data) {
  data[get_global_id(0) & ~1ul] = (char)get_global_id(0); //@bytes
}

__kernel void local_bytes_own(__global char *out, __local uchar *tile) {
  size_t i = get_local_id(0);
  tile[i] = (uchar)i;
  tile[i] += 1;
  out[get_global_id(0)] = (char)tile[i];
}

__kernel void shorts_own(__global short *data) {
  data[get_global_id(0)] = (short)get_global_id(0);
}

/* One stores a byte of the word that another loads. */
__kernel void byte_of_a_word(__global uchar *data, __global int *out) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i * 2 + 1] = 200; //@byte_store
  } else {
    out[i] = ((__global int *)data)[i / 2]; //@word_load
  }
}

__kernel void byte_of_another_word(__global uchar *data, __global int *out) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i * 4 + 1] = 200;
  } else {
    out[i] = ((__global int *)data)[i];
  }
}

/* 8 bytes against the upper 4 of them. */
__kernel void upper_half(__global long *data) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    data[i / 2] = 1; //@upper_long
  } else {
    ((__global int *)data)[i / 2 * 2 + 1] = 77; //@upper_int
  }
}

__kernel void long_halves(__global long *data) {
  size_t i = get_global_id(0);
  ((__global int *)data)[i] = (int)i;
}

typedef struct {
  int id;
  float weight;
  int list[2];
} particle;

/* Fields of one structure by two work-items. */
__kernel void fields_own(__global particle *all) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    all[i / 2].id = (int)i;
  } else {
    all[i / 2].weight = (float)i;
  }
}

__kernel void field_shared(__global particle *all) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    all[i / 2].list[1] = (int)i; //@field_even
  } else {
    all[i / 2].list[i % 2] = (int)i; //@field_odd
  }
}

/* A whole structure is copied while a field of it is stored. */
__kernel void copy_and_field(__global particle *all, __global particle *out) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    out[i / 2] = all[i / 2]; //@copy
  } else {
    all[i / 2].weight = 3.0f; //@copy_field
  }
}

__kernel void copy_and_field_ordered(__global particle *all, __global particle *out) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    out[i / 2] = all[i / 2];
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i % 2 == 1) {
    all[i / 2].weight = 3.0f;
  }
}

/* 5 bytes a structure: the numbers lie across words. */
typedef struct __attribute__((packed)) {
  char kind;
  int value;
} entry;

__kernel void packed_own(__global entry *all) {
  size_t i = get_global_id(0);
  all[i].value = (int)i * 1000;
  all[i].kind = (char)i;
}

__kernel void packed_shared(__global entry *all) {
  size_t i = get_global_id(0);
  all[i].value = (int)i * 1000 + 0x01010101; //@packed_value
  ((__global char *)all)[i * 5 + 8] = 0; //@packed_byte
}

typedef union {
  int number;
  float real;
} either;

__kernel void union_shared(__global either *all, __global float *out) {
  size_t i = get_global_id(0);
  if (i % 2 == 0) {
    all[i].number = 5; //@union_store
  } else {
    out[i] = all[i - 1].real; //@union_load
  }
}

/* Two bits of one word by hand: both load and store the word. */
__kernel void bits_of_a_word(__global uint *flags) {
  size_t i = get_global_id(0);
  flags[i / 32] |= 1u << (i % 32); //@bits
}

__kernel void bits_by_atomics(__global uint *flags) {
  size_t i = get_global_id(0);
  atomic_or(&flags[i / 32], 1u << (i % 32));
}
