/* Images: pixels are told by their coordinates, sizes are numbers of the image.
 * Soundness: docs/verify.md, What is understood. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "verify/models.h"

enum { SIDE_BITS = 30 }; /* of a width: no image is so large */

static bool is_real(LLVMValueRef v) {
  const LLVMTypeRef type = LLVMTypeOf(v);
  const LLVMTypeKind kind =
      LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
  return kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind || kind == LLVMDoubleTypeKind;
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* The width (0), height (1) or depth (2) of an image, a number of 32 bits; or another number of it (3: layers). */
static formula side(proof *p, uint32_t image, unsigned which) {
  static const char *const names[] = {"width", "height", "depth", "layers"};
  char name[200];
  (void)snprintf(name, sizeof name, "%s of image %.160s", names[which], p->objects[p->objects[image].memory].name);
  const formula number = smt_unknown(&p->smt, name, SIDE_BITS);
  proof_fact(p, smt_differ(&p->smt, number, smt_number(&p->smt, 0, SIDE_BITS)));
  return smt_resize(&p->smt, number, 32, false);
}

static const value *sides(proof *p, uint32_t image, LLVMTypeRef type) {
  const unsigned count = LLVMGetVectorSize(type);
  const value **items = arena_get(p->memory, count + 1, sizeof *items);
  for (unsigned n = 0; n < count; n++) {
    items[n] = value_number(&p->values, n < DIMENSIONS ? side(p, image, n) : smt_number(&p->smt, 0, 32));
  }
  return value_list(&p->values, items, count);
}

const value *image_question(proof *p, const instruction *i, const environment variables) {
  static const char *const names[] = {"get_image_width", "get_image_height", "get_image_depth", "get_image_array_size"};
  (void)variables;
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const uint32_t image = object_of(p, LLVMGetOperand(i->value, 0));
  if (!p->objects[image].image) {
    return fresh_value(p, type, "call", true);
  }
  if (strcmp(i->callee->name, "get_image_dim") == 0 && LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    return sides(p, image, type);
  }
  for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
    if (strcmp(i->callee->name, names[n]) == 0) {
      return value_number(&p->values, smt_resize(&p->smt, side(p, image, n), type_bits(p, type), false));
    }
  }
  char name[200]; /* order and type of channels, samples: the same each time */
  (void)snprintf(name, sizeof name, "%.80s of %u", i->callee->name, p->objects[image].memory);
  return function_value(p, name, NULL, 0, type);
}

/* --- pixels ------------------------------------------------------------------------------------------------------- */

/* With a sampler, coordinates outside may stand for another pixel. */
static formula sampled(proof *p, uint32_t image, formula coordinate, unsigned which) {
  if (smt_bits(&p->smt, coordinate) != 32) {
    return coordinate;
  }
  const formula inside = Z3_mk_bvult(p->smt.z3, coordinate, side(p, image, which));
  return smt_if(&p->smt, inside, coordinate, smt_fresh(&p->smt, "pixel", 32, true));
}

/* Its level, or sample: the first where none is given; of one in floating point, and of gradients, it is not known. */
static formula level_of(proof *p, const instruction *i, const environment variables) {
  const LLVMValueRef level = call_given(i->callee, i->value, 'l'), gradient = call_given(i->callee, i->value, 'g');
  return gradient != NULL || (level != NULL && is_real(level)) ? smt_fresh(&p->smt, "pixel", 32, true)
         : level == NULL                                       ? smt_number(&p->smt, 0, 32)
                         : smt_resize(&p->smt, operand_number(p, variables, level), 32, true);
}

/* Which pixel it is; of coordinates in floating point it is not known. */
static const formula *pixel(proof *p, const instruction *i, uint32_t image, const environment variables) {
  formula numbers[4];
  uint64_t first = 0;
  const formula level = level_of(p, i, variables);
  const bool sampler = call_operand(i->callee, 'h') != CALL_NO_OPERAND;
  const bool small = !smt_is_number(&p->smt, level, &first) || first != 0;
  const LLVMValueRef where = call_given(i->callee, i->value, 'c');
  const size_t count = value_numbers(&p->values, operand(p, variables, where), numbers, 4);
  if (count > 4) {
    proof_refuse(p, kernel_number(p->kernel, i->value), "coordinates of an image that are not followed");
  }
  formula *made = arena_get(p->memory, PIXEL_NUMBERS, sizeof *made);
  for (unsigned n = 0; n < DIMENSIONS; n++) {
    made[n] = n >= count                             ? smt_number(&p->smt, 0, 32)
              : is_real(where) || (sampler && small) ? smt_fresh(&p->smt, "pixel", 32, true)
              : sampler                              ? sampled(p, image, numbers[n], n)
                                                     : numbers[n];
  }
  made[DIMENSIONS] = level;
  return made;
}

const value *image_access(proof *p, unsigned thread, const instruction *i, const environment variables, formula enabled,
                          walk w) {
  const bool store = i->callee->kind == CALL_WRITE_IMAGE;
  const uint32_t image = object_of(p, LLVMGetOperand(i->value, 0));
  if (w.record && p->objects[image].written) {
    access *a = arena_get(p->memory, 1, sizeof *a);
    *a = (access){.kind = store ? ACCESS_WRITE : ACCESS_READ, .thread = thread, .bytes = 1, .live = p->smt.yes};
    a->instruction = kernel_number(p->kernel, i->value);
    a->visit = p->visits;
    a->steps = p->step_count;
    a->object = image;
    a->enabled = enabled;
    a->coordinates = pixel(p, i, image, variables);
    a->value = store ? operand(p, variables, LLVMGetOperand(i->value, LLVMGetNumArgOperands(i->value) - 1)) : NULL;
    memory_note(p, a);
  }
  return store ? NULL : fresh_value(p, LLVMTypeOf(i->value), "pixel", true);
}
