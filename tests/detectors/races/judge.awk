# judge.awk -v file=NAME.cl -v kind=found|clean NAME.cl FINDINGS cases.txt
# Compares findings (findings.c) with the rows of one kernel file whose exit status is 3 (found) or 0 (clean).
# "ok …" or "FAIL …" for each row.
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
# Two places in one order, so that pairs compare equal whichever access is named first.
function pair(a, b) { return a < b ? a "," b : b "," a }
# The pairs of a row into wanted[]; a name that is no line of the kernel file is an error of the table.
function expect(text,   n, i, both, one, two) {
  split("", wanted)
  n = split(text, rows, ";")
  for (i = 1; i <= n; i++) {
    if (trim(rows[i]) == "") continue
    split(rows[i], both, ",")
    split(trim(both[1]), one, " ")
    split(trim(both[2]), two, " ")
    if (!(one[1] in line) || !(two[1] in line)) print "FAIL " file ": no line of it is named as in " trim(rows[i])
    wanted[pair(line[one[1]] " " one[2], line[two[1]] " " two[2])] = 1
  }
}
FILENAME == ARGV[1] && match($0, /\/\/@[a-z_]+$/) { line[substr($0, RSTART + 3)] = FNR }
FILENAME == ARGV[2] { rule[++count] = $1; kernel[count] = $2; places[count] = NF == 6 ? pair($3 " " $4, $5 " " $6) : "-"; words[count] = $0 }
FILENAME == ARGV[3] && $1 == "file" { here = $2 == file }
FILENAME == ARGV[3] && here && split($0, column, "|") == 4 {
  name = trim(column[1]); verdict = trim(column[2])
  if ((verdict == "race" || verdict == "divergence") != (kind == "found")) next
  expect(column[3])
  judged[name] = 1
  right = 0; odd = ""
  for (i = 1; i <= count; i++) {
    if (kernel[i] != name) continue
    if (verdict == "divergence") right += rule[i] ~ /divergence/
    else if (!(places[i] in wanted)) odd = odd "\n    not expected: " words[i]
    else if (rule[i] == (verdict == "race" ? "data-race" : "benign-race")) right++
    else if (verdict == "benign") odd = odd "\n    not expected: " words[i]
  }
  if (verdict != "none" && !right) odd = odd "\n    not found: " trim(column[2]) " " trim(column[3])
  print (odd == "" ? "ok " : "FAIL ") file ": " name " (" trim(column[4]) ") " verdict odd
}
END {
  for (i = 1; i <= count; i++) if (!(kernel[i] in judged)) print "FAIL " file ": a kernel that was not launched: " words[i]
}
