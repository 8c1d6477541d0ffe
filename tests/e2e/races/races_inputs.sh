# Sections of run.sh about `cltestcheck races`: what it can be given; sourced by it.
# shellcheck shell=sh disable=SC2154

races() { run races --quiet --format json=a.json "$@"; }

# counts: launches, kernels and races of the last report
counts() {
  for name in launches kernels race; do
    printf '%s ' "$(value a.json races.$name)"
  done
}

# All groups write to out[0] what their process has alone: where the buffer lies.
section_races_inputs() { # test: sanitized quick cost=5
  fresh
  printf '__kernel void work(__global int *out) {\n  if (get_local_id(0) == 0)\n    out[0] = (int)((ulong)out >> 12) + get_group_id(0);\n}\n' >lies.cl
  printf '__kernel void work(__global int *out) {\n  if (get_local_id(0) == 0)\n    out[1 + atomic_inc(&out[0]) %% 4] = get_group_id(0);\n}\n' >slots.cl
  for name in lies slots; do
    run capture $name.cltc -- "$host" groups $name.cl
    expect "races: $name is captured" 0
  done
  races slots.cltc
  expect "races: a capture without a race" 0
  same "races: a capture without a race: counts" "3 1 0 " counts
  races lies.cltc
  expect "races: a capture that reads something else each time" 3
  same "races: a capture that reads something else: counts" "3 1 1 " counts
  same "races: a capture that reads something else: the line" 3 value a.json findings.0.places.1.line
  races slots.cltc lies.cltc
  expect "races: two captures" 3
  same "races: two captures: counts" "6 2 1 " counts
  cp "$host" here_host
  printf 'name: small\ndescription: Two kernels.\nprogram: here_host\ntests:\n  - name: slots\n    args: [groups, slots.cl]\n  - name: lies\n    args: [groups, lies.cl]\n' >suite.yaml
  PATH=$work/here:$PATH races suite.yaml
  expect "races: a file of a suite" 3
  same "races: a file of a suite: counts" "6 2 1 " counts
  races group-sum
  expect "races: a benchmark" 3
  same "races: a benchmark: its kernels" 3 value a.json races.kernels
  amplify --runs 1 --targets 0, --order first lies.cltc
  expect "amplify: a capture that reads something else each time" 3 "the order of the groups is not why"
  same "amplify: a capture that reads something else: the race all the same" data-race value a.json findings.0.rule
}
