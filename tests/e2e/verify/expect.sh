# What tests of what `verify` says share; $tool is the program, and it sets $failed.

# expect NAME STATUS TEXT… -- WORDS…: the tool with these words ends so and says each text, and none that begins with `!`
expect() {
  name=$1 status=$2
  shift 2
  : >wanted
  while [ "$1" != -- ]; do
    printf '%s\n' "$1" >>wanted
    shift
  done
  shift
  timeout 200 "$tool" "$@" >said 2>&1 </dev/null
  got=$?
  tr -s ' \n' ' ' <said >flat
  lacking=
  while IFS= read -r text; do
    case $text in
      !*) grep -qF -- "${text#!}" flat && lacking="$lacking ($text)" ;;
      *) grep -qF -- "$text" flat || lacking="$lacking ($text)" ;;
    esac
  done <wanted
  if [ "$got" = "$status" ] && [ -z "$lacking" ]; then
    echo "ok $name"
  else
    echo "FAIL $name: status $got, not $status; or without:$lacking"
    sed 's/^/    /' said
    failed=1
  fi
}
