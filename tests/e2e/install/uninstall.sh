#!/bin/sh
# What a user gets from `cmake --install` and loses by `--target uninstall`: install.sh BUILD_DIR SOURCE_DIR
# test: lock=install quick
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND…
  name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "ok $name"
  else
    failed=1
    echo "FAIL $name: $*"
    head -n 12 "$work/log"
  fi
}
# The manifest of this build folder is another user's business: it is put back.
manifest=$build/install_manifest.txt
[ ! -e "$manifest" ] || mv "$manifest" "$work/manifest"
restore() {
  rm -f "$manifest"
  [ ! -e "$work/manifest" ] || mv "$work/manifest" "$manifest"
  rm -rf "$work"
}
trap restore EXIT

uninstall() { DESTDIR=$1 cmake -DMANIFEST="$manifest" -P "$source/packaging/uninstall.cmake"; }
refused() { ! "$@"; }
only() { [ "$(cd "$1" && find . ! -type d | sort | tr '\n' ' ')" = "$2" ]; }

check "nothing installed: said, and exit not 0" refused uninstall ""
prefix=$work/with\ space/prefix
check "installs" cmake --install "$build" --prefix "$prefix"
check "the program runs from there" "$prefix/bin/cltestcheck" --version
engine=$(find "$prefix" -path '*/cltestcheck/cltestcheck-verify')
check "the proof engine is there where it was built" \
  test "$([ -e "$build/cltestcheck-verify" ] && echo built)" = "${engine:+built}"
if [ -n "$engine" ] && clang-19 --version >/dev/null 2>&1; then
  echo 'kernel void fill(global int *a) { a[get_global_id(0)] = 1; }' >"$work/fill.cl"
  check "it proves a kernel from there" "$prefix/bin/cltestcheck" verify --db "$work/fill.db" --fail-under verified=100 "$work/fill.cl"
else
  check "without it, verify says what is missing" sh -c \
    "'$prefix/bin/cltestcheck' verify --db '$work/fill.db' fill.cl 2>&1 | grep -q 'apt-get install'"
fi
for file in LICENSE README.md docs/commands.md; do
  check "has $file" test -s "$prefix/share/doc/cltestcheck/$file"
done
echo mine >"$prefix/share/doc/cltestcheck/mine"
echo mine >"$prefix/bin/mine"
check "uninstalls" uninstall ""
check "leaves what others put there, and nothing else" only "$prefix" "./bin/mine ./share/doc/cltestcheck/mine "
check "no other folder of its own is left" \
  test "$(find "$prefix" -type d -path '*/cltestcheck*')" = "$prefix/share/doc/cltestcheck"
check "a second time: said, and exit not 0" refused uninstall ""

DESTDIR=$work/root cmake --install "$build" --prefix /usr >/dev/null
check "a staged root, too" uninstall "$work/root"
check "is empty then" only "$work/root" ""
exit $failed
