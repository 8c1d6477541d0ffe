#!/bin/sh
# Tests of the host alone among those of kernels: idle.sh BUILD_DIR. Mutants are not run against them; one sentence says so, and the
# report does not call them needless.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
tool=$build/cltestcheck
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

check() { # check NAME COMMAND…
  name=$1
  shift
  if "$@"; then
    echo "ok $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    sed 's/^/    /' "$work/run.log"
  fi
}

cp -r "$build/suites/vector-guarded/." "$work/"
cat >"$work/both" <<'END'
#!/bin/sh
[ "$1" = host ] && exit 0
exec ./vector-guarded 1003 axpy
END
chmod +x "$work/both"
cat >"$work/suite.yaml" <<'END'
name: both
description: two tests of the host and one of the kernels.
program: both
tests:
  - name: host-first
    args: ["host"]
  - name: kernels
    args: ["kernels"]
  - name: host-last
    args: ["host"]
END
cd "$work" || exit 1
for engine in auto rerun; do
  rm -f kernels.db
  "$tool" mutate --engine $engine --db kernels.db --runs 2 --operators rel --no-equivalence suite.yaml >run.log 2>&1
  check "$engine: ends well" [ $? = 0 ]
  check "$engine: one sentence for both" grep -q \
    '2 test cases do nothing on the device and are run against no mutant: .*host-first, .*host-last$' run.log
  check "$engine: no other note of them" [ "$(grep -c '^cltestcheck:.*host-' run.log)" = 1 ]
  check "$engine: none is needless" [ "$(grep -c 'add no kill' run.log)" = 0 ]
done

[ "$failed" = 0 ]
