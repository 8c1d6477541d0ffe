// Attributes: what is promised or hinted changes nothing, and what changes the meaning is refused.

__attribute__((const)) int twice(int x) { return 2 * x; }
__attribute__((pure, convergent, noinline, cold)) int first(global const int *restrict a) { return a[0]; }

// expect race hints
__attribute__((work_group_size_hint(1, 1, 1))) __attribute__((vec_type_hint(float4))) kernel void hints(global int *restrict a, global int *restrict b) {
  b[twice(get_local_id(0)) + first(a)] = get_group_id(0);
}

// expect verified hints_own
// ask {"local": [64], "groups": [4]}
__attribute__((vec_type_hint(float4))) kernel void hints_own(global int *restrict a, global int *restrict b) {
  b[twice(get_global_id(0)) + first(a)] = get_group_id(0);
}

__attribute__((returns_twice)) int again(int x);

// expect unsupported comes_back
// because the attribute returns_twice
kernel void comes_back(global int *a) { a[get_global_id(0)] = again(1); }

void by_name(global int *a) { a[0] = get_global_id(0); }
void other_name(global int *a) __attribute__((alias("by_name")));

// expect unsupported calls_alias
kernel void calls_alias(global int *a) { other_name(a); }

// expect race calls_by_name
kernel void calls_by_name(global int *a) { by_name(a); }
