#!/bin/sh
# `cltestcheck memory` with --gtest, --ctest and --pytest: of two test cases the one with an error is named, and it alone is run
# once more: frameworks.sh BUILD_DIR SOURCE_DIR SECTION
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
HOST=$build/memory_host
export HOST
failed=0
cat >ahead.cl <<'CL'
// BUFFER: in int 16 ramp
// BUFFER: out int 16 zeros
// KERNEL: ahead
// GLOBAL: 16
// LOCAL: 8
// ARG: in
// ARG: out
// READ: out
kernel void ahead(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i + BY];
}
CL

# says NAME STATUS PATTERN ARGS…: cltestcheck memory ends so, and the pattern is in what it prints
says() {
  name=$1 status=$2 pattern=$3
  shift 3
  "$build/cltestcheck" memory --db run.db --rules out-of-bounds "$@" >out 2>&1 </dev/null
  got=$?
  if [ $got = "$status" ] && tr '\n' ' ' <out | tr -s ' ' | grep -q -- "$pattern"; then
    echo "ok $name"
  else
    echo "FAIL $name: exit $got, or no \"$pattern\""
    sed 's/^/    /' out
    failed=1
  fi
}

# errors OPTION…: both test cases
errors() {
  says "$1: an error" 3 'out of bounds in kernel ahead: work-item 7 of work-group 1 reads in\[16\].* (launch 1, seen 1 time)' "$@"
}

section_gtest() { # test: cost=3
  cat >tests <<'END'
#!/bin/sh
case "$*" in
  *--gtest_list_tests*) printf 'Running main() from main.cc\nAhead.\n  None\n  One\n' ;;
  *--gtest_filter=Ahead.None*) exec "$HOST" ahead.cl -DBY=0 ;;
  *--gtest_filter=Ahead.One*) exec "$HOST" ahead.cl -DBY=1 ;;
esac
END
  chmod 755 tests
  errors --gtest -- ./tests
  says "gtest: of which test" 3 'finding 1: kernel ahead: ./tests --gtest_filter=Ahead.One.*finding 1 is seen again' --replay 1
  sed -i 's/BY=1/BY=0/' tests
  says "gtest: none" 0 'Memory errors of run 3: 2 test cases' --gtest -- ./tests
}

section_ctest() { # test: cost=3
  mkdir project
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(sample NONE)
enable_testing()
add_test(NAME none COMMAND ${HOST} ${HERE}/ahead.cl -DBY=0)
add_test(NAME one COMMAND ${HOST} ${HERE}/ahead.cl -DBY=1)
END
  cmake -S project -B b "-DHOST=$HOST" "-DHERE=$work" >/dev/null || exit 1
  errors --ctest b
  says "ctest: of which test" 3 'finding 1: kernel ahead: .*ahead.cl -DBY=1.*finding 1 is seen again' --replay 1
  says "ctest: none" 0 'Memory errors of run 3: 1 test case ' --ctest b -- -R none
}

section_pytest() { # test: cost=6
  for python in /usr/bin/python3 python3; do
    "$python" -c 'import pyopencl, pytest' 2>/dev/null && break
    python=
  done
  [ -n "$python" ] || {
    echo "skip: no Python here has PyOpenCL and pytest: apt install python3-pyopencl python3-pytest"
    exit 77
  }
  PYTHONDONTWRITEBYTECODE=1 PYOPENCL_NO_CACHE=1
  export PYTHONDONTWRITEBYTECODE PYOPENCL_NO_CACHE
  cat >test_ahead.py <<'END'
import numpy as np
import pyopencl as cl

def ahead(by):
    context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, open("ahead.cl").read()).build(["-DBY=%d" % by])
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    given, out = [cl.Buffer(context, flags, hostbuf=np.arange(16, dtype=np.int32)) for _ in range(2)]
    program.ahead(queue, (16,), (8,), given, out)
    got = np.empty(16, np.int32)
    cl.enqueue_copy(queue, got, out)

def test_none():
    ahead(0)

def test_one():
    ahead(1)
END
  errors --pytest -- "$python" -m pytest -q -p no:cacheprovider test_ahead.py
  says "pytest: of which test" 3 'finding 1: kernel ahead: .*test_ahead.py::test_one.*finding 1 is seen again' --replay 1
  says "pytest: none" 0 'Memory errors of run 3: 1 test case ' --pytest -- "$python" -m pytest -q -p no:cacheprovider test_ahead.py -k none
}

"section_$3"
exit $failed
