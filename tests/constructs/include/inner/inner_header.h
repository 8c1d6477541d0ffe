#define DEEP 2
int deep(int x) {
  while (x < 0)
    x++;
  return x;
}
