# Section of views.sh about sources on the terminal; sourced by it.
# shellcheck shell=sh disable=SC2154

# Eight work-items: i is 0 to 7.
section_annotate() {
  fresh
  mkdir src
  printf 'kernel void work(global int *out) {\n\tint i = get_global_id(0);\n\tif (i > 50)\n\t\tout[i] = 0;\n}\n\n' >src/k.cl
  printf 'kernel void unused(global int *out) {\n  out[0] = 1;\n}\n' >>src/k.cl
  run coverage -q -- "$host" file src/k.cl
  run show --annotate
  expect "show --annotate" 0
  cat >wanted <<'END'
src/k.cl:
     1|     1| kernel void work(global int *out) {
     2|     1|     int i = get_global_id(0);
     3|     1|     if (i > 50)
                   ^ if: never true
     4|     0|         out[i] = 0;
     5|     1| }
     6|      |
     7|     0| kernel void unused(global int *out) {
     8|     0|   out[0] = 1;
     9|     0| }
END
  check "show --annotate: counts and marks" diff wanted "$work/out"
  run show --annotate --kernel unused k.cl
  same "show --annotate --kernel" "src/k.cl:
      …
     7|     0| kernel void unused(global int *out) {" head -n 3 "$work/out"
  run mutate -q --runs 1 --kernel work --operators rel -- "$host" file src/k.cl
  run show --annotate 'src/*.cl' --color always
  check "show --annotate: survivors, in colour" grep -q "$(printf '\033')\[33m^ survived: > becomes >= (mutant [0-9]*)" "$work/out"
  check "show --annotate: a line that nothing executed" grep -q "     4|     0| $(printf '\033')\[31m        out" "$work/out"
  run show --annotate other.cl
  expect "show --annotate of a file that is not there" 1 "there is src/k.cl"
  run show --annotate --kernel nosuch
  expect "show --annotate of a kernel that is not there" 5 "leave no kernel"
  run show --kernel work src/k.cl
  expect "show --kernel without --annotate" 1 "is for show --annotate"
  rm cltestcheck.db*
  run mutate -q --runs 1 --kernel work --operators rel -- "$host" file src/k.cl
  run show --annotate
  check "show --annotate without coverage" grep -q "^Coverage was not measured" "$work/out"
  check "show --annotate without coverage: no counts" sh -c "! grep -q '|     [01]|' '$work/out'"
}
