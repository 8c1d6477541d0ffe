// Which copies a wait is for, and groups of one work-item, beside which a copy goes on.

// expect race other_element x
// ask {"local": [64], "groups": [2]}
kernel void other_element(global const int *in, global int *out) {
  local int x[64], y[64];
  event_t e[2];
  e[0] = async_work_group_copy(x, in, 64, 0);
  e[1] = async_work_group_copy(y, in + 64, 64, 0);
  wait_group_events(1, &e[1]);
  e[0] = async_work_group_copy(y, in + 128, 64, 0);
  wait_group_events(2, e);
  out[get_global_id(0)] = x[get_local_id(0)] + y[get_local_id(0)];
}

// expect possible-race number_given
// ask {"local": [64], "groups": [2]}
kernel void number_given(global const int *in, global int *out, int n) {
  local int x[64];
  event_t e = async_work_group_copy(x, in, 64, 0);
  wait_group_events(n, &e);
  out[get_global_id(0)] = x[get_local_id(0)];
}

// expect possible-race none_in_loop
// ask {"local": [64], "groups": [2]}
kernel void none_in_loop(global const int *in, global int *out, int m) {
  local int x[64];
  event_t e;
  for (int i = 0; i < m; i++) {
    e = async_work_group_copy(x, in + 64 * i, 64, 0);
    wait_group_events(0, &e);
    e = async_work_group_copy(x, in + 64 * i + 4096, 64, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = x[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// expect race second_row x
// ask {"local": [64], "groups": [2]}
kernel void second_row(global const int *in, global int *out) {
  local int x[64], y[64];
  event_t e[2][1];
  e[0][0] = async_work_group_copy(x, in, 64, 0);
  e[1][0] = async_work_group_copy(y, in + 64, 64, 0);
  wait_group_events(1, &e[1][0]);
  e[0][0] = async_work_group_copy(y, in + 128, 64, 0);
  wait_group_events(1, &e[0][0]);
  out[get_global_id(0)] = x[get_local_id(0)] + y[get_local_id(0)];
}

// expect verified both_rows
// ask {"local": [64], "groups": [2]}
kernel void both_rows(global const int *in, global int *out) {
  local int x[64], y[64];
  event_t e[2];
  e[0] = async_work_group_copy(x, in, 64, 0);
  e[1] = async_work_group_copy(y, in + 64, 64, 0);
  wait_group_events(1, &e[1]);
  wait_group_events(1, &e[0]);
  out[get_global_id(0)] = x[get_local_id(0)] + y[get_local_id(0)];
}

// Sizes are free, and may be one.
// expect race size_free
kernel void size_free(global const int *in, global int *out) {
  local int t[64];
  if (get_local_size(0) == 1) {
    async_work_group_copy(t, in, 64, 0);
    out[get_global_id(0)] = t[5];
  }
}

// expect race one_writes_back
// ask {"local": [1], "groups": [4]}
kernel void one_writes_back(global int *out) {
  local int t[64];
  t[3] = 1;
  event_t e = async_work_group_copy(out + 64 * get_group_id(0), t, 64, 0);
  t[3] = 2;
  wait_group_events(1, &e);
}

// expect race one_alone
// ask {"local": [1], "groups": [1]}
kernel void one_alone(global int *out) {
  local int t[64];
  event_t e = async_work_group_copy(t, out, 64, 0);
  out[0] = 2;
  wait_group_events(1, &e);
}

// expect verified one_waits
// ask {"local": [1], "groups": [4]}
kernel void one_waits(global int *out) {
  local int t[64];
  t[3] = 1;
  event_t e = async_work_group_copy(out + 64 * get_group_id(0), t, 64, 0);
  wait_group_events(1, &e);
  t[3] = 2;
}

// An event whose place is none that the loop counts is overwritten.
// expect possible-race lost_in_ring
// ask {"local": [64], "groups": [2]}
kernel void lost_in_ring(global const int *in, global int *out, int n) {
  local int x[256];
  event_t e[2];
  e[0] = async_work_group_copy(x, in, 64, 0);
  e[1] = e[0];
  for (int i = 0; i < n; i++) {
    e[i & 1] = async_work_group_copy(x + 64 * (i & 3), in + 64 * i, 64, 0);
  }
  wait_group_events(2, e);
  out[get_global_id(0)] = x[get_local_id(0)];
}

// A wait for another variable's event is none for this one.
// expect possible-race waits_for_other
// ask {"local": [64], "groups": [2]}
kernel void waits_for_other(global const int *in, global int *out, int n) {
  local int x[256], y[64];
  event_t e[1], f[1];
  for (int i = 0; i < n; i++) {
    e[0] = async_work_group_copy(x + 64 * (i & 3), in + 64 * i, 64, 0);
    f[0] = async_work_group_copy(y, in, 64, 0);
    wait_group_events(1, f);
  }
  wait_group_events(1, e);
  out[get_global_id(0)] = x[get_local_id(0)];
}
