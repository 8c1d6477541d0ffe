#!/bin/sh
# Tries what scripts/gpu packs in a root file system like that of a bare machine with an NVIDIA GPU: a shell, tar, gzip, a few
# other small commands and glibc; no xz, no timeout, no compiler, no network. PoCL plays the driver: its libraries lie in
# /usr/local/nvidia/lib64, and nothing but LD_LIBRARY_PATH leads there.
#
#   bundle.sh [FOLDER]
#   bundle.sh -s PROGRAM CLTESTCHECK
#
# FOLDER is packed first when it is missing (default: build-gpu in a temporary place). With -s, PROGRAM alone is packed, in seconds:
# one kernel is read, instrumented and its mutants are listed in the bare root, and CLTESTCHECK says the same outside of it. Exit
# status: 0 it works, 77 it cannot be tried here, anything else is a failure.
set -eu

source=$(cd "$(dirname "$0")/../.." && pwd)
skip() {
  printf 'bundle: skipped: %s\n' "$*" >&2
  exit 77
}
fail() {
  printf 'bundle: FAILED: %s\n' "$*" >&2
  [ ! -e "$work/text" ] || tail -n 40 "$work/text" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || skip "changing the root directory needs root"
unshare -m -n true 2> /dev/null || skip "no namespace of mounts and network can be made here"

# --- the root ---------------------------------------------------------------------------------------------------------

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
nvidia=/usr/local/nvidia/lib64
mkdir -p "$root/bin" "$root/tmp" "$root/proc" "$root/sys" "$root/dev" "$root/root" "$root/usr/lib" "$root/usr/lib64" "$root/usr/bin" "$root$nvidia"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"

# bring PATH…: copies files, with the links that lead to them, to the same places in the new root.
bring() {
  for path in "$@"; do
    mkdir -p "$root$(dirname "$path")"
    [ -e "$root$path" ] || cp -RL "$path" "$root$path"
  done
}
# libraries FILE: the shared libraries that a program loads, its interpreter too; others_of: without those of glibc.
libraries() { ldd "$1" | grep -o '/[^ ]*'; }
others_of() { libraries "$1" | grep -vE '/(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libmvec)\.so' || true; }

for library in $(libraries /bin/sh); do
  bring "$library"
done
libc=$(dirname "$(libraries /bin/sh | grep libc.so)")
for name in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libmvec.so.1; do
  bring "$libc/$name"
done

# As a mount namespace of its own, so that nothing stays mounted, and without network. The device and kernel folders are
# those of any machine.
in_root() {
  # shellcheck disable=SC2016 # expanded in there
  unshare -m -n sh -c '
    set -eu
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    chroot=$(command -v chroot)
    exec env -i PATH=/bin:/usr/bin HOME=/root "$chroot" "$root" "$@"' in_root "$root" "$@"
}

# --- the short form ---------------------------------------------------------------------------------------------------

if [ "${1:-}" = -s ]; then
  "$source/scripts/gpu" -s "$2" -o "$work/pack"
  cp -R "$work/pack" "$root/build-gpu"
  kernel=$source/suites/reduction/reduction.cl
  cp "$kernel" "$root/build-gpu/kernel.cl"
  cp "$kernel" "$work/kernel.cl"
  for glibc in "" "/build-gpu/bin/ld-linux-x86-64.so.2 --library-path /build-gpu/glibc:/build-gpu/lib"; do
    for command in "show /build-gpu/kernel.cl -- -DGROUP=16" "mutate --list /build-gpu/kernel.cl -- -DGROUP=16"; do
      # shellcheck disable=SC2086 # words
      in_root $glibc /build-gpu/bin/cltestcheck $command > "$work/packed" 2> "$work/text" || fail "$command, in a bare root"
      outside=$(echo "$command" | sed "s|/build-gpu|$work|")
      # shellcheck disable=SC2086
      "$3" $outside | sed "s|$work|/build-gpu|g" > "$work/ours"
      [ -s "$work/ours" ] || fail "$command says nothing"
      cmp -s "$work/ours" "$work/packed" || fail "$command says another thing in a bare root"
    done
  done
  echo "bundle: what is packed reads kernels in a bare root"
  exit 0
fi

# --- the whole ----------------------------------------------------------------------------------------------------------

busybox=$(command -v busybox || true)
[ -n "$busybox" ] || skip "there is no busybox; install busybox-static"
if ldd "$busybox" > /dev/null 2>&1; then skip "$busybox is not static; install busybox-static"; fi
pocl=$(find /usr/lib -name 'libpocl.so.2' 2> /dev/null | head -n 1)
[ -n "$pocl" ] || skip "there is no PoCL (libpocl.so.2) to play the driver; install pocl-opencl-icd"
cp "$busybox" "$root/bin/busybox"
for name in sh tar gzip env cat chmod cp dirname basename echo expr false grep head tail ls mkdir mv printf rm sed sleep tee test tr true uname wc; do
  ln -s busybox "$root/bin/$name"
done
folder=${1:-$work/build-gpu}
[ -e "$folder.tar.gz" ] || "$source/scripts/gpu" -o "$folder"
folder=$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder")

# PoCL as the driver. It links its kernels with ld, with the libraries that a C compiler has.
make_driver() {
  cp -L "$pocl" "$root$nvidia/libnvidia-opencl.so.1"
  cp -RL "$(dirname "$pocl")/pocl" "$root$nvidia/pocl"
  mkdir -p "$root/usr/local/share"
  cp -RL /usr/share/pocl "$root/usr/local/share/pocl" # beside the library's folder, where PoCL looks
  bring /usr/bin/ld "$libc/libgcc_s.so.1"
  for file in "$pocl" "$(dirname "$pocl")"/pocl/*.so /usr/bin/ld; do
    for library in $(others_of "$file"); do
      cp -L "$library" "$root$nvidia/"
    done
  done
  for name in libgcc.a libgcc_s.so libc.so libc_nonshared.a libm.so crti.o crtn.o crtbegin.o crtbeginS.o crtendS.o; do
    path=$(cc -print-file-name=$name)
    [ -e "$path" ] || skip "PoCL needs $name of a C compiler"
    bring "$(realpath -s "$path")"
  done
}

# run EXPECTED ARGUMENTS…: the bundle's run, with its exit status; what it prints is in $work/text.
run() {
  expected=$1
  shift
  status=0
  in_root /build-gpu/run "$@" > "$work/text" 2>&1 || status=$?
  [ "$status" = "$expected" ] || fail "run $* ended with $status instead of $expected"
}
says() { grep -qE -e "$1" "$work/text" || fail "it does not say \"$1\""; }

# --- what is packed ---------------------------------------------------------------------------------------------------

size=$(wc -c < "$folder.tar.gz")
[ "$size" -le $((40 * 1024 * 1024)) ] || fail "the archive has $size bytes, more than 40 MiB"
cp "$folder.tar.gz" "$root/build-gpu.tar.gz"
in_root sh -c 'cd / && tar xzf build-gpu.tar.gz' || fail "tar cannot unpack the archive"
rm "$root/build-gpu.tar.gz"
in_root /build-gpu/bin/cltestcheck --version || fail "cltestcheck does not start in a bare root"
# libLLVM of the pack is a part of LLVM's: what the front end makes with it is the same, with either glibc.
suites=lib/cltestcheck/suites
for kernels in "$source"/suites/*/*.cl; do
  name=$(basename "$kernels" .cl)
options="-DGROUP=16 -DTILE=16 -DUNSEEN=-1 -DFAR=1 -DBLOCK=64 -DWALL=8 -DSOFTENING=0.01f"
  # shellcheck disable=SC2086 # words
  for glibc in "" "/build-gpu/bin/ld-linux-x86-64.so.2 --library-path /build-gpu/glibc:/build-gpu/lib"; do
    in_root $glibc /build-gpu/bin/cltestcheck show "/build-gpu/$suites/$name/$name.cl" -- $options "-I/build-gpu/$suites/$name" > "$work/packed" ||
      fail "$name.cl cannot be read in a bare root"
    "$folder.build/cltestcheck" show "$folder/$suites/$name/$name.cl" -- $options "-I$folder/$suites/$name" | sed "s|$folder|/build-gpu|g" |
      cmp -s - "$work/packed" || fail "$name.cl: the pack makes another text"
  done
done

# --- no driver, and one that does not load ------------------------------------------------------------------------------

run 2
says 'no OpenCL library of a GPU driver was found'
says 'run: no device to run on'
make_driver
mv "$root$nvidia"/libhwloc* "$root/tmp/"
run 2
says "$nvidia/libnvidia-opencl.so.1: does not load: libhwloc.*: cannot open shared object file"
mv "$root"/tmp/libhwloc* "$root$nvidia/"

# --- each part, cut off -------------------------------------------------------------------------------------------------

# A driver that does not come back: `there` is cut off, too.
printf '#include <unistd.h>\n__attribute__((constructor)) static void wait(void) { for (;;) pause(); }\n' > "$work/stuck.c"
cc -shared -fPIC -o "$root/tmp/libstuck.so" "$work/stuck.c"
run 1 --only there --limit 2 --icd /tmp/libstuck.so
says '^-- there .* cut off after 2 s'
for part in coverage races amplify overhead mutate hang; do
  run 1 --only $part --limit 1
  says "^-- there  .* done$"
  says "^-- $part .* cut off after 1 s; what is above was done"
  in_root tar tzf /build-gpu/result/result.tar.gz > "$work/names" || fail "$part, cut off: there is no archive"
  grep -q summary.txt "$work/names" || fail "$part, cut off: no summary in the archive"
done
run 0 --only sanitizer || fail "sanitizer"
says '^compute-sanitizer is not on this machine$'
[ -z "$(ps -eo args | grep -E '^/build-gpu|[ /]gpu-device' | grep -v grep)" ] || fail "what was cut off still runs"

# --- all parts ----------------------------------------------------------------------------------------------------------

begin=$(date +%s)
in_root /build-gpu/run > "$work/text" 2>&1 &
runner=$!
sleep 15
grep -q '^== coverage' "$work/text" || fail "nothing is printed within 15 s"
wait $runner || fail "run ended with $?"
took=$(($(date +%s) - begin))
[ $took -le 900 ] || fail "run took $took s, more than 15 minutes"
[ "$(sed -n '/^== coverage/,/^-- coverage/p' "$work/text" | grep -c ' the same ')" = "$(find "$source/suites" -name suite.yaml | wc -l)" ] ||
  fail "not all benchmarks have the same coverage"
! grep -E 'DIFFERS|NO REPORT|failed with|cut off' "$work/text" || fail "something differs"
for part in there coverage races amplify overhead mutate hang; do
  says "^$part  *[0-9]+ s  done$"
done
[ "$(ls "$root/build-gpu/result")" = "$(printf 'result.tar.gz\nsummary.txt')" ] || fail "there are other results than an archive and a summary"
"$source/scripts/gpu-page" "$root/build-gpu/result/result.tar.gz" > "$work/page" || fail "no page can be made of the archive"
for part in there coverage races amplify overhead mutate hang; do
  grep -q "^### $part" "$work/page" || fail "the page says nothing of $part"
done
cp "$root/build-gpu/result/result.tar.gz" "$folder.result.tar.gz"
cat "$work/text"
echo "bundle: the pack works in a bare root; its run took $took s; $folder.result.tar.gz has what came out"
