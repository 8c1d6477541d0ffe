#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
kernel void JOIN(part_, PART)(global PART *y, PART a) {
  if (a > 0) {
    y[0] = a;
  }
}
