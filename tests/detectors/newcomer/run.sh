#!/bin/sh
# What a form that the product does not have needs: a row, a pass, a rule and a command. run.sh BUILD_DIR
build=$1
expected='copy from: long enough
copy to: too short
fill to: long enough'
"$build/newcomer_program" || { echo "FAIL the program alone gives $?"; exit 1; }
seen=$("$build/cmd_lengths" "$build/newcomer-layer.so" "$build/newcomer_program") || { echo "FAIL the command gives $?"; exit 1; }
if [ "$(printf '%s\n' "$seen" | LC_ALL=C sort -u)" != "$expected" ]; then
  printf 'FAIL the verdicts are\n%s\nand should be\n%s\n' "$seen" "$expected"
  exit 1
fi
echo "ok the newcomer's verdicts"
