#!/bin/sh
# The HTML report in a real browser: run.sh BUILD_DIR SOURCE_DIR. Chromium ($CHROMIUM, /usr/bin/chromium) is driven by
# playwright-core, which `npm ci` installs into BUILD_DIR/browser. Ends with 77 where one of them is missing.
set -e
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
chromium=${CHROMIUM:-/usr/bin/chromium}
skip() { echo "skipped: $1"; exit 77; }

command -v npm >/dev/null && command -v node >/dev/null || skip "npm or node is not installed"
[ -x "$chromium" ] || skip "$chromium is not installed (package chromium)"
mkdir -p "$build/browser"
cp "$source/tests/reports/browser/package.json" "$source/tests/reports/browser/package-lock.json" "$source/tests/reports/browser/"*.mjs \
  "$build/browser"
cd "$build/browser"
if ! cmp -s package-lock.json installed.json; then
  npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 || skip "npm cannot install playwright-core: $(tail -n 1 npm.log)"
  cp package-lock.json installed.json
fi

rm -f ./*.db* ./*.html
"$build/hostile" hostile.db hostile.cl
"$build/bench/write-report" small.db 300 4 >/dev/null
"$build/bench/write-report" tiny.db 20 1 >/dev/null
"$build/bench/write-report" large.db 10000 100 >/dev/null
for page in hostile tiny small large; do
  "$build/cltestcheck" report --all --db $page.db --format html=$page.html
done
"$build/cltestcheck" report --all --db small.db --format json=small.json
CHROMIUM=$chromium exec node browser.mjs
