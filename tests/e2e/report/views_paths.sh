# Sections of views.sh about names of files; sourced by it.
# shellcheck shell=sh disable=SC2154

# A kernel with an `else` that is never taken and a barrier that diverges, so that each format names its file.
put_parted_kernel() {
  cat >"$1" <<'END'
kernel void work(global int *out) {
  int i = get_global_id(0);
  out[i] = i;
  if (i == 3)
    barrier(CLK_GLOBAL_MEM_FENCE);
  if (i > 100)
    out[i] = 0;
}
END
}

# names FORMAT: in what the last report wrote, the file as this format names it
names() {
  case $1 in
    text) grep -o '[^ ]*gemm[.]cl:[0-9]*' "$work/out" | sed 's/:.*//' ;;
    json) grep -o '"file": *"[^"]*gemm[.]cl"' "$work/out" | cut -d'"' -f4 ;;
    lcov) sed -n 's/^SF://p' "$work/out" ;;
    cobertura) grep -o 'filename="[^"]*"' "$work/out" | cut -d'"' -f2 ;;
    sarif) grep -o '"uri": *"[^"]*gemm[.]cl"' "$work/out" | cut -d'"' -f4 | sed 's,^file://,,' ;;
    github) grep -o 'file=[^,]*' "$work/out" | cut -d= -f2 ;;
    stryker) grep -o '"[^"]*gemm[.]cl": *{' "$work/out" | cut -d'"' -f2 ;;
    junit) grep -o '[^" >;]*gemm[.]cl:[0-9]*' "$work/out" | sed 's/:.*//' ;;
    markdown) grep -o '[^ `|(]*gemm[.]cl:[0-9]*' "$work/out" | sed 's/:.*//' ;;
    html) grep -o 'one[^ "<>]*gemm[.]cl' "$work/out" ;;
  esac | sort -u
}

# named_alike NAME WANTED FOLDER ARGS…: each format names the file so, from this folder
named_alike() {
  what=$1
  wanted=$2
  where=$3
  shift 3
  for format in text json lcov cobertura sarif github junit markdown html; do
    cd "$where" || exit 1
    run report --db "$work/here/cltestcheck.db" --format "$format" "$@"
    [ "$format" = html ] && case $wanted in one*) ;; *) continue ;; esac
    same "$what: $format" "$wanted" names "$format"
  done
}

section_paths_repository() {
  fresh
  mkdir -p repo/.git repo/one/two/three/four/five repo/build outside
  put_parted_kernel repo/one/two/three/four/five/gemm.cl
  deep=one/two/three/four/five/gemm.cl
  cd repo/build || exit 1
  run coverage --db ../../cltestcheck.db --format lcov=cov.info -- "$host" file ../$deep
  expect "a source in a repository" 3
  check "a source many folders down is found" test ! -e cov.info.sources
  cd ../..
  named_alike "from the root" $deep "$work/here/repo"
  named_alike "from a folder of the repository" $deep "$work/here/repo/one/two"
  named_alike "from elsewhere" $deep "$work/here/outside"
  named_alike "--root" three/four/five/gemm.cl "$work/here/outside" --root "$work/here/repo/one/two"
  named_alike "--root elsewhere" "$work/here/repo/$deep" "$work/here/outside" --root "$work/here/outside"
  cd "$work/here/repo/one" || exit 1
  run coverage --db ../../cltestcheck.db --root . -- "$host" file two/three/four/five/gemm.cl
  named_alike "coverage --root" two/three/four/five/gemm.cl "$work/here/outside"
  run report --root "$work/here/no/such"
  expect "--root that is not there" 1 "wants a folder"
}

section_paths_alone() {
  fresh
  mkdir -p one/two/three/four/five outside
  put_parted_kernel one/two/three/four/five/gemm.cl
  run coverage --format lcov=cov.info -- "$host" file one/two/three/four/five/gemm.cl
  expect "a source without a repository" 3
  check "five folders below" test ! -e cov.info.sources
  named_alike "without a repository" one/two/three/four/five/gemm.cl "$work/here/outside"
  same "cobertura says where the names start" "$work/here" sh -c \
    "'$tool' report --db '$work/here/cltestcheck.db' --format cobertura | sed -n 's/.*<source>\(.*\)<.source>.*/\1/p'"
}

# Of a submodule the repository around it; of a link its target; a header where it lies.
section_paths_submodule() {
  fresh
  mkdir -p repo/.git repo/lib/inc repo/build
  echo 'gitdir: ../.git/modules/lib' >repo/lib/.git
  put_parted_kernel repo/lib/gemm.cl
  ln -s ../lib/gemm.cl repo/build/copy.cl
  cd repo/build || exit 1
  run coverage --db ../../cltestcheck.db -- "$host" file copy.cl
  cd ../lib || exit 1
  run report --db ../../cltestcheck.db --format lcov
  same "a submodule, through a link" lib/gemm.cl names lcov

  echo 'int twice(int x) { return x > 50 ? 7 : 2 * x; }' >inc/gemm.cl
  printf '#include "inc/gemm.cl"\nkernel void work(global int *out) { out[get_global_id(0)] = twice(1); }\n' >main.cl
  run coverage --db ../../cltestcheck.db -- "$host" file main.cl
  run report --db ../../cltestcheck.db --format lcov
  same "a header" "lib/inc/gemm.cl
lib/main.cl" names lcov
}

# The copy that a report leaves behind is not where the kernel came from.
section_paths_copy() {
  fresh
  run coverage --format lcov=cov.info -- "$host" run x
  mkdir -p kept && cp cov.info.sources/source-*.cl kept
  run coverage --format lcov=cov.info -- "$host" run x
  same "a kernel from a string keeps its name" "$(ls kept)" sh -c \
    "'$tool' report --format json | grep -o '\"file\": *\"[^\"]*\"' | sort -u | cut -d'\"' -f4"
}
