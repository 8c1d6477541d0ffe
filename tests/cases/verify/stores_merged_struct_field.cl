// EXPECT: race
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: with ready set, work-item 0 stores 1 while work-item 1 may still be about to store 2 or has stored it: two different values in job->state and no barrier.
typedef struct {
  int id, state;
} job_t;
kernel void advance(global job_t *job, int ready, int fast) {
  global int *const state = &job->state;
  if (ready) {
    *state = 1;
  }
  if (ready && fast) {
    *state = 2;
  }
}
