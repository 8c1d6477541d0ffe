__kernel
void
test
(
__global
int*
out
)
{
int i=get_global_id(0)
;
if
(
i>1
)
out[i]=1
;
else
{
out[i]=2;}
for(int k=0;
k<i;
k++)
{
;
}
while(i-->5){}do{i++;}while(i<0);
switch(i){case 0:out[0]=i;break;default:;}
}
// One token a line, no space, a loop header over lines.
// range: 4 2
// code: 9-29
// site: function 3 entered |
// site: if 12 true, false |
// site: for 21 0, 1, >1, boundary |
// site: while 27 0, boundary | 1, >1
// site: do 27 1, boundary | >1
// site: switch 28 case 0, default |
// lines:
// findings: 0
