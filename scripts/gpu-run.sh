#!/bin/sh
# Runs cltestcheck's benchmarks on this machine's GPU and compares their coverage, site by site, with the reference.
#
#   run [--icd LIBRARY] [--out FOLDER] [--reference]
#
# Finds the OpenCL library of the GPU driver, or takes LIBRARY. Writes FOLDER/report.txt (default: result/report.txt
# beside this script) and prints it. --reference makes the reference instead. Exit status: 0 all the same, 1 something
# differs, 2 it could not run.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
suites=$here/lib/cltestcheck/suites
out=
library=
reference=0
shown=40 # lines of differences and of output, a benchmark, in the report
while [ $# -gt 0 ]; do
  case $1 in
  --icd) library=${2:?--icd needs the path of a library}; shift ;;
  --out) out=${2:?--out needs a folder}; shift ;;
  --reference) reference=1 ;;
  *) sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0"; exit 2 ;;
  esac
  shift
done
[ -n "$out" ] || { [ $reference = 1 ] && out=$here/reference || out=$here/result; }

stop() {
  printf 'run: %s\n' "$*" >&2
  exit 2
}

# --- glibc ------------------------------------------------------------------------------------------------------------

tool() { "$here/bin/cltestcheck" "$@"; }
packed_tool() { "$here/bin/ld-linux-x86-64.so.2" --library-path "$here/glibc:$here/lib:$here/lib/opencl" "$here/bin/cltestcheck" "$@"; }

# The benchmarks have to run with the system's glibc, because the driver's libraries do; cltestcheck itself need not.
check_glibc() {
  case $(uname -m) in x86_64) ;; *) stop "this pack is for x86-64 machines, and this one is $(uname -m)" ;; esac
  status=0
  said=$("$suites/bfs/bfs" 2>&1) || status=$?
  case $status-$said in
  12[67]-* | *GLIBC_*)
    stop "the benchmarks need glibc $(cat "$here/glibc/needed") or newer, and this machine's is older or not glibc" ;;
  esac
  if ! tool --version > /dev/null 2>&1; then
    packed_tool --version > /dev/null || stop "cltestcheck does not start, not even with the glibc of the pack"
    tool() { packed_tool "$@"; }
  fi
}

# --- the driver -------------------------------------------------------------------------------------------------------

vendors="libnvidia-opencl.so.1 libamdocl64.so libigdrcl.so"

driver_folders() {
  printf '%s\n' "${LD_LIBRARY_PATH:-}" | tr ':' '\n'
  printf '%s\n' /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/wsl/lib /usr/lib/wsl/drivers/* /usr/lib/x86_64-linux-gnu \
    /usr/lib/x86_64-linux-gnu/nvidia/* /usr/lib/x86_64-linux-gnu/intel-opencl /usr/lib64 /usr/lib64/nvidia /usr/lib \
    /usr/lib/nvidia* /usr/lib32/nvidia* /lib64 /lib /usr/local/lib /usr/local/cuda/compat /run/opengl-driver/lib \
    /opt/rocm/lib /opt/rocm/opencl/lib /opt/amdgpu-pro/lib/x86_64-linux-gnu
}

# find_drivers: the paths of the vendors' OpenCL libraries, one a line.
find_drivers() {
  for name in $vendors; do
    found=$({ ldconfig -p || /sbin/ldconfig -p || true; } 2> /dev/null | sed -n "s|.*x86-64.*=> \\(/.*/$name\\)\$|\\1|p" | head -n 1)
    [ -n "$found" ] || found=$(driver_folders | while read -r folder; do
      if [ -n "$folder" ] && [ -e "$folder/$name" ]; then echo "$folder/$name"; break; fi
    done)
    [ -z "$found" ] || echo "$found"
  done
}

write_vendors() {
  rm -rf "$out/vendors"
  mkdir -p "$out/vendors"
  if [ -n "$library" ]; then
    [ -e "$library" ] || stop "there is no library $library"
    printf '%s\n' "$library" > "$out/vendors/given.icd"
  elif [ $reference = 1 ]; then
    cp /etc/OpenCL/vendors/*.icd "$out/vendors/" 2> /dev/null || true
  else
    find_drivers | while read -r found; do
      printf '%s\n' "$found" > "$out/vendors/$(basename "$found").icd"
    done
  fi
  set -- "$out"/vendors/*.icd
  [ -e "$1" ] || stop "no OpenCL library of a GPU driver ($vendors) was found; name one with --icd"
  OCL_ICD_VENDORS=$out/vendors
  export OCL_ICD_VENDORS
}

# --- running and comparing --------------------------------------------------------------------------------------------

hundredths() { sed 's/ .*//; s/\.//' /proc/uptime; }

# part FILE KEY OPENING CLOSING: what a report says under a key of its top level, on one line.
part() {
  sed "/^  \"$2\": \\[\\]/d" "$1" | sed -n "/^  \"$2\": $3/,/^  $4/p" | sed 's/^ *//' | tr -d '\n' |
    sed 's/^"[a-z]*": [[{]//; s/[]}],*$//; s/},/}\n/g'
  echo
}

# sites REPORT: a line for each total, each outcome never taken and each finding.
sites() {
  part "$1" coverage '{' '}' | sed -n 's/^\("[a-z_]*": .*\)$/total \1/p'
  part "$1" missed '\[' '\]' | sed -n 's|"file": "[^"]*/|"file": "|; s/^{/missed {/p'
  part "$1" findings '\[' '\]' | sed -n 's/.*"rule": "\([^"]*\)".*/finding \1/p' | sort | uniq -c |
    sed 's/^ *\([0-9]*\) \(.*\)/\2, times \1/'
}

# one NAME: runs a benchmark; leaves NAME.json, NAME.text (its output), NAME.sites and NAME.status.
one() {
  status=0
  tool coverage --quiet --timeout 300 --db "$out/results.db" --suites "$suites" --format json="$out/$1.json" "$1" \
    > "$out/$1.text" 2>&1 < /dev/null || status=$?
  echo "$status" > "$out/$1.status"
  : > "$out/$1.sites"
  [ ! -s "$out/$1.json" ] || sites "$out/$1.json" > "$out/$1.sites"
}

# compare NAME TIME: a row of the report, with the differing lines below it.
compare() {
  {
    grep -vxFf "$out/$1.sites" "$here/reference/$1.sites" | sed 's/^/      reference: /'
    grep -vxFf "$here/reference/$1.sites" "$out/$1.sites" | sed 's/^/      here:      /'
  } > "$out/$1.differences" || true
  count=$(grep -vc ': *total ' "$out/$1.differences" || true)
  verdict=same
  if [ -s "$out/$1.differences" ] || ! [ -s "$out/$1.sites" ]; then
    verdict="$count sites differ"
    different=$((different + 1))
  fi
  exits="exit $(cat "$out/$1.status")"
  if [ "$(cat "$out/$1.status")" != "$(cat "$here/reference/$1.status")" ]; then
    exits="$exits, reference $(cat "$here/reference/$1.status")"
    [ "$verdict" != same ] || different=$((different + 1))
  fi
  printf '%-20s %-18s %4d.%02d s  %s\n' "$1" "$verdict" $(($2 / 100)) $(($2 % 100)) "$exits"
  head -n "$shown" "$out/$1.differences"
  [ "$(wc -l < "$out/$1.differences")" -le "$shown" ] || echo "      … and more, in $1.differences"
  [ "$(cat "$out/$1.status")" = "$(cat "$here/reference/$1.status")" ] ||
    tail -n "$shown" "$out/$1.text" | sed 's/^/      output:    /'
}

run_all() {
  different=0
  for folder in "$suites"/*/; do
    name=$(basename "$folder")
    begin=$(hundredths)
    one "$name"
    end=$(hundredths)
    [ $reference = 1 ] || compare "$name" $((end - begin))
  done
}

report() {
  echo "cltestcheck on another device: $(tool --version 2> /dev/null | head -n 1)"
  echo "machine: $(uname -sr); glibc needed: $(cat "$here/glibc/needed")"
  echo "vendor libraries:"
  cat "$out"/vendors/*.icd | sed 's/^/  /'
  echo "devices:"
  sed 's/^/  /' "$out/devices"
  echo "reference device:"
  sed 's/^/  /' "$here/reference/devices"
  echo
  run_all
  echo
  echo "$different of $(find "$suites" -name suite.yaml | grep -c .) benchmarks differ from the reference"
}

mkdir -p "$out" || stop "the folder $out cannot be made; name another with --out"
out=$(cd "$out" && pwd)
cd "$out"
rm -f "$out/results.db"
check_glibc
write_vendors
tool devices > "$out/devices" 2>&1 || stop "no OpenCL device: $(tail -n 1 "$out/devices")"
if [ $reference = 1 ]; then
  run_all
  rm -rf "$out"/vendors "$out"/*.json "$out"/*.text "$out"/results.db*
  for sites in "$out"/*.sites; do
    grep -q '^total ' "$sites" || stop "no coverage was made for $(basename "$sites" .sites)"
  done
  exit 0
fi
report > "$out/report.txt"
cat "$out/report.txt"
! grep -q '^[1-9][0-9]* of ' "$out/report.txt"
