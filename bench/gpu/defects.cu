/* Planted defects of suites/ as CUDA, for compute-sanitizer: defects NAME, or NAME-none for its twin without.
 *   divergence  a barrier that only some work-items reach       local-race  a sum in shared memory without its barriers
 *   group-race  groups that add to one sum without atomics      outside     a write after the end of a buffer
 *   unwritten   a branch that depends on memory nobody wrote
 * Ends with 0 when the kernel has ended without an error of CUDA. */
#include <cstdio>
#include <cstring>
#include <string>

enum { LOCAL = 64, GROUPS = 16, N = LOCAL * GROUPS };

__global__ void divergence(int *out, bool defect) {
  __shared__ int left[LOCAL];
  left[threadIdx.x] = threadIdx.x;
  if (!defect || threadIdx.x < 40) {
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = left[threadIdx.x];
}

__global__ void local_race(int *out, bool defect) {
  __shared__ int part[LOCAL];
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int s = LOCAL / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) {
      part[threadIdx.x] += part[threadIdx.x + s];
    }
    if (!defect) {
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = part[0];
  }
}

__global__ void group_race(int *out, bool defect) {
  if (threadIdx.x == 0) {
    if (defect) {
      out[0] += blockIdx.x;
    } else {
      atomicAdd(&out[0], blockIdx.x);
    }
  }
}

__global__ void outside(int *out, bool defect) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + (defect && i == N - 1 ? 1 : 0)] = i;
}

__global__ void unwritten(int *out, const int *in, bool defect) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (defect && in[i] > 0) {
    out[i] = 1;
  }
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const size_t dash = what.rfind("-none");
  const bool defect = dash == std::string::npos;
  const std::string name = what.substr(0, dash);
  int *out = nullptr, *in = nullptr;
  if (cudaMalloc(&out, N * sizeof *out) != cudaSuccess || cudaMalloc(&in, N * sizeof *in) != cudaSuccess ||
      cudaMemset(out, 0, N * sizeof *out) != cudaSuccess) {
    fprintf(stderr, "defects: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  if (name == "divergence") {
    divergence<<<GROUPS, LOCAL>>>(out, defect);
  } else if (name == "local-race") {
    local_race<<<GROUPS, LOCAL>>>(out, defect);
  } else if (name == "group-race") {
    group_race<<<GROUPS, LOCAL>>>(out, defect);
  } else if (name == "outside") {
    outside<<<GROUPS, LOCAL>>>(out, defect);
  } else if (name == "unwritten") {
    unwritten<<<GROUPS, LOCAL>>>(out, in, defect);
  } else {
    fprintf(stderr, "defects: there is no defect %s\n", name.c_str());
    return 1;
  }
  const cudaError_t status = cudaDeviceSynchronize();
  printf("%s: %s\n", what.c_str(), cudaGetErrorString(status));
  return status == cudaSuccess ? 0 : 1;
}
