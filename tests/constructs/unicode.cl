/* Größe → „Summe“ 日本語 😀 */ __kernel void test(__global int *out) {
  int i = get_global_id(0); /* ∑ */ if (i > 1) out[i] = 1; // ✓ ü
  /* é */ out[i] += /* é */ i ? /* ? : */ 2 : 3;
}
// Comments in UTF-8 before sites on the same line: ö ß.
// range: 4 2
// code: 1-4
// site: function 1 entered |
// site: if 2 true, false |
// site: conditional 3 true, false |
// lines:
// findings: 0
