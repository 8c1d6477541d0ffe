"""tables.md and index.html of bench/paper: what each program came to, beside the paper's figures, with plots."""
import html
import os

SUITES = {"polybench": "PolyBench", "parboil": "Parboil", "rodinia": "Rodinia"}
PROOFS = ["kernels", "verified", "race", "divergence", "out_of_bounds", "possible", "unknown", "unsupported"]
SCHEDULES = ["schedules", "runs", "consistent", "order_dependent", "race", "deadlock", "occupancy_bound", "crash"]
MUTANTS = ["total", "killed", "undecided", "survived", "no_coverage", "equivalent", "duplicate", "pending"]

STYLE = """
:root { color-scheme: light dark; --page: light-dark(#fff, #0d1117); --text: light-dark(#1b1f24, #e6edf3);
  --soft: light-dark(#57606a, #9ea7b3); --rule: light-dark(#d0d7de, #3d444d); --panel: light-dark(#f6f8fa, #161b22);
  --hi: light-dark(#1a7f37, #3fb950); --mid: light-dark(#9a6700, #d29922); --lo: light-dark(#c4262e, #ff7b72);
  --calm: light-dark(#24477a, #a5cfff); }
html { font: 15px/1.45 system-ui, sans-serif; background: var(--page); color: var(--text); }
body { margin: 0 auto; max-width: 75rem; padding: 0 1.5rem 4rem; }
table { border-collapse: collapse; font-size: .9rem; } td, th { padding: .15rem .6rem; border-bottom: 1px solid var(--rule); }
td, th { text-align: right; } th:first-child, td:first-child, td.words { text-align: left; }
.scroll { overflow-x: auto; } svg text { fill: var(--text); font: 11px system-ui, sans-serif; }
svg .axis { stroke: var(--rule); } figure { margin: 1rem 0; } figcaption { color: var(--soft); }
"""


def percent(part):
    return 100.0 * part["covered"] / part["total"] if part and part["total"] else None


def shown(part):
    value = percent(part)
    return "-" if value is None else "%d/%d (%.1f %%)" % (part["covered"], part["total"], value)


def number(x):
    return "-" if x is None else "%.1f" % x if isinstance(x, float) else str(x)


# --- tables: a heading and rows of words ------------------------------------------------------------------------------

def coverage_row(report):
    c = report["coverage"]
    loops = c["loop"]
    turns = " / ".join("%d" % loops[k]["covered"] for k in ("zero", "one", "many", "boundary"))
    return ["%d/%d" % (c["kernel"]["covered"], c["kernel"]["total"]), shown(c["branch"]),
            "%s of %d" % (turns, loops["zero"]["total"]) if loops["zero"]["total"] else "-", shown(c["barrier"]),
            shown(c["mcdc"]), number(report["seconds"])]


def mutate_row(report):
    m = report["mutation"]
    between = m["interval"]
    return [number(m[k]) for k in MUTANTS] + [
        number(m["score"]), "%s to %s" % tuple(number(x) for x in between) if between else "-",
        number(m["revealed"]), number(report["seconds"])]


def amplify_row(report):
    return [number(report["amplification"].get(k)) for k in SCHEDULES] + [number(report["seconds"])]


def races_row(report):
    rules = {}
    for finding in report["findings"]:
        at = (finding["rule"], finding["kernel"])
        rules[at] = rules.get(at, 0) + 1
    said = ["%s in %s (%d pairs)" % (rule, kernel, n) for (rule, kernel), n in sorted(rules.items())]
    return [number(sum(k.get("launches") or 0 for k in report["kernels"])), "; ".join(said) or "none", number(report["seconds"])]


def verify_row(report):
    return [number(report["verification"].get(k)) for k in PROOFS] + [number(report["seconds"])]


def words(names):
    return [name.replace("_", " ") for name in names]


TABLES = {
    "coverage": ("Coverage", ["kernels", "branch", "loop 0 / 1 / >1 / boundary", "barrier", "MC/DC", "s"], coverage_row),
    "mutate": ("Mutation", words(["mutants"] + MUTANTS[1:]) + ["score", "95 % interval", "revealed", "s"], mutate_row),
    "amplify": ("Schedules", words(SCHEDULES) + ["s"], amplify_row),
    "races": ("Races seen on the device", ["launches", "findings", "s"], races_row),
    "verify": ("Proofs", words(PROOFS) + ["s"], verify_row),
}


def table(suite, command, programs):
    title, heading, row = TABLES[command]
    lines = []
    for p in programs:
        if p["suite"] == suite and command in p:
            report = p[command]
            cells = row(report) if isinstance(report, dict) else [report] + [""] * (len(heading) - 1)
            lines.append([p["name"]] + cells)
    return ("%s, %s" % (SUITES[suite], title.lower() if title != "MC/DC" else title), ["program"] + heading, lines)


# --- beside the paper -------------------------------------------------------------------------------------------------

def reports(programs, suite, name, command):
    return [p[command] for p in programs if p["suite"] == suite and name in ("*", p["name"]) and
            isinstance(p.get(command), dict)]


def span(values, unit=" %"):
    values = sorted(v for v in values if v is not None)
    if not values:
        return None
    low, high = number(values[0]), number(values[-1])
    return low + unit if low == high else "%s to %s%s" % (low, high, unit)


def ours(what, programs, suite, name):
    covered = [r["coverage"] for r in reports(programs, suite, name, "coverage")]
    mutated = [r["mutation"] for r in reports(programs, suite, name, "mutate")]
    if what.startswith("programs at exactly"):
        return "%d of %d" % (sum(percent(c["branch"]) == 50 for c in covered), len(covered)) if covered else None
    if what == "branch coverage":
        return span(percent(c["branch"]) for c in covered)
    if what == "barrier coverage":
        return span(percent(c["barrier"]) for c in covered)
    if what == "loops with more than one turn":
        return span(percent(c["loop"]["many"]) for c in covered)
    if what == "boundary of loops":
        return span(percent(c["loop"]["boundary"]) for c in covered)
    if what.startswith("mutation score"):
        return span(m["score"] for m in mutated)
    if what == "undecided mutants":
        return span((m["undecided"] for m in mutated), "")
    raise ValueError("paper-figures.tsv: \"%s\" is not known" % what)


def beside(programs, figures):
    lines = []
    for suite, name, what, paper, *why in figures:
        value = ours(what, programs, suite, name)
        if value is not None:
            lines.append([SUITES[suite], "all" if name == "*" else name, what, paper, value, why[0] if why else ""])
    return ("Beside the paper", ["suite", "program", "what", "the paper", "here", "why it differs, where it does"], lines)


def survivors(programs):
    lines = []
    for suite, title in SUITES.items():
        found = {}
        for r in reports(programs, suite, "*", "mutate"):
            for operator, m in r["mutation"]["by_operator"].items():
                alive, whole = found.get(operator, (0, 0))
                found[operator] = (alive + m["survived"] + m["no_coverage"], whole + m["total"])
        everything = sum(alive for alive, _ in found.values())
        for operator, (alive, whole) in sorted(found.items(), key=lambda item: -item[1][0]):
            share = "%.1f %%" % (100.0 * alive / everything) if everything else "-"
            lines.append([title, operator, str(whole), str(alive), share])
    return ("Survivors by operator, those not covered among them",
            ["suite", "operator", "mutants", "survivors", "of all survivors"], lines)


# --- score by kind of coverage ------------------------------------------------------------------------------------------

KINDS = ("branches", "loops", "barriers")


def kind_of(mutant, headers):
    """What a mutant is relevant to: barriers are deleted; `loop` and what is compared in a header change how often a loop
    turns; other comparisons decide branches. None: none of these."""
    if mutant["operator"] in ("barrier", "loop"):
        return mutant["operator"] + "s"
    if mutant["operator"] not in ("rel", "logic"):
        return None
    place = (mutant["file"], mutant["line"])
    return "loops" if any(place[0] == f and first <= place[1] <= last for f, first, last in headers) else "branches"


def scores_by_kind(report):
    """{kind: (killed, all that count)}"""
    headers = {(m["file"], m["line"], m["end_line"]) for m in report["mutants"] if m["operator"] == "loop"}
    counts = {kind: [0, 0] for kind in KINDS}
    for mutant in report["mutants"]:
        kind = kind_of(mutant, headers)
        if kind and mutant["status"] in ("killed", "undecided", "survived", "no-coverage", "no_coverage", "no coverage"):
            counts[kind][0] += mutant["status"] == "killed"
            counts[kind][1] += 1
    return counts


def by_kind(programs):
    """Rows of suite, program, kind, coverage and score in percent, mutants."""
    rows = []
    for p in programs:
        if isinstance(p.get("coverage"), dict) and isinstance(p.get("mutate"), dict):
            c, scores = p["coverage"]["coverage"], scores_by_kind(p["mutate"])
            covered = {"branches": percent(c["branch"]), "loops": percent(c["loop"]["many"]), "barriers": percent(c["barrier"])}
            rows += [(p["suite"], p["name"], kind, covered[kind], 100.0 * scores[kind][0] / scores[kind][1], scores[kind][1])
                     for kind in KINDS if covered[kind] is not None and scores[kind][1]]
    return rows


def kinds_table(programs):
    return ("Coverage beside score, by kind", ["suite", "program", "kind", "coverage %", "score %", "mutants"],
            [[SUITES[s], name, kind, number(c), number(v), str(n)] for s, name, kind, c, v, n in by_kind(programs)])


def scatter(programs):
    """Coverage from left to right, score from bottom to top, a dot a program and kind."""
    size, left, top, rows = 300, 40, 12, by_kind(programs)
    body = []
    for level in (0, 25, 50, 75, 100):
        x, y = left + size * level / 100, top + size * (1 - level / 100)
        body.append('<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/><text x="4" y="%g">%d</text>' % (left, left + size, y, y, y + 4, level))
        body.append('<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/><text x="%g" y="%g" text-anchor="middle">%d</text>' %
                    (x, x, top, top + size, x, top + size + 16, level))
    for _, name, kind, covered, score, count in rows:
        body.append('<circle cx="%g" cy="%g" r="5" fill="%s" fill-opacity="0.7"><title>%s, %s: coverage %.1f %%, score %.1f %% of %d</title></circle>' %
                    (left + size * covered / 100 + 5 * (KINDS.index(kind) - 1), top + size * (1 - score / 100), COLOURS[KINDS.index(kind)],
                     html.escape(name), kind, covered, score, count))
    legend = "".join(' <span style="color: %s">&#9679;</span> %s' % (COLOURS[i], kind) for i, kind in enumerate(KINDS))
    caption = "Coverage (across, %) and score of the mutants that are relevant to it (upwards, %), a dot a program:"
    return ('<figure><svg role="img" aria-label="Score by kind of coverage" width="%d" height="%d">%s</svg><figcaption>%s%s</figcaption></figure>' %
            (left + size + 16, top + size + 24, "".join(body), caption, legend)) if rows else ""


# --- writing ----------------------------------------------------------------------------------------------------------

def markdown(tables, missing):
    out = []
    for title, heading, lines in tables:
        if lines:
            out += ["## " + title, "", "| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
            out += ["| " + " | ".join(line) + " |" for line in lines] + [""]
    if missing:
        out += ["Not built here: " + ", ".join("%s (%s)" % (name, SUITES[suite]) for suite, name in missing) + ".", ""]
    return "\n".join(out)


COLOURS = ["var(--calm)", "var(--mid)", "var(--hi)"]


def bars(title, unit, groups, meanings=()):
    """A bar, or several beside each other, for each name; values from 0 to 100. `meanings` says what each bar is."""
    width, height, left = 26, 140, 34
    step = max(width, 14 * max(len(values) for _, values in groups) + 8)
    body = []
    for level in (0, 50, 100):
        y = 10 + height * (1 - level / 100)
        body.append('<line class="axis" x1="%d" x2="%d" y1="%g" y2="%g"/><text x="2" y="%g">%d</text>' %
                    (left, left + step * len(groups), y, y, y + 4, level))
    for i, (name, values) in enumerate(groups):
        for k, value in enumerate(values):
            if value is not None:
                tall = height * value / 100
                body.append('<rect x="%g" y="%g" width="12" height="%g" fill="%s"><title>%s: %.1f %%</title></rect>' %
                            (left + step * i + 14 * k + 4, 10 + height - tall, max(tall, 1), COLOURS[k % 3],
                             html.escape(name), value))
        x = left + step * i + step / 2
        body.append('<text transform="translate(%g %d) rotate(-55)" text-anchor="end">%s</text>' %
                    (x + 4, height + 22, html.escape(name)))
    legend = "".join(' <span style="color: %s">&#9632;</span> %s' % (COLOURS[i], html.escape(m)) for i, m in enumerate(meanings))
    return ('<figure><svg role="img" aria-label="%s" width="%d" height="%d">%s</svg><figcaption>%s, %s%s</figcaption></figure>' %
            (html.escape(title), left + step * len(groups) + 10, height + 90, "".join(body), html.escape(title), unit, legend))


def plots(programs):
    out = []
    for suite, title in SUITES.items():
        covered = [(p["name"], p["coverage"]["coverage"]) for p in programs
                   if p["suite"] == suite and isinstance(p.get("coverage"), dict)]
        mutated = [(p["name"], p["mutate"]["mutation"]) for p in programs
                   if p["suite"] == suite and isinstance(p.get("mutate"), dict)]
        if covered:
            out.append(bars(title + ", branch coverage", "%", [(n, [percent(c["branch"])]) for n, c in covered]))
            out.append(bars(title + ", loops that made so many turns", "%",
                            [(n, [percent(c["loop"][k]) for k in ("zero", "one", "many")]) for n, c in covered],
                            ("0", "1", "more")))
        if mutated:
            out.append(bars(title + ", mutation score", "%", [(n, [m["score"]]) for n, m in mutated]))
    return "\n".join(out + [scatter(programs)])


def page(tables, programs, missing):
    out = ['<!doctype html><html lang="en"><meta charset="utf-8"><title>Evaluation of cltestcheck</title>',
           '<meta name="viewport" content="width=device-width"><style>%s</style>' % STYLE, "<h1>Evaluation of cltestcheck</h1>"]
    first = True
    for title, heading, lines in tables:
        if lines:
            out.append("<h2>%s</h2><div class=scroll><table><thead><tr>%s</tr></thead><tbody>" %
                       (html.escape(title), "".join("<th>%s</th>" % html.escape(h) for h in heading)))
            for line in lines:
                cells = ('<td%s>%s</td>' % (' class="words"' if cell[:1].isalpha() or len(cell) > 24 else "", html.escape(cell))
                         for cell in line)
                out.append("<tr>%s</tr>" % "".join(cells))
            out.append("</tbody></table></div>")
        if first:
            out.append(plots(programs))
            first = False
    if missing:
        out.append("<p>Not built here: %s.</p>" % ", ".join(html.escape(name) for _, name in missing))
    return "\n".join(out)


def replace(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".new", path)


def write(folder, commands, programs, missing, figures):
    """What is known so far: programs are dictionaries with the reports, or what went wrong, by command."""
    tables = [beside(programs, figures)] + [table(suite, command, programs) for command in commands for suite in SUITES]
    if "mutate" in commands:
        tables += [kinds_table(programs), survivors(programs)]
    replace(os.path.join(folder, "tables.md"), markdown(tables, missing))
    replace(os.path.join(folder, "index.html"), page(tables, programs, missing))
