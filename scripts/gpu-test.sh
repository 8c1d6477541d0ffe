#!/bin/sh
# Tries the folder that scripts/gpu packs in an empty root file system: busybox, glibc, the folder, and nothing else;
# then with PoCL installed there as the driver.
#
#   gpu-test.sh [FOLDER]
#
# FOLDER is packed first when it is missing (default: build-gpu in a temporary place). Exit status: 0 it works, 77 it
# cannot be tried here, anything else is a failure.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
skip() {
  printf 'gpu-test: skipped: %s\n' "$*" >&2
  exit 77
}
fail() {
  printf 'gpu-test: FAILED: %s\n' "$*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || skip "changing the root directory needs root"
busybox=$(command -v busybox || true)
[ -n "$busybox" ] || skip "there is no busybox; install busybox-static"
if ldd "$busybox" > /dev/null 2>&1; then skip "$busybox is not static; install busybox-static"; fi
pocl=$(find /usr/lib -name 'libpocl.so.2' 2> /dev/null | head -n 1)
[ -n "$pocl" ] || skip "there is no PoCL (libpocl.so.2) to play the driver; install pocl-opencl-icd"
unshare -m true 2> /dev/null || skip "no mount namespace can be made here"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${1:-$work/build-gpu}
[ -x "$folder/run" ] || "$scripts/gpu" -n -o "$folder"

root=$work/root
mkdir -p "$root/bin" "$root/tmp" "$root/proc" "$root/sys" "$root/dev" "$root/root" "$root/usr/lib" "$root/usr/lib64"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"
cp "$busybox" "$root/bin/busybox"
for name in $("$busybox" --list); do
  ln -s busybox "$root/bin/$name" 2> /dev/null || true
done

# bring PATH…: copies files, with the links that lead to them, to the same places in the new root.
bring() {
  for path in "$@"; do
    mkdir -p "$root$(dirname "$path")"
    [ -e "$root$path" ] || cp -RL "$path" "$root$path"
  done
}
# libraries FILE: the shared libraries that a program loads, its interpreter too.
libraries() { ldd "$1" | grep -o '/[^ ]*'; }

# As a mount namespace of its own, so that nothing stays mounted. The device and kernel folders are those of any machine.
in_root() {
  # shellcheck disable=SC2016 # expanded in there
  unshare -m sh -c '
    set -eu
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" /bin/env -i PATH=/bin:/usr/bin HOME=/root "$@"' in_root "$root" "$@"
}

for library in $(libraries /bin/sh); do
  bring "$library"
done
for name in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
  bring "$(dirname "$(libraries /bin/sh | grep libc.so)")/$name"
done
cp -R "$folder" "$root/build-gpu"

in_root /build-gpu/bin/cltestcheck --version || fail "cltestcheck does not start in an empty root"
in_root /build-gpu/bin/cltestcheck show /build-gpu/lib/cltestcheck/suites/spmv/spmv.cl > "$work/text" ||
  fail "libclang cannot read a kernel in an empty root"
in_root /build-gpu/bin/ld-linux-x86-64.so.2 --library-path /build-gpu/glibc:/build-gpu/lib /build-gpu/bin/cltestcheck \
  show /build-gpu/lib/cltestcheck/suites/spmv/spmv.cl | cmp - "$work/text" || fail "with the packed glibc it differs"
status=0
in_root /build-gpu/run > "$work/text" 2>&1 || status=$?
if [ "$status" != 2 ] || ! grep -q 'no OpenCL library of a GPU driver' "$work/text"; then
  fail "without a driver, run ended with $status: $(cat "$work/text")"
fi

# PoCL links its kernels with ld, with the libraries that a C compiler has.
bring "$pocl" "$(dirname "$pocl")/pocl" /usr/share/pocl /usr/bin/ld
for name in libgcc.a libgcc_s.so libc.so libc_nonshared.a libm.so libmvec.so.1 crti.o crtn.o crtbegin.o crtbeginS.o crtendS.o; do
  path=$(cc -print-file-name=$name)
  [ -e "$path" ] || skip "PoCL needs $name of a C compiler"
  bring "$(realpath -s "$path")"
done
for file in "$pocl" "$(dirname "$pocl")"/pocl/*.so /usr/bin/ld; do
  for library in $(libraries "$file"); do
    bring "$library"
  done
done
status=0
in_root /build-gpu/run --icd "$pocl" || status=$?
[ "$status" = 0 ] || fail "run ended with $status"
echo "gpu-test: the pack works in an empty root"
