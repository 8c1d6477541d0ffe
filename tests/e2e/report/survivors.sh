#!/bin/sh
# What the HTML page says about a survivor works when it is pasted: survivors.sh BUILD_DIR. The command runs that mutant
# again, the suppression and the comment let it be.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
tool=$build/cltestcheck
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
PATH=$build:$PATH
export PATH
failed=0

check() { # check NAME COMMAND…
  name=$1
  shift
  if "$@" >"$work/check.out" 2>&1; then
    echo "ok $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $* gives $?"
    sed 's/^/    /' "$work/check.out" | head -n 20
  fi
}

is() { # is NAME EXPECTED SEEN
  check "$1" [ "$2" = "$3" ]
  [ "$2" = "$3" ] || echo "    expected \"$2\", seen \"$3\""
}

# The program's arguments need quotes: it takes the first as the kind of test.
mkdir "$work/it's here"
cp "$build/suites/outliers-strong/outliers-strong" "$work/it's here/"
cp "$build"/suites/outliers-strong/*.cl "$work/it's here/"
cd "$work" || exit 1
"$tool" mutate --db first.db --runs 2 --operators rel --no-equivalence -q --format html=page.html \
  -- "$work/it's here/outliers-strong" easy >run.log 2>&1
check "a run with survivors ends with 0" [ $? = 0 ]

# pasted N: the N-th piece to paste of the first survivor, as a browser shows it
pasted() {
  sed -n 's/.*<details class="m ss \(.*\)/\1/p' page.html | head -n 1 | sed 's/<\/details>.*//' |
    grep -o '<code class=paste>[^<]*' | sed -n "$1s/<code class=paste>//p" |
    sed "s/&quot;/\"/g; s/&#39;/'/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g"
}
command=$(pasted 1)
rule=$(pasted 2)
comment=$(pasted 3)
id=$(echo "$command" | sed -n 's/.*--mutant \([0-9]*\) .*/\1/p')
check "the page has the id of a survivor" [ -n "$id" ]

(eval "$command --runs 2") >again.log 2>&1
is "the command ends with 0" 0 $?
"$tool" report --db again.db --format json=again.json >report.log 2>&1
is "it runs this mutant alone" "\"id\": $id" "$(grep -o '"id": [0-9]*' again.json | grep "$id" | head -n 1)"
is "and no other" 1 "$(grep -c '"operator": "rel"' again.json)"
check "which survives again" grep -q '"status": "survived"' again.json

before=$("$tool" report --no-config --db first.db --format json=- 2>/dev/null | grep -c '"status": "survived"')
printf 'suppressions:\n  %s\n' "$rule" >cltestcheck.yaml
check "the suppression can be read" "$tool" config
after=$("$tool" report --db first.db --format json=- 2>/dev/null | grep -c '"status": "survived"')
check "and lets mutants of the line be" [ "$after" -lt "$before" ]
"$tool" report --db first.db --format json=report.json >report.log 2>&1
check "this one, too" sh -c "tr -d ' \n' <report.json | grep -o '\"id\":$id,[^}]*\"status\":\"[a-z]*\"' | grep -q suppressed"

rm cltestcheck.yaml
line=$(sed -n 's/.*<details class="m ss \(.*\)/\1/p' page.html | head -n 1 | grep -o 'id=m[0-9]*' | head -n 1)
number=$(sed -n "/$line[ >]/s/.*id=f[0-9]*-\([0-9]*\).*/\1/p" page.html | head -n 1)
source=$(ls "$work/it's here/"*.cl | head -n 1)
cp "$source" plain.cl
sed "${number}s|\$| $comment|" plain.cl >let.cl
count=$("$tool" mutate --list --lines "$number" --operators rel plain.cl | grep -c .)
check "the line has mutants" [ "$count" -gt 0 ]
check "with the comment fewer" [ "$("$tool" mutate --list --lines "$number" --operators rel let.cl 2>/dev/null | grep -vc suppressed)" -lt "$count" ]

[ "$failed" = 0 ]
