#!/bin/sh
# Runs docs/tutorial.md: tutorial.sh BUILD_DIR SOURCE_DIR first|first_package|pyopencl
# ```console blocks hold commands (`$ `, with `\` at the end of a line that goes on) and parts of what each prints; those of
# ```console package and ```console folder are run for that way to install alone; ```LANGUAGE FILE blocks are files.
# first: up to the heading that names PyOpenCL; pyopencl: all of it. $PYOPENCL_SOURCE is a checkout of PyOpenCL in the version of
# the package. `apt install` unpacks the package into a root of its own, and the steps after it run the cltestcheck of that root.
# Exit 1 when a step failed, 77 when what the part needs is not there.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
section_first() { part=first way=folder; } # test: lock=install quick cost=10
section_first_package() { part=first way=package; } # test: lock=install full
section_pyopencl() { part=pyopencl way=package; } # test: lock=install
"section_${3:-first}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
mkdir "$work/steps" "$work/bin" "$work/here"
ln -s "$build" "$work/here/build"

skip() {
  echo "skip: $1"
  exit 77
}

# What the part on PyOpenCL needs: a Python that has it, and its tests.
if [ "$part" = pyopencl ]; then
  [ -f "$PYOPENCL_SOURCE/test/test_algorithm.py" ] ||
    skip "PyOpenCL's tests are not here: set PYOPENCL_SOURCE to a checkout of github.com/inducer/pyopencl, tag v2022.3.1"
  for python in python3 /usr/bin/python3; do
    "$python" -c 'import pyopencl, pytest' 2>/dev/null && break
    python=
  done
  [ -n "$python" ] || skip "no Python here has PyOpenCL and pytest: apt install python3-pyopencl python3-pytest"
  ln -s "$(command -v "$python")" "$work/bin/python3"
  ln -s "$(cd "$PYOPENCL_SOURCE" && pwd)" "$work/here/pyopencl-source"
  PATH=$work/bin:$PATH
  PYTEST_ADDOPTS="-p no:cacheprovider"
  PYTHONDONTWRITEBYTECODE=1
  export PATH PYTEST_ADDOPTS PYTHONDONTWRITEBYTECODE
fi

if [ "$way" = package ]; then
  for tool in cpack dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || skip "$tool is not here: apt install cmake dpkg-dev"
  done
fi

# apt install ./PACKAGE.deb NAME…: into $work/root. The other packages are those that the machine has.
root=$work/root
apt() {
  dpkg-deb -x "$2" "$root" || return
  PATH=$root/usr/bin:$PATH
  export PATH
  rm "$work/here/build" # what follows has the package alone
  for file in share/bash-completion/completions/cltestcheck share/zsh/vendor-completions/_cltestcheck \
    share/fish/vendor_completions.d/cltestcheck.fish share/doc/cltestcheck/docs/tutorial.md share/doc/cltestcheck/copyright; do
    [ -s "$root/usr/$file" ] || { echo "the package lacks $file"; return 1; }
  done
  for command in "" $(cltestcheck help | sed -n 's/^  \([a-z][a-z]*\)  .*/-\1/p'); do
    gzip -t "$root/usr/share/man/man1/cltestcheck$command.1.gz" || return
  done
}

# One file a step: NNN.run and NNN.shown, or NNN.NAME for a file's text.
awk -v out="$work/steps" -v part="$part" -v way="$way" '
  /^## .*PyOpenCL/ && part == "first" { exit }
  /^```/ {
    inside = !inside && NF > 0 && $0 != "```" ? $1 : ""
    if (inside == "```console" && NF > 1 && $2 != way) inside = "elsewhere"
    else if (inside == "```console") file = ""
    else if (inside != "") file = sprintf("%s/%03d.file.%s", out, ++n, $2)
    going = 0
    next
  }
  inside == "```console" && (/^\$ / || going) {
    if (!going) { n++; run = sprintf("%s/%03d.run", out, n); file = sprintf("%s/%03d.shown", out, n); printf "" >file }
    going = /\\$/
    sub(/^\$ /, "")
    print >run
    next
  }
  inside != "" && inside != "elsewhere" { print >file }' "$source/docs/tutorial.md"

# shown FILE OUTPUT: the pieces of FILE between `…` stand in OUTPUT in their order, however lines are broken. A line that is
# an ellipsis, and the end of a line, stand for anything.
shown() {
  awk '
    function squeezed(s) { gsub(/[ \t\n]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s); return s }
    FNR == NR { output = output " " $0; next }
    FNR == 1 { output = squeezed(output) }
    {
      pieces = split($0, piece, "…")
      for (i = 1; i <= pieces; i++) {
        wanted = squeezed(piece[i])
        at = index(output, wanted)
        if (wanted != "" && at == 0) { print "not printed: " wanted; exit 1 }
        if (wanted != "") output = substr(output, at + length(wanted))
      }
    }' "$2" "$1"
}

cd "$work/here" || exit 1
steps=0
for step in "$work"/steps/*; do
  case $step in
    *.file.*) cp "$step" "${step##*.file.}" ;;
    *.run)
      cat "$step"
      # shellcheck disable=SC1090 # a step may set what later ones need
      . "$step" >"$work/output" 2>&1
      status=$?
      if [ $status != 0 ] || ! shown "${step%run}shown" "$work/output"; then
        echo "FAIL: exit status $status, and it prints:"
        cat "$work/output"
        exit 1
      fi
      steps=$((steps + 1))
      ;;
  esac
done
[ $steps -ge 6 ] || { echo "FAIL: docs/tutorial.md has $steps steps"; exit 1; }
echo "ok $steps steps"
