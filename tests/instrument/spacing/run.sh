#!/bin/sh
# run.sh BUILD FOLDER: kernel files of the folder with other white space give on the device what they give without the
# tool, in every form in which it rewrites them; and coverage says the same of them.
build=$1
folder=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
  echo "FAILED: $*"
  failed=1
}

files=
for name in barrier_in_helper kernel_calls_kernel odd_spacing; do
  files="$files $folder/$name.cl"
done
for how in blanks least lines; do
  mkdir "$work/$how"
  # shellcheck disable=SC2086 # the names hold no blanks
  "$build/write_spaced" $how "$work/$how" $files || exit 2
done
# With blanks there is nothing to find but what to compare with.
for how in blanks least lines; do
  (
    cd "$work/$how" || exit 2
    "$build/cltestcheck" coverage -q --db "$work/$how.db" -- "$build/constructs_host" ./*.cl \
      >"$work/$how.covered" 2>"$work/$how.log"
    [ $how = blanks ] && exit
    "$build/constructs_host" ./*.cl >"$work/$how.plain" 2>/dev/null
    CONSTRUCTS_BUILD=-DCLTC_BARE CONSTRUCTS_ORDER=reverse "$build/constructs_gated" ./*.cl \
      >"$work/$how.gated" 2>"$work/$how.gated.log"
    "$build/constructs_schema" ./*.cl >"$work/$how.schema" 2>"$work/$how.schema.log"
  )
done

for how in least lines; do
  [ "$(grep -c '^test' "$work/$how.plain")" -ge 3 ] || complain "$how: too few kernels were launched"
  for form in covered gated schema; do
    diff "$work/$how.plain" "$work/$how.$form" || complain "$how: results differ when $form"
  done
  grep "not gated" "$work/$how.gated.log" | grep -v "jumps into a loop" && complain "$how: these should be gated"
  grep "no schema\|do not build" "$work/$how.schema.log" && complain "$how: these should have schemata"
done
"$build/same_evidence" "$work/blanks.db" "$work/least.db" all || complain "least: the evidence differs"
"$build/same_evidence" "$work/blanks.db" "$work/lines.db" sites || complain "lines: the evidence differs"
exit $failed
