#!/bin/sh
# End-to-end tests of the command line: run.sh BUILD_DIR SOURCE_DIR SECTION…
# A section is a function section_NAME of a file beside this one that cannot be executed itself: COMMAND/*.sh. Each is a test of
# CTest, e2e_NAME. BUILD_DIR holds cltestcheck, suites/ and what is made of programs/.
# One line a check; exit 1 when one failed, or when none was made.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/kit.sh"
shift 2
for file in $(grep -l '^section_' "$source"/tests/e2e/*/*.sh); do
  [ -x "$file" ] || . "$file"
done
for section in "$@"; do
  "section_$section"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $((passed + skipped)) -gt 0 ]
