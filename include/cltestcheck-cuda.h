/* Names of CUDA C for OpenCL C, so that a CUDA kernel can be read as an OpenCL one: #include it before the kernel, and write
 * `global` before each pointer to global memory among the kernel's parameters. docs/cuda.md says what it does not cover. */
#ifndef CLTESTCHECK_CUDA_H
#define CLTESTCHECK_CUDA_H

#define __global__ kernel
#define __device__
#define __forceinline__ inline
#define __shared__ local
#define __constant__ constant
#define __restrict__ restrict

#define threadIdx ((uint3)(get_local_id(0), get_local_id(1), get_local_id(2)))
#define blockIdx ((uint3)(get_group_id(0), get_group_id(1), get_group_id(2)))
#define blockDim ((uint3)(get_local_size(0), get_local_size(1), get_local_size(2)))
#define gridDim ((uint3)(get_num_groups(0), get_num_groups(1), get_num_groups(2)))

/* A barrier of CUDA orders shared and global memory of the block alike. */
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define __threadfence_block() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* Of int and unsigned, as OpenCL C 1.x has no others. */
#define atomicAdd(p, v) atomic_add(p, v)
#define atomicSub(p, v) atomic_sub(p, v)
#define atomicMin(p, v) atomic_min(p, v)
#define atomicMax(p, v) atomic_max(p, v)
#define atomicAnd(p, v) atomic_and(p, v)
#define atomicOr(p, v) atomic_or(p, v)
#define atomicXor(p, v) atomic_xor(p, v)
#define atomicExch(p, v) atomic_xchg(p, v)
#define atomicCAS(p, old, v) atomic_cmpxchg(p, old, v)

#define sqrtf sqrt
#define rsqrtf rsqrt
#define expf exp
#define logf log
#define powf pow
#define sinf sin
#define cosf cos
#define fabsf fabs
#define floorf floor
#define ceilf ceil
#define fminf fmin
#define fmaxf fmax
#define __fdividef(x, y) native_divide(x, y)
#define __expf native_exp
#define __logf native_log

#endif
