/* The newcomer's row in the table of forms (wire/forms.h): an argument a buffer. */
#define CLTC_NEWCOMER(KERNELS, BUILT)                                                                            \
  KERNELS(NEWCOMER, "lengths", FIELD_OBJECTS,                                                                    \
          (HIDDEN_FLAGS, HIDDEN_ANY, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_ZERO, HIDDEN_OBJECTS), NULL, NO_TEXT, \
          NO_LAUNCH, NO_DECODER)
