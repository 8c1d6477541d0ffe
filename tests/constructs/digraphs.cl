%:define PICK(x) ((x) ? 1 : 2)
__kernel void test(__global int *out) <%
  int i = get_global_id(0);
  int a<:2:> = <%3, 4%>;
  if (i > 1) <% out<:i:> = a<:0:>; %>
  out[i] += PICK(i);
%>
// Digraphs.
// range: 4 2
// code: 2-7
// site: conditional 1 true, false |
// site: function 2 entered |
// site: if 5 true, false |
// lines:
// findings: 0
