/**/__kernel/*a*/void/*b*/test/*c*/(/*d*/__global/*e*/int/*f*/*/*g*/out/*h*/)/*i*/{/*j*/
  /* if (1) { */ int i = get_global_id(/* dim */0)/**/;
  if /* ( */ ( /* ) */ i /* > */ > 1 /* { */ ) /* { */ /* ; */ out[i] = 1 /* ; */ ; /* x */ else /* y */ out[i] = 2;
  // for (;;) {
  for /* ; */ ( /**/ ; /* ; */ i /* ? */ > /* : */ 2 ; /**/ ) /*
  */ i /* over
  lines */ -- ;
  out[i] = i /* ? */ ? /* : */ 1 /* ? */ : /* : */ 2 /* "'" */; // "unclosed ' string
  /* barrier(CLK_LOCAL_MEM_FENCE); */
  ; /* an empty statement */
}
// Comments between all tokens; strings and quotes in comments; i = 0 to 3.
// range: 4 1
// code: 1-3 5-8 10-11
// site: function 1 entered |
// site: if 3 true, false |
// site: for 5 0, 1, boundary | >1
// site: conditional 8 true, false |
// lines:
// findings: 0
