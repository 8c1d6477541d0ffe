// Asynchronous copies and waiting for them (OpenCL C, 6.15.11 of 3.0): the group copies together, and what is copied may be
// used only after the wait.

// expect verified waited
// ask {"local": [64], "groups": [4]}
kernel void waited(global const int *in, global int *out, local int *t) {
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[63 - get_local_id(0)];
}

// expect race not_waited t
// ask {"local": [64], "groups": [4]}
kernel void not_waited(global const int *in, global int *out, local int *t) {
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0); //! write
  out[get_global_id(0)] = t[63 - get_local_id(0)]; //! read
  wait_group_events(1, &e);
}

// A barrier does not wait for copies.
// expect race barrier_for_wait t
// ask {"local": [64], "groups": [4]}
kernel void barrier_for_wait(global const int *in, global int *out, local int *t) {
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0); //! write
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - get_local_id(0)]; //! read
  wait_group_events(1, &e);
}

// The parts of two groups overlap. Whether they bring the same is not known.
// expect possible-race overlapping_parts out
// ask {"local": [64], "groups": [4]}
kernel void overlapping_parts(global int *out, local int *t) {
  t[get_local_id(0)] = get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + get_group_id(0) * 63, t, 64, 0); //! write
  wait_group_events(1, &e);
}

// expect verified parts_apart
// ask {"local": [64], "groups": [4]}
kernel void parts_apart(global int *out, local int *t) {
  t[get_local_id(0)] = get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + get_group_id(0) * 64, t, 64, 0);
  wait_group_events(1, &e);
}

// The copy reads what others still write.
// expect race copied_too_early t
// ask {"local": [64], "groups": [4]}
kernel void copied_too_early(global int *out, local int *t) {
  t[get_local_id(0)] = get_group_id(0); //! write
  event_t e = async_work_group_copy(out + get_group_id(0) * 64, t, 64, 0); //! read
  wait_group_events(1, &e);
}

// Not all of the group take part.
// expect divergence copied_by_some
// ask {"local": [64], "groups": [4]}
kernel void copied_by_some(global const int *in, global int *out, local int *t) {
  if (get_local_id(0) < 32) { //! decision
    event_t e = async_work_group_copy(t, in, 64, 0); //! barrier
    wait_group_events(1, &e);
  }
  out[get_global_id(0)] = 1;
}

// All take part, but not with the same arguments.
// expect divergence copied_from_own_place
// ask {"local": [64], "groups": [4]}
kernel void copied_from_own_place(global const int *in, local int *t) {
  event_t e = async_work_group_copy(t, in + get_local_id(0), 64, 0); //! barrier
  wait_group_events(1, &e);
}

// Two copies, two events, one wait for both.
// expect verified two_events
// ask {"local": [64], "groups": [4]}
kernel void two_events(global const int *in, global int *out, local int *t) {
  event_t e[2];
  e[0] = async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0);
  e[1] = async_work_group_copy(t + 64, in, 64, 0);
  wait_group_events(2, e);
  out[get_global_id(0)] = t[127 - get_local_id(0)];
}

// Work-items of a group have to wait for the same events.
// expect possible-divergence other_events
// ask {"local": [64], "groups": [2]}
kernel void other_events(global int *a, global int *b, local int *t, local int *u) {
  event_t first = async_work_group_copy(t, a, 16, 0), second = async_work_group_copy(u, b, 16, 0);
  event_t *either = &first;
  if (get_local_id(0) > 3) {
    either = &second;
  }
  wait_group_events(1, either); //! barrier
}

// expect verified either_event
// ask {"local": [64], "groups": [2]}
kernel void either_event(global int *a, global int *b, local int *t, local int *u, int n) {
  event_t first = async_work_group_copy(t, a, 16, 0), second = async_work_group_copy(u, b, 16, 0);
  event_t *either = &first;
  if (n > 3) {
    either = &second;
  }
  wait_group_events(1, either);
}

// A copy goes on with the event of another.
// expect divergence other_event_goes_on
// ask {"local": [64], "groups": [2]}
kernel void other_event_goes_on(global int *a, global int *b, local int *t, local int *u, local int *v) {
  event_t first = async_work_group_copy(t, a, 16, 0), second = async_work_group_copy(u, b, 16, 0);
  event_t *either = &first;
  if (get_local_id(0) > 3) { //! decision
    either = &second;
  }
  async_work_group_copy(v, b, 16, *either); //! barrier
}

// Not all wait for as many.
// expect divergence other_number
// ask {"local": [64], "groups": [2]}
kernel void other_number(global int *a, local int *t, local int *u) {
  event_t e[2];
  e[0] = async_work_group_copy(t, a, 16, 0);
  e[1] = async_work_group_copy(u, a, 16, 0);
  wait_group_events(get_local_id(0) == 0 ? 2 : 1, e); //! barrier
}
