// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: a whole body is taken, changed and put back: its mass too, which the neighbour sets.
struct body {
  float4 at;
  float mass;
};
kernel void push(global struct body *all) {
  const int i = get_global_id(0);
  struct body mine = all[i];
  mine.at.x = 1.0f;
  all[i] = mine;
  all[i + 1].mass = i;
}
