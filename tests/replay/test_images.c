/* Images of every type: what is written, filled, copied, read, and changed by kernels. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"
#include "wire/capture_shape.h"

enum { WIDTH = 12, HEIGHT = 7, DEPTH = 5, ELEMENT = 4, MOST = WIDTH * HEIGHT * DEPTH * ELEMENT };

/* An image on the host. */
typedef struct picture {
  size_t extent[3];
  unsigned char bytes[MOST];
} picture;

typedef struct subject {
  uint32_t type;
  size_t width, height, depth, layers;
} subject;

static const subject subjects[] = {
    {CL_MEM_OBJECT_IMAGE1D, WIDTH, 0, 0, 0},          {CL_MEM_OBJECT_IMAGE1D_ARRAY, WIDTH, 0, 0, HEIGHT},
    {CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 0, 0},     {CL_MEM_OBJECT_IMAGE2D_ARRAY, WIDTH, HEIGHT, 0, DEPTH},
    {CL_MEM_OBJECT_IMAGE3D, WIDTH, HEIGHT, DEPTH, 0},
};

static capture_command image_of(const subject *s, picture *p) {
  capture_command c = {.kind = CAPTURE_IMAGE};
  c.u.image.flags = CL_MEM_READ_WRITE;
  c.u.image.order = CL_RGBA;
  c.u.image.data_type = CL_UNSIGNED_INT8;
  c.u.image.type = s->type;
  c.u.image.width = s->width;
  c.u.image.height = s->height;
  c.u.image.depth = s->depth;
  c.u.image.array_size = s->layers;
  c.u.image.buffer = CAPTURE_NONE;
  *p = (picture){{0}, {0}};
  assert_true(capture_extent(&c, p->extent));
  return c;
}

static size_t bytes_of(const size_t region[3]) { return region[0] * region[1] * region[2] * ELEMENT; }

static void numbers(unsigned char *bytes, size_t size, unsigned first) {
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(first + i * 5 + i / 253);
}

/* Puts elements into a part of the picture, or takes them from there. */
static void part(picture *p, const capture_command *at, unsigned char *elements, bool put) {
  for (size_t z = 0; z < at->u.transfer.region[2]; z++) {
    for (size_t y = 0; y < at->u.transfer.region[1]; y++) {
      for (size_t x = 0; x < at->u.transfer.region[0]; x++, elements += ELEMENT) {
        const size_t index =
            ((at->u.transfer.at.origin[2] + z) * p->extent[1] + at->u.transfer.at.origin[1] + y) * p->extent[0] +
            at->u.transfer.at.origin[0] + x;
        memcpy(put ? p->bytes + index * ELEMENT : elements, put ? elements : p->bytes + index * ELEMENT, ELEMENT);
      }
    }
  }
}

/* A part that is not the whole, where the image has that extent. */
static capture_command inner(const picture *p) {
  capture_command at = {0};
  for (size_t i = 0; i < 3; i++) {
    at.u.transfer.at.origin[i] = p->extent[i] > 1 ? 1 : 0;
    at.u.transfer.region[i] = p->extent[i] > 1 ? p->extent[i] - 2 : 1;
  }
  return at;
}

static capture_command whole(uint32_t image, const picture *p) {
  capture_command c = {0};
  c.u.transfer.at.memory = image;
  memcpy(c.u.transfer.region, p->extent, sizeof p->extent);
  return c;
}

static void read_all(script *s, uint32_t image, const picture *p) {
  const capture_command all = whole(image, p);
  script_area(s, CAPTURE_READ_IMAGE, &all, p->bytes, bytes_of(p->extent));
}

/* Writes, fills and reads a part. */
static void script_parts(script *s, uint32_t image, picture *p) {
  unsigned char elements[MOST];
  capture_command area = inner(p);
  area.u.transfer.at.memory = image;
  const size_t size = bytes_of(area.u.transfer.region);
  numbers(elements, size, 60);
  part(p, &area, elements, true);
  script_area(s, CAPTURE_WRITE_IMAGE, &area, elements, size);
  read_all(s, image, p);
  area.u.transfer.region[0] = 3;
  const uint32_t color[4] = {1, 22, 133, 244};
  memcpy(area.u.transfer.pattern, color, sizeof color);
  for (size_t i = 0; i < MOST; i++) elements[i] = (unsigned char)color[i % 4];
  part(p, &area, elements, true);
  script_area(s, CAPTURE_FILL_IMAGE, &area, NULL, 0);
  read_all(s, image, p);
  memcpy(area.u.transfer.region, inner(p).u.transfer.region, sizeof area.u.transfer.region);
  part(p, &area, elements, false);
  script_area(s, CAPTURE_READ_IMAGE, &area, elements, size);
}

/* Copies a part to another image, to a buffer and from there to a third image. */
static void script_copies(script *s, uint32_t image, const capture_command *like, picture *p) {
  unsigned char elements[MOST], bytes[MOST + 256] = {0};
  picture other = {{p->extent[0], p->extent[1], p->extent[2]}, {0}};
  const capture_command at = inner(p);
  capture_command corner = at;
  memset(&corner.u.transfer.at, 0, sizeof corner.u.transfer.at);
  const uint32_t second = script_image(s, like, NULL, 0), third = script_image(s, like, NULL, 0);
  const uint32_t buffer = script_buffer(s, CL_MEM_READ_WRITE, sizeof bytes, NULL);
  part(p, &at, elements, false);
  part(&other, &corner, elements, true);
  memcpy(bytes + 8, elements, bytes_of(at.u.transfer.region));
  capture_command *c = script_add(s, CAPTURE_COPY_IMAGE);
  c->u.transfer.at.memory = image;
  c->u.transfer.to.memory = second;
  memcpy(c->u.transfer.at.origin, at.u.transfer.at.origin, sizeof at.u.transfer.at.origin);
  memcpy(c->u.transfer.region, at.u.transfer.region, sizeof at.u.transfer.region);
  read_all(s, second, &other);
  c = script_add(s, CAPTURE_COPY_IMAGE_TO_BUFFER);
  c->u.transfer.at.memory = image;
  c->u.transfer.to.memory = buffer;
  c->u.transfer.to.offset = 8;
  memcpy(c->u.transfer.at.origin, at.u.transfer.at.origin, sizeof at.u.transfer.at.origin);
  memcpy(c->u.transfer.region, at.u.transfer.region, sizeof at.u.transfer.region);
  script_read(s, buffer, 0, sizeof bytes, bytes);
  const uint32_t sub_buffer = script_sub_buffer(s, buffer, 0, 1792, 4);
  script_copy(s, buffer, sub_buffer, 8, 0, 4);
  for (size_t i = 0; i < 2; i++) { /* the first element comes from elsewhere, the second time */
    c = script_add(s, CAPTURE_COPY_BUFFER_TO_IMAGE);
    c->u.transfer.at.memory = i == 0 ? buffer : sub_buffer;
    c->u.transfer.to.memory = third;
    c->u.transfer.at.offset = i == 0 ? 8 : 0;
    memcpy(c->u.transfer.region, at.u.transfer.region, sizeof at.u.transfer.region);
    c->u.transfer.region[0] = i == 0 ? at.u.transfer.region[0] : 1;
    c->u.transfer.region[1] = i == 0 ? at.u.transfer.region[1] : 1;
    c->u.transfer.region[2] = i == 0 ? at.u.transfer.region[2] : 1;
    read_all(s, third, &other);
  }
}

static void types(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
    script s = {0};
    picture p, zeros;
    print_message("image type 0x%x\n", subjects[i].type);
    const capture_command image = image_of(&subjects[i], &p);
    (void)image_of(&subjects[i], &zeros);
    numbers(p.bytes, bytes_of(p.extent), 9);
    const uint32_t number = script_image(&s, &image, p.bytes, bytes_of(p.extent));
    read_all(&s, number, &p);
    read_all(&s, script_image(&s, &image, NULL, 0), &zeros);
    script_parts(&s, number, &p);
    script_copies(&s, number, &image, &p);
    script_release_memory(&s, number);
    expect_turns(&s, 3);
  }
}

static const char flip[] =
    "__kernel void flip(__read_only image2d_t from, __write_only image2d_t to, sampler_t nearest) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(to, (int2)(get_image_width(from) - 1 - at.x, at.y), read_imageui(from, nearest, at) + 1);\n"
    "}\n";

static void launch_flat(script *s, uint32_t kernel) {
  capture_command *c = script_add(s, CAPTURE_LAUNCH);
  c->u.launch.kernel = kernel;
  c->u.launch.dimensions = 2;
  c->u.launch.global[0] = WIDTH;
  c->u.launch.global[1] = HEIGHT;
}

/* A kernel reads with a sampler and writes; what it wrote last is its input next. */
static void kernels_and_samplers(void **state) {
  script s = {0};
  picture p, flipped;
  (void)state;
  const capture_command image = image_of(&subjects[2], &p);
  (void)image_of(&subjects[2], &flipped);
  for (size_t i = 0; i < bytes_of(p.extent); i++) p.bytes[i] = (unsigned char)(i % 200);
  for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
    for (size_t b = 0; b < ELEMENT; b++) {
      flipped.bytes[(i / WIDTH * WIDTH + WIDTH - 1 - i % WIDTH) * ELEMENT + b] =
          (unsigned char)(p.bytes[i * ELEMENT + b] + 1);
    }
  }
  const uint32_t from = script_image(&s, &image, p.bytes, bytes_of(p.extent)), to = script_image(&s, &image, NULL, 0);
  capture_command *sampler = script_add(&s, CAPTURE_SAMPLER);
  sampler->u.sampler.addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  sampler->u.sampler.filter = CL_FILTER_NEAREST;
  const uint32_t kernel = script_kernel(&s, script_program(&s, flip, ""), "flip");
  script_memory(&s, kernel, 0, from);
  script_memory(&s, kernel, 1, to);
  script_sample(&s, kernel, 2, 0);
  launch_flat(&s, kernel);
  read_all(&s, to, &flipped);
  script_memory(&s, kernel, 0, to);
  script_memory(&s, kernel, 1, from);
  launch_flat(&s, kernel);
  for (size_t i = 0; i < bytes_of(p.extent); i++) p.bytes[i] = (unsigned char)(p.bytes[i] + 2);
  read_all(&s, from, &p);
  expect_turns(&s, 3);
}

/* An image and its buffer are the same memory. */
static void of_buffers(void **state) {
  script s = {0};
  picture p;
  (void)state;
  const subject line = {CL_MEM_OBJECT_IMAGE1D_BUFFER, WIDTH, 0, 0, 0};
  capture_command image = image_of(&line, &p);
  numbers(p.bytes, bytes_of(p.extent), 31);
  const uint32_t buffer = script_buffer(&s, CL_MEM_READ_WRITE, bytes_of(p.extent), p.bytes);
  image.u.image.buffer = buffer;
  const uint32_t number = script_image(&s, &image, NULL, 0);
  read_all(&s, number, &p);
  memset(p.bytes + 8, 0x55, 12);
  script_write(&s, buffer, 8, p.bytes + 8, 12);
  read_all(&s, number, &p);
  script_release_memory(&s, buffer);
  read_all(&s, number, &p);
  expect_turns(&s, 3);
}

/* An image that nobody has written holds the turn's filling, whatever the turn before left there. */
static void unwritten(void **state) {
  (void)state;
  static const unsigned char fillings[] = {0, 0x7f, 0xff, 0x7f, 0};
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
    script s = {0};
    picture p;
    const capture_command image = image_of(&subjects[i], &p);
    capture_command all = whole(script_image(&s, &image, NULL, 0), &p);
    script_area(&s, CAPTURE_READ_IMAGE, &all, NULL, 0);
    numbers(p.bytes, MOST, 1);
    script_area(&s, CAPTURE_WRITE_IMAGE, &all, p.bytes, bytes_of(p.extent));
    replay *r = open_script(&s, NULL);
    for (size_t turn = 0; turn < sizeof fillings; turn++) {
      const replay_turn what = {.setup = 1, .keep = true, .filling = fillings[turn]};
      unsigned char wanted[WIDTH * ELEMENT];
      replay_result result;
      memset(wanted, fillings[turn], sizeof wanted);
      const outcome done = do_turn(r, &what, NULL, &result);
      assert_int_equal(done.reads, 1);
      assert_memory_equal(done.bytes, wanted, sizeof wanted);
    }
    replay_close(r);
    script_free(&s);
  }
}

int test_images(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types),
      cmocka_unit_test(kernels_and_samplers),
      cmocka_unit_test(of_buffers),
      cmocka_unit_test(unwritten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
