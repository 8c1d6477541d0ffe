// EXPECT: race
// OPTS: --host conel.c
// WHY: a work-item reads the element of the next one, which writes it, and no barrier stands in between.
kernel void connect(global int *element, int n) {
  int i = get_global_id(0);
  if (i + 1 < n) {
    element[i] = i * 3;
    element[i] += element[i + 1];
  }
}
