# One row of coverage-overhead: of the samples of one program, "kind, wall us, total ns, launches, peak KiB, {name, ns, launches}".
# Several processes of one run write a line each; a run is recognised by its kind and wall time.
function median(list, n,    i, j, t) {
  for (i = 2; i <= n; i++)
    for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
  return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
function least(list, n,    i, l) {
  l = list[1]
  for (i = 2; i <= n; i++) l = list[i] < l ? list[i] : l
  return l
}
function keep(kind,    i) {
  if (kind == "") return
  count[kind]++
  if (kind == "plain") { plain[count[kind]] = ns; plain_wall[count[kind]] = wall }
  else { with[count[kind]] = ns; with_wall[count[kind]] = wall }
  ns = 0
}
{
  if ($1 != last || $2 != wall) { keep(last); last = $1; wall = $2 }
  ns += $3
  for (i = 6; i < NF; i += 3) {
    seen[$i] = 1
    sum[$1, $i] += $(i + 1)
    launches[$1, $i] += $(i + 2)
    total[$1] += $(i + 1)
    if ($1 == "instrumented" && $i ~ /^cltc_/) own += $(i + 1)
  }
}
END {
  keep(last)
  for (i = 1; i <= count["plain"]; i++) pairs[i] = with[i] / plain[i] # neighbours in time
  p = median(plain, count["plain"]); w = median(with, count["instrumented"])
  printf "%-28s %10.3f %12.3f %7.2f %7.2f %7.2f %5.1f%% %7.2f\n", name, p / 1e6, w / 1e6, w / p,
    median(pairs, count["plain"]), least(with, count["instrumented"]) / least(plain, count["plain"]),
    100 * own / total["instrumented"], median(with_wall, count["instrumented"]) / median(plain_wall, count["plain"])
  if (!by_kernel) exit
  for (k in seen) {
    a = sum["plain", k] / count["plain"]; b = sum["instrumented", k] / count["instrumented"]
    if (b > total["instrumented"] / count["instrumented"] / 20)
      printf "  %-26s %10.3f %12.3f %7s   %d launches\n", k, a / 1e6, b / 1e6, (a > 0 ? sprintf("%.2f", b / a) : "-"),
        launches["instrumented", k] / count["instrumented"]
  }
}
