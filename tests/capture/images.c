/* Images of all kinds that the device has, samplers, and what is done with them. */
#include "expect.h"

#define SOURCE                                                                                  \
  "kernel void sample(read_only image2d_t in, sampler_t s, write_only image2d_t out) {"         \
  " int2 at = (int2)(get_global_id(0), get_global_id(1));"                                      \
  " write_imagef(out, at, read_imagef(in, s, convert_float2(at) + 0.5f)); }"                    \
  " kernel void sum(read_only image1d_t a, read_only image1d_array_t b, read_only image3d_t c," \
  " global uint *out) {"                                                                        \
  " const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"  \
  " *out = read_imageui(a, s, 1).x + read_imageui(b, s, (int2)(1, 1)).x"                        \
  "   + read_imageui(c, s, (int4)(1, 1, 1, 0)).x; }"

static cl_mem image(const host *h, cl_mem_flags flags, cl_image_format format, cl_image_desc desc, void *data) {
  cl_int error;
  cl_mem m = clCreateImage(h->context, flags, &format, &desc, data, &error);
  if (error) printf("image of type %x: %d\n", desc.image_type, error);
  CHECK(error);
  return m;
}

static const cl_image_format bytes_format = {CL_RGBA, CL_UNSIGNED_INT8};
static const cl_image_format floats_format = {CL_RGBA, CL_FLOAT};

/* 0: 2D of 3 x 2 with padded rows; 1: the same, without contents. */
static void make_flat(const host *h, cl_mem out[2]) {
  float data[2][16];
  for (int i = 0; i < 32; i++) data[i / 16][i % 16] = (float)i;
  out[0] = image(h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, floats_format,
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 3,
                                 .image_height = 2,
                                 .image_depth = 99, /* there is none: it may be anything */
                                 .image_row_pitch = 64},
                 data);
  expect("image type=10f1 format=10b5/10de size=3,2,0 layers=0 pitch=0 buffer=- blob=(96)");
  out[1] = image(h, CL_MEM_READ_WRITE, floats_format,
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 2}, NULL);
  expect("image type=10f1 format=10b5/10de size=3,2,0 layers=0 pitch=0 buffer=- blob=-");
}

/* 2: 1D of 4; 3: an array of two 1D images of 2, rows of 12 bytes; 4: 3D of 2 x 2 x 2. */
static void make_others(const host *h, cl_mem out[3]) {
  unsigned char data[64];
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)i;
  out[0] = image(h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes_format,
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4}, data);
  expect(
      "image type=10f4 format=10b5/10da size=4,0,0 layers=0 pitch=0 buffer=- "
      "blob=000102030405060708090a0b0c0d0e0f");
  out[1] = image(h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes_format,
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                 .image_width = 2,
                                 .image_array_size = 2,
                                 .image_row_pitch = 12,
                                 .image_slice_pitch = 12},
                 data);
  expect(
      "image type=10f5 format=10b5/10da size=2,0,0 layers=2 pitch=0 buffer=- "
      "blob=00010203040506070c0d0e0f10111213");
  cl_int error;
  out[2] =
      clCreateImage3D(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &bytes_format, 2, 2, 2, 8, 16, data, &error);
  CHECK(error);
  expect("image type=10f2 format=10b5/10da size=2,2,2 layers=0 pitch=0 buffer=- blob=(32)");
}

static cl_sampler sampler(const host *h) {
  cl_int error;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE,
                                              CL_ADDRESS_CLAMP_TO_EDGE, 0};
  cl_sampler s = clCreateSampler(h->context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &error);
  CHECK(error);
  expect("sampler normalized=1 addressing=1133 filter=1141");
  CHECK(clReleaseSampler(s));
  s = clCreateSamplerWithProperties(h->context, properties, &error);
  CHECK(error);
  expect("sampler normalized=0 addressing=1131 filter=1140");
  return s;
}

static void launch_sample(const host *h, cl_program p, const cl_mem flat[2]) {
  const size_t global[2] = {3, 2};
  cl_kernel k = expect_kernel(p, 0, "sample");
  cl_sampler s = sampler(h);
  CHECK(clSetKernelArg(k, 0, sizeof(cl_mem), &flat[0]));
  expect("argument kernel=0 0 memory object=0");
  CHECK(clSetKernelArg(k, 1, sizeof s, &s));
  expect("argument kernel=0 1 sampler object=1");
  CHECK(clSetKernelArg(k, 2, sizeof(cl_mem), &flat[1]));
  expect("argument kernel=0 2 memory object=1");
  CHECK(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
  expect("launch kernel=0 dimensions=2 global=3,2,0");
  CHECK(clFinish(h->queue));
  CHECK(clReleaseSampler(s));
  CHECK(clReleaseKernel(k));
  expect("release-kernel object=0");
}

/* All of the second image, into rows of 64 bytes. */
static void read_flat(const host *h, cl_mem m) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {3, 2, 1};
  float back[2][16], tight[24];
  CHECK(clEnqueueReadImage(h->queue, m, CL_FALSE, origin, region, sizeof back[0], 0, back, 0, NULL, NULL));
  CHECK(clFinish(h->queue));
  for (int i = 0; i < 24; i++) tight[i] = back[i / 12][i % 12];
  expect_read(tight, sizeof tight, "read-image memory=1 origin=0,0,0 region=3,2,1");
  printf("%g %g %g\n", (double)back[0][0], (double)back[1][11], (double)back[1][4]);
}

static void transfer(const host *h, const cl_mem flat[2]) {
  const size_t origin[3] = {1, 0, 0}, other[3] = {0, 1, 0}, region[3] = {2, 1, 1};
  const float values[8] = {10, 11, 12, 13, 14, 15, 16, 17};
  const float color[4] = {1, 2, 3, 4};
  cl_mem b = host_buffer(h, 256);
  expect("buffer flags=1 size=256 blob=(256)");
  CHECK(clEnqueueWriteImage(h->queue, flat[1], CL_FALSE, origin, region, 0, 0, values, 0, NULL, NULL));
  expect("write-image memory=1 origin=1,0,0 region=2,1,1 blob=(32)");
  CHECK(clEnqueueFillImage(h->queue, flat[1], color, other, (const size_t[3]){1, 1, 1}, 0, NULL, NULL));
  expect("fill-image memory=1 origin=0,1,0 region=1,1,1 color=0000803f000000400000404000008040");
  CHECK(clEnqueueCopyImage(h->queue, flat[0], flat[1], origin, (const size_t[3]){1, 1, 0}, region, 0, NULL, NULL));
  expect("copy-image from=0 to=1 offsets=0,0 from=1,0,0 to=1,1,0 region=2,1,1");
  CHECK(clEnqueueCopyImageToBuffer(h->queue, flat[1], b, other, region, 16, 0, NULL, NULL));
  expect("copy-image-to-buffer from=1 to=2 offsets=0,16 from=0,1,0 to=0,0,0 region=2,1,1");
  CHECK(clEnqueueCopyBufferToImage(h->queue, b, flat[1], 16, origin, region, 0, NULL, NULL));
  expect("copy-buffer-to-image from=2 to=1 offsets=16,0 from=0,0,0 to=1,0,0 region=2,1,1");
  read_flat(h, flat[1]);
  CHECK(clReleaseMemObject(b));
  expect("release-memory object=2");
}

static void others(const host *h, cl_program p) {
  cl_mem images[3], out;
  cl_uint sum = 0;
  make_others(h, images);
  out = host_buffer(h, 4);
  expect("buffer flags=1 size=4 blob=00000000");
  cl_kernel k = expect_kernel(p, 0, "sum");
  for (cl_uint i = 0; i < 3; i++) {
    CHECK(clSetKernelArg(k, i, sizeof(cl_mem), &images[i]));
    expect("argument kernel=1 %u memory object=%u", i, 3 + i);
  }
  CHECK(clSetKernelArg(k, 3, sizeof out, &out));
  expect("argument kernel=1 3 memory object=6");
  CHECK(clEnqueueTask(h->queue, k, 0, NULL, NULL));
  expect("launch kernel=1 dimensions=1 task global=1,0,0 local=1,0,0");
  CHECK(clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, 4, &sum, 0, NULL, NULL));
  expect_read(&sum, 4, "read memory=6 offset=0 size=4");
  printf("sum %u\n", sum);
  unsigned char layer[8];
  CHECK(clEnqueueReadImage(h->queue, images[1], CL_TRUE, (const size_t[3]){0, 1, 0}, (const size_t[3]){2, 1, 1}, 0, 0,
                           layer, 0, NULL, NULL));
  expect_read(layer, sizeof layer, "read-image memory=4 origin=0,1,0 region=2,1,1");
  printf("%u\n", layer[0]);
}

/* An image of a buffer: the buffer stays while there is the image. */
static void of_buffer(const host *h) {
  cl_int error;
  cl_mem b = host_buffer(h, 64);
  expect("buffer flags=1 size=64 blob=(64)");
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8, .mem_object = b};
  cl_mem m = clCreateImage(h->context, CL_MEM_READ_WRITE, &bytes_format, &desc, NULL, &error);
  if (error) {
    printf("no images of buffers\n");
    return;
  }
  expect("image type=10f6 format=10b5/10da size=8,0,0 layers=0 pitch=0 buffer=7 blob=-");
  CHECK(clReleaseMemObject(b));
  CHECK(clReleaseMemObject(m));
  expect("release-memory object=8");
  expect("release-memory object=7");
}

int main(void) {
  host h = host_open(0);
  cl_mem flat[2];
  make_flat(&h, flat);
  cl_program p = expect_program(&h, SOURCE, NULL);
  launch_sample(&h, p, flat);
  read_flat(&h, flat[1]);
  transfer(&h, flat);
  others(&h, p);
  of_buffer(&h);
  host_close(&h);
  return 0;
}
