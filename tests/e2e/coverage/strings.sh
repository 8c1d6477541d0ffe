#!/bin/sh
# Kernels that a program keeps in strings are reported where they are written. strings.sh BUILD_DIR
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
tool=$build/cltestcheck
work=$(mktemp -d) || exit 1
unset OPENCL_LAYERS LD_PRELOAD NO_COLOR GITHUB_BASE_REF
failed=0
trap 'rm -rf "$work"' EXIT

# same NAME WANTED GOT
same() {
  if [ "$2" = "$3" ]; then
    echo "ok $1"
  else
    failed=$((failed + 1))
    echo "FAIL $1: \"$3\" instead of \"$2\""
    head -n 20 "$work/out" "$work/err" | cut -c 1-160 | sed 's/^/    /'
  fi
}

run() {
  "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# program FILE: a program that builds this text and launches its kernel; the file is nowhere near its arguments
program() {
  KERNEL=$1 run coverage --format lcov=- -- sh -c '"$HOST" file "$KERNEL"'
}

HOST=$build/e2e_host
export HOST
mkdir -p "$work/repo/app" "$work/elsewhere"
cd "$work/repo" || exit 1
git init -q . && git config user.email test@example.org && git config user.name test

# What the program makes of the format: {LIMIT} is 5, %% is %. Lines and columns below are counted by hand.
cat >app/imgproc.py <<'END'
"""Image processing, with a kernel in a format."""
LIMIT = 5

TEMPLATE = """
__kernel void work(__global int *out) {
  int i = get_global_id(0);
  if (i < %(limit)d) {
    out[i] = i %% 3;
  } else if (i > 100)
    out[i] = -1;
}
"""
END
cat >"$work/elsewhere/built.cl" <<'END'
#define GENERATED 1

__kernel void work(__global int *out) {
  int i = get_global_id(0);
  if (i < 5) {
    out[i] = i % 3;
  } else if (i > 100)
    out[i] = -1;
}
END
git add . && git commit -qm first

program "$work/elsewhere/built.cl"
same "coverage ends well" 0 "$status"
same "lcov names the file" "app/imgproc.py" "$(sed -n 's/^SF://p' "$work/out")"
same "lcov has the lines" "5 6 7 8 9 10 11" "$(sed -n 's/^DA:\([0-9]*\),.*/\1/p' "$work/out" | tr '\n' ' ' | sed 's/ $//')"
same "the line that is not executed" "DA:10,0" "$(grep '^DA:.*,0$' "$work/out")"
same "lines of functions" "FN:5,11,work" "$(grep '^FN:' "$work/out")"
same "no copy is written" "cltestcheck.db" "$(ls | grep -v app | tr '\n' ' ' | sed 's/ $//')"

cd app || exit 1
run report --db ../cltestcheck.db --format cobertura
same "cobertura" "app/imgproc.py" "$(grep -o 'filename="[^"]*"' "$work/out" | cut -d'"' -f2 | sort -u)"
run report --db ../cltestcheck.db --format html
same "the page" 1 "$(grep -c 'Image processing, with a kernel in a format' "$work/out")"
run report --db ../cltestcheck.db --show-missed
same "the text shows the line" 1 "$(grep -c '9 |   } else if (i > 100)' "$work/out")"
same "and names it" 1 "$(grep -c 'app/imgproc.py:9:10: if: never true' "$work/out")"
cd ..

# Reports need nothing of the disk: the database has the file as it was.
mv app/imgproc.py app/moved.py
run report --format lcov=moved.info
same "a file that is gone has a copy" 1 "$(grep -c '^SF:.*imgproc.py$' moved.info)"
mv app/moved.py app/imgproc.py
rm -rf moved.info*

# mutate --since: the change is on line 8 of the file.
sed -i 's/i %% 3/i %% 4/' app/imgproc.py
sed 's/i % 3/i % 4/' "$work/elsewhere/built.cl" >"$work/elsewhere/changed.cl"
KERNEL=$work/elsewhere/changed.cl run mutate --since HEAD --runs 2 -v -- sh -c '"$HOST" file "$KERNEL"'
same "mutants on the changed line alone" "app/imgproc.py:8:16" \
  "$(grep -o 'app/imgproc.py:[0-9]*:[0-9]*' "$work/err" | sort -u)"

# A finding is where the string is.
cat >app/diverges.py <<'END'
KERNEL = """
__kernel void work(__global int *out) {
  int i = get_global_id(0);
  if (i < 7) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = i;
  }
}
"""
END
printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i < 7) {\n    barrier(CLK_GLOBAL_MEM_FENCE);\n    out[i] = i;\n  }\n}\n' \
  >"$work/elsewhere/diverges.cl"
KERNEL=$work/elsewhere/diverges.cl run coverage --format json=- -- sh -c '"$HOST" file "$KERNEL"'
same "a finding in a string" 3 "$status"
same "a finding is where the string is" '"line": 5, "role": "barrier"' \
  "$(tr -d '\n' <"$work/out" | grep -o '"role": "barrier"[^}]*' | sed 's/\("role": "barrier"\).*"line": \([0-9]*\).*/"line": \2, \1/')"
rm app/diverges.py

# A comment of the file, outside of the string, leaves a line out as one in the kernel does.
cat >app/kernels.c <<'END'
const char *source =
    "__kernel void work(__global int *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = i + 1;\n" /* cltestcheck: no-mutate */
    "  out[i] = out[i] * 2;\n"
    "  out[i] = out[i] - 3;\n"
    "}\n";
END
printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  out[i] = i + 1;\n  out[i] = out[i] * 2;\n  out[i] = out[i] - 3;\n}\n' \
  >"$work/elsewhere/commented.cl"
KERNEL=$work/elsewhere/commented.cl run mutate --runs 1 --operators arith -v -- sh -c '"$HOST" file "$KERNEL"'
same "mutants are where the string is" "app/kernels.c:4 app/kernels.c:5 app/kernels.c:6" \
  "$(grep -o 'app/kernels.c:[0-9]*' "$work/err" | sort -u | tr '\n' ' ' | sed 's/ $//')"
same "a comment beside the string leaves them out" 3 "$(grep -c 'app/kernels.c:4:.*suppressed' "$work/err")"
same "and no others" 3 "$(grep -c ': suppressed$' "$work/err")"
rm app/kernels.c

# A kernel that is like it and another is written nowhere; --source-root says where to look.
sed 's/i > 100/i > 101/' "$work/elsewhere/built.cl" >"$work/elsewhere/other.cl"
program "$work/elsewhere/other.cl"
same "a similar kernel is not claimed" 1 "$(grep -c '^SF:.*source-[0-9a-f]*.cl$' "$work/out")"
cd "$work/elsewhere" || exit 1
mkdir away && cd away || exit 1
KERNEL=$work/elsewhere/changed.cl run coverage --source-root "$work/repo" --format lcov=- -- sh -c '"$HOST" file "$KERNEL"'
same "--source-root" 1 "$(grep -c '^SF:.*app/imgproc.py$' "$work/out")"
run coverage --source-root nowhere -- true
same "--source-root wants a folder" 1 "$status"

exit $((failed > 0))
