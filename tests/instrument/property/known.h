/* Faults of the tool that this test found. Each is 1 once it is repaired, as all are now; at 0 the test leaves the
 * construct out. A new fault gets a switch here. */
#ifndef CLTC_TESTS_PROPERTY_KNOWN_H
#define CLTC_TESTS_PROPERTY_KNOWN_H

enum {
  /* if (0.5f * x): refused by the device's compiler once instrumented */
  GENERATE_FLOAT_CONDITIONS = 1,
  /* return(a > 3u) ? 1u : 2u;   becomes   returnCLTC_BRANCH(… */
  GENERATE_RETURN_WITHOUT_BLANK = 1,
  /* if (c) goto L; …; L: …; barrier(…), where c is not the same for all work-items: called divergence, though
   * all of them come to the barrier; the same for goto backwards */
  GENERATE_GOTO_BEFORE_BARRIER = 1,
  /* a site in a macro body belongs to the first function that uses the macro, and so is not among the sites of a kernel
   * that uses the macro but does not reach that function */
  COMPARE_MACRO_SITES_OF_KERNELS = 1
};

#endif
