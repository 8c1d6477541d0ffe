#!/bin/sh
# bench/paper: paper.sh BUILD_DIR SOURCE_DIR
# A benchmark of ours stands in for two programs of the list, under their names; of all others it says that they are not built.
# One line a check; exit 1 when one failed, 77 without Python 3.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
command -v python3 >/dev/null || { echo "skip: python3 is not here"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
failed=0
check() { # NAME COMMAND…
  name=$1
  shift
  if "$@" >log 2>&1; then echo "ok $name"; else echo "FAIL $name: $*"; head -n 20 log; failed=1; fi
}
paper() { "$source/bench/paper" -b "$build" "$@" >out 2>err </dev/null; }
says() { grep -qF -- "$2" "$1" || { cat "$1"; false; }; }

# vector-guarded without arguments: its kernel axpy is not launched with a rest, so one of two outcomes of the range check.
mkdir -p programs/GEMM programs/LU
cp "$build/suites/vector-guarded/vector-guarded" "$build/suites/vector-guarded/vector-guarded.cl" programs/GEMM
cp "$build/suites/vector-guarded/vector-guarded" "$build/suites/vector-guarded/vector-guarded.cl" programs/LU
check "runs" paper -o seen -c coverage,races programs
check "two programs and two commands" [ "$(grep -c ' done$' out)" = 4 ]
check "tables" says seen/tables.md "## PolyBench, coverage"
check "a row" says seen/tables.md "| GEMM | "
check "no races" [ "$(grep -c '| none |' seen/tables.md)" = 2 ]
check "beside the paper" says seen/tables.md "| PolyBench | all | programs at exactly 50 % branch coverage | 13 of 20 | "
check "what is missing" says seen/tables.md "Not built here: 2DCONV (PolyBench)"
check "the page" says seen/index.html "<svg"
check "inputs" test -s seen/inputs/parboil/spmv/matrix.mtx
touch -d 2001-01-01 seen/polybench.GEMM.coverage.json
check "a second time" paper -o seen -c coverage,races programs
check "goes on" [ "$(find seen -name 'polybench.GEMM.coverage.json' ! -newermt 2002-01-01)" ]
check "no folder" sh -c "! '$source/bench/paper' -b '$build' -o seen nowhere 2>err && grep -q 'is no folder' err"
check "no command" sh -c "! '$source/bench/paper' -b '$build' -o seen -c fly programs 2>err && grep -q 'is no command' err"
mkdir empty
check "no programs" sh -c "! '$source/bench/paper' -b '$build' -o seen empty 2>err && grep -q 'none of the programs' err"
exit $failed
