/* What several work-items store in one place: the same value, or not. Compilers may merge such stores, and move them past
 * others of the loop over work-items, so the bytes in memory do not tell. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* With n above 100 each work-item stores 5 and then 6: another one may see either. */
__kernel void two_levels(__global int *out, int n) {
  __local int level;
  if (n >= 50) {
    level = 5; //@level_five
  }
  if (n >= 100) {
    level = 6; //@level_six
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = n >= 50 ? level : 0;
}

/* The first store is not executed: all store 7. */
__kernel void one_level(__global int *out, int n) {
  __local int level;
  if (n >= 150) {
    level = 5;
  }
  if (n >= 100) {
    level = 7; //@level_seven
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = level;
}

/* One work-item stores two values, the others the second one alone. */
__kernel void changed_mind(__global int *out) {
  if (get_global_id(0) == 0) {
    out[0] = 1; //@mind_one
  }
  out[0] = 2; //@mind_two
}

__kernel void same_double(__global double *out) {
  out[0] = 0.5; //@same_double
}

__kernel void other_double(__global double *out) {
  out[0] = get_global_id(0) == 9 ? 0.5 : 0.25; //@other_double
}

__kernel void same_vector(__global float *out) {
  vstore4((float4)(1.0f, 2.0f, 3.0f, 4.0f), 1, out); //@same_vector
}

__kernel void other_vector(__global float *out) {
  vstore4((float4)(1.0f, 2.0f, 3.0f, get_global_id(0)), 1, out); //@other_vector
}

__kernel void same_byte(__global uchar *out) {
  out[3] = (uchar)(get_global_id(0) * 256 + 9); //@same_byte
}

__kernel void other_byte(__global uchar *out) {
  out[3] = (uchar)(get_global_id(0) * 255 + 9); //@other_byte
}

/* Two stores in one expression. */
__kernel void same_twice(__global int *out, __global int *more) {
  more[1] = out[1] = 3; //@same_twice
}

/* What is stored comes from memory, and through a function. */
void put(__global int *to, int x) {
  *to = x; //@same_put
}

__kernel void same_read(__global const int *in, __global int *out) {
  put(out, in[0] + 1);
}

/* The same bits of an integer and of a part of a larger one, which lie elsewhere. */
__kernel void other_part(__global uchar *out) {
  if (get_global_id(0) == 0) {
    vstore4((uchar4)(7, 8, 7, 8), 0, out); //@part_whole
  } else if (get_global_id(0) == 1) {
    vstore4((uchar4)(7, 8, 7, 8), 0, out + 1); //@part_shifted
  }
}
