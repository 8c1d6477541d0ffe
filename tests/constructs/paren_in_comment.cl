int twice(int x /* :) */) /* a ) in a comment */ // and here: ) {
{
  return 2 * x;
}
__kernel void test(__global int *out /* ( */) // )
{ // {
  int i = get_global_id(0);
  if (i /* ) { */ > 1 /* } */) // } else {
    out[i] = twice(i); /* } */
  else // {
    out[i] = -1;
}
// Parentheses and braces in comments after signatures and inside conditions.
// range: 4 2
// code: 2-4 6-12
// site: function 1 entered |
// site: function 5 entered |
// site: if 8 true, false |
// lines:
// findings: 0
