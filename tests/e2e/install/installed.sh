# Section about an installed tree.
# shellcheck shell=sh disable=SC2154

section_installed() { # test: lock=install
  fresh
  if ! command -v cmake >"$work/check.out"; then
    skip "installed tree" "cmake is not in PATH"
    return
  fi
  DESTDIR="$work/here/stage" cmake --install "$build" --prefix "/opt/cl test check" >"$work/out" 2>"$work/err"
  status=$?
  expect "cmake --install" 0
  built=$tool
  tool="$work/here/stage/opt/cl test check/bin/cltestcheck"
  mkdir elsewhere
  cd elsewhere || exit 1
  run coverage --quiet --format json=a.json vector-guarded
  expect "installed: a benchmark" 0
  check "installed: its totals" "$checker" a.json "$source/suites/vector-guarded/expected.json"
  run coverage --quiet --preload -- env -u OPENCL_LAYERS "$host" run x
  expect "installed: --preload" 0
  check "installed: man pages" test -s "$work/here/stage/opt/cl test check/share/man/man1/cltestcheck-coverage.1"
  check "installed: completion" test -s "$work/here/stage/opt/cl test check/share/bash-completion/completions/cltestcheck"
  ln -s "$tool" "$work/here/elsewhere/link"
  tool=$work/here/elsewhere/link
  run coverage --quiet vector-guarded
  expect "installed: through a symbolic link" 0
  tool=$built
}
