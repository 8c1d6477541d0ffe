/* Images as they are made, by any of the four calls. */
#include "layer/capture/layer.h"

/* What the description says and its type has; the rest may be anything. */
static capture_command command_of(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc) {
  cl_mem_object_type type = desc->image_type;
  bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  bool solid = type == CL_MEM_OBJECT_IMAGE3D;
  capture_command c = {.kind = CAPTURE_IMAGE, .u.image = {.flags = flags & ACCESS_FLAGS}};
  c.u.image.order = format->image_channel_order;
  c.u.image.data_type = format->image_channel_data_type;
  c.u.image.type = type;
  c.u.image.width = desc->image_width;
  c.u.image.height = flat || solid ? desc->image_height : 0;
  c.u.image.depth = solid ? desc->image_depth : 0;
  c.u.image.array_size = array ? desc->image_array_size : 0;
  c.u.image.row_pitch = desc->mem_object != NULL ? desc->image_row_pitch : 0;
  c.u.image.buffer = CAPTURE_NONE;
  c.u.image.blob = CAPTURE_NONE;
  return c;
}

/* Whether we know how large an element is: the driver has to say the same. */
static bool format_known(cl_mem handle, const capture_command *c, capture_shape *shape) {
  size_t element = 0;
  shape->element = capture_element(c->u.image.order, c->u.image.data_type);
  return shape->element &&
         driver.clGetImageInfo(handle, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) == CL_SUCCESS &&
         element == shape->element;
}

/* First contents in the host's memory. */
static area contents_of(const cl_image_desc *desc, const capture_shape *shape, const void *data) {
  memory m = {.shape = *shape, .layers = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY};
  size_t region[3] = {(size_t)shape->extent[0], (size_t)shape->extent[1], (size_t)shape->extent[2]};
  return memory_area(&m, region, desc->image_row_pitch, desc->image_slice_pitch, data);
}

/* With the lock held. */
static void record_image(cl_mem handle, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                         const void *data) {
  capture_command c = command_of(flags, format, desc);
  capture_shape shape = {.image = true};
  memory *parent = desc->mem_object != NULL ? memory_find(desc->mem_object) : NULL;
  area contents;
  if (desc->num_mip_levels || desc->num_samples) {
    unsuitable("an image has mip levels or samples");
  } else if (desc->mem_object != NULL && (parent == NULL || parent->shape.image)) {
    unsuitable("an image is made of another image");
  } else if (!format_known(handle, &c, &shape)) {
    unsuitable("an image has a format that is not captured: order 0x%x, type 0x%x", c.u.image.order,
               c.u.image.data_type);
  } else if (!capture_extent(&c, shape.extent) || (parent != NULL && !capture_image_fits(&c, &shape, &parent->shape))) {
    unsuitable("an image has a type or size that is not captured: type 0x%x", c.u.image.type);
  }
  if (!recording()) return;
  if (parent != NULL)
    c.u.image.buffer = parent->number;
  else
    contents = contents_of(desc, &shape, data);
  memory_made(handle, &c, &shape, parent, parent == NULL && (flags & HOST_CONTENTS) ? &contents : NULL);
}

static void made(cl_mem handle, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *format,
                 const cl_image_desc *desc, const void *data) {
  if (handle == NULL || !record_begin()) return;
  if (properties_given(properties)) unsuitable("an image has properties of an extension");
  record_image(handle, flags, format, desc, data);
  storage_made(handle, desc->mem_object, flags, data, 0);
  record_end();
}

static cl_mem CL_API_CALL create_image(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *desc, void *data, cl_int *status) {
  cl_mem m = driver.clCreateImage(handle, flags, format, desc, data, status);
  made(m, NULL, flags, format, desc, data);
  return m;
}

static cl_mem CL_API_CALL create_image_with_properties(cl_context handle, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, const cl_image_format *format,
                                                       const cl_image_desc *desc, void *data, cl_int *status) {
  cl_mem m = driver.clCreateImageWithProperties(handle, properties, flags, format, desc, data, status);
  made(m, properties, flags, format, desc, data);
  return m;
}

static cl_mem CL_API_CALL create_image_2d(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t row, void *data, cl_int *status) {
  cl_mem m = driver.clCreateImage2D(handle, flags, format, width, height, row, data, status);
  cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height, .image_row_pitch = row};
  made(m, NULL, flags, format, &desc, data);
  return m;
}

static cl_mem CL_API_CALL create_image_3d(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t depth, size_t row, size_t slice,
                                          void *data, cl_int *status) {
  cl_mem m = driver.clCreateImage3D(handle, flags, format, width, height, depth, row, slice, data, status);
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                        .image_width = width,
                        .image_height = height,
                        .image_depth = depth,
                        .image_row_pitch = row,
                        .image_slice_pitch = slice};
  made(m, NULL, flags, format, &desc, data);
  return m;
}

const guest_call image_calls[] = {
    CALL(clCreateImage, create_image),
    CALL(clCreateImageWithProperties, create_image_with_properties),
    CALL(clCreateImage2D, create_image_2d),
    CALL(clCreateImage3D, create_image_3d),
    {NULL, 0, NULL},
};
