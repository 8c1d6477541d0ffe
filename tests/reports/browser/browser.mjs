// What a browser makes of the HTML report: pages of run.sh, one check a line, exit 1 when one fails.
import {readFileSync, statSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

const BROWSER = {
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
};
const address = (name) => pathToFileURL(`${name}.html`).href;
let failed = 0;

function check(what, good, seen = '') {
  console.log(`${good ? 'ok' : 'FAIL'} ${what}${good || seen === '' ? '' : `: ${JSON.stringify(seen)}`}`);
  failed += good ? 0 : 1;
}

// A page whose requests, messages and errors are collected.
async function open(browser, name, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  page.asked = [];
  page.complaints = [];
  page.on('request', (request) => page.asked.push(request.url()));
  page.on('console', (message) => page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('dialog', (dialog) => { page.complaints.push(dialog.message()); dialog.dismiss(); });
  await page.goto(address(name) + (options.fragment ?? ''));
  return page;
}

function checkQuiet(name, page) {
  check(`${name}: asks for nothing but itself`, page.asked.every((url) => url.split('#')[0] === address(name)), page.asked);
  check(`${name}: no message on the console`, page.complaints.length === 0, page.complaints);
}

const shownMutants = (page) => page.evaluate(() =>
  [...document.querySelectorAll('.m')].filter((m) => getComputedStyle(m).display !== 'none').length);
const boxes = (page, name) => page.locator(`#filter input[name=${name}]`);
const checkedBoxes = (page) => page.evaluate(() =>
  [...document.querySelectorAll('#filter input')].filter((b) => b.checked).map((b) => b.value));

async function showOnly(page, name, value) {
  for (const box of await boxes(page, name).all()) {
    await box.setChecked((await box.getAttribute('value')) === value);
  }
}

// --- filters ---

async function checkFilters(browser) {
  const mutants = JSON.parse(readFileSync('small.json', 'utf8')).mutants;
  const expected = mutants.filter((m) => m.status === 'survived' && m.operator === 'arith').length;
  const page = await open(browser, 'small');
  const first = mutants.filter((m) => ['survived', 'undecided', 'no-coverage'].includes(m.status)).length;
  check('filter: at first what the tests let pass', first > 0 && first < mutants.length && await shownMutants(page) === first,
    await shownMutants(page));
  await showOnly(page, 'status', 'survived');
  check('filter: by status', await shownMutants(page) === mutants.filter((m) => m.status === 'survived').length);
  await showOnly(page, 'operator', 'arith');
  check('filter: by status and operator', expected > 0 && await shownMutants(page) === expected, await shownMutants(page));
  check('filter: the names beside its boxes stay', await page.evaluate(() =>
    [...document.querySelectorAll('#filter label span')].every((l) => getComputedStyle(l).display !== 'none')));
  check('filter: says how many are shown',
    (await page.locator('#count').textContent()).startsWith(`${expected} of ${mutants.length} `));
  check('filter: is in the fragment', page.url().endsWith('?status=survived&operator=arith'), page.url());
  await page.locator('nav a[href="#sources"]').click();
  check('filter: stays with a link of the page', page.url().endsWith('#sources?status=survived&operator=arith'), page.url());
  await page.reload();
  check('filter: survives a reload', await shownMutants(page) === expected, await shownMutants(page));
  check('filter: so do its boxes', (await checkedBoxes(page)).join() === 'survived,arith', await checkedBoxes(page));
  await page.locator('#all').click();
  check('filter: show all', await shownMutants(page) === mutants.length && page.url().includes('killed'), page.url());
  await page.reload();
  check('filter: all survives a reload', await shownMutants(page) === mutants.length);
  await page.goBack();
  checkQuiet('small', page);
  await page.context().close();

  const linked = await open(browser, 'small', {fragment: '#f2-20?status=killed'});
  const line = await linked.evaluate(() => {
    const row = document.getElementById('f2-20');
    const box = row.getBoundingClientRect();
    return row.classList.contains('at') && box.top >= 0 && box.bottom <= innerHeight;
  });
  check('fragment: a line is opened, marked and in view', line);
  check('fragment: filters of a link are taken', (await checkedBoxes(linked)).includes('killed')
    && !(await checkedBoxes(linked)).includes('survived'));
  await linked.context().close();
}

// --- order ---

async function checkOrder(browser) {
  const page = await open(browser, 'small');
  const seen = await page.evaluate(() => {
    const top = (id) => document.getElementById(id).getBoundingClientRect().top;
    return {
      parts: [...document.querySelectorAll('main > section')].map((s) => s.id),
      down: ['findings', 'kernels', 'sources', 'totals', 'schedules', 'tests'].map(top),
      folded: [...document.querySelectorAll('main > section')].filter((s) => s.querySelector(':scope > details.part:not([open])')).map((s) => s.id),
      worst: document.querySelector('#kernels tbody tr').getBoundingClientRect().bottom,
    };
  });
  check('order: findings, kernels, sources, the rest', seen.down.every((y, i) => i === 0 || y > seen.down[i - 1]), seen.parts);
  check('order: the rest is folded', seen.folded.join() === 'totals,schedules,tests', seen.folded);
  check('order: the worst kernel is on the first screen', seen.worst < 900, seen.worst);
  await page.locator('#bar a[href="#tests"]').click();
  check('order: a link opens what it leads to', await page.locator('#tests .sets').isVisible());
  await page.context().close();
}

// --- steps, search, theme ---

async function checkSteps(browser) {
  const page = await open(browser, 'small');
  const places = () => page.evaluate(() => {
    const hidden = new Set([...document.querySelectorAll('#filter input[name]:not(:checked)')].map((b) => b.id.slice(1)));
    return [...document.querySelectorAll('.c tbody tr')].filter((row) => {
      const never = row.className.split(' ').includes('n');
      return never ? !row.previousElementSibling?.className.split(' ').includes('n')
        : row.classList.contains('p') || [...row.querySelectorAll('.m')].some((m) => getComputedStyle(m).display !== 'none');
    }).map((row) => row.id);
  });
  const at = () => page.evaluate(() => document.querySelector('tr.at')?.id);
  const expected = await places();
  const visited = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('j');
    visited.push(await at());
  }
  check('steps: j goes from one missed line to the next', expected.length > 10 && visited.join() === expected.slice(0, 5).join(),
    [visited, expected.slice(0, 5)]);
  await page.keyboard.press('k');
  check('steps: k goes back', await at() === expected[3], await at());
  check('steps: the line has the focus and is in view', await page.evaluate(() => {
    const box = document.activeElement.getBoundingClientRect();
    return document.activeElement.matches('tr.at') && box.top >= 0 && box.bottom <= innerHeight;
  }));
  check('steps: the place is in the address', page.url().endsWith('#' + expected[3]), page.url());
  await page.locator('#next').click();
  check('steps: a button does as j', await at() === expected[4], await at());
  await page.locator('#search').press('j');
  check('steps: not while something is written', await at() === expected[4], await at());
  await page.locator('#search').fill('');
  await page.locator('#keys').setChecked(false);
  await page.locator('#keys').press('j');
  check('steps: nor when keys are switched off', await at() === expected[4], await at());
  await page.reload();
  check('steps: which is remembered', !await page.locator('#keys').isChecked());
  await page.locator('#keys').setChecked(true);
  checkQuiet('small', page);
  await page.context().close();
}

async function checkSearch(browser) {
  const page = await open(browser, 'small');
  await page.keyboard.press('/');
  check('search: / goes there', await page.evaluate(() => document.activeElement.id) === 'search');
  await page.keyboard.type('SMOOTH_2_3');
  const first = page.locator('#found a').first();
  check('search: finds a kernel, whatever the case', (await first.textContent()).startsWith('kernel smooth_2_3'), await first.textContent());
  check('search: says how many', /^[1-9]\d* found$/.test(await page.locator('#hits').textContent()));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  check('search: arrows go through what is found', await page.evaluate(() => [...document.querySelectorAll('#found a')].indexOf(document.activeElement)) === 1);
  await page.keyboard.press('Escape');
  check('search: Escape closes it', !await page.locator('#found').isVisible());
  await page.locator('#search').fill('clamp_index(i + step');
  const line = await page.locator('#found a').first().getAttribute('href');
  await page.locator('#search').press('Enter');
  check('search: Enter goes to the first', await page.evaluate((id) => document.querySelector('tr.at')?.id === id
    && document.querySelector('tr.at code').textContent.includes('clamp_index(i + step'), line.slice(1)), line);
  await page.locator('#search').fill('no such thing');
  check('search: says that nothing is found', (await page.locator('#found').textContent()) === 'Nothing found.');
  await page.context().close();
}

async function checkTheme(browser) {
  const page = await open(browser, 'small', {colorScheme: 'light'});
  const back = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await back();
  await page.locator('#theme').selectOption('dark');
  const dark = await back();
  check('theme: can be chosen', light === 'rgb(255, 255, 255)' && dark !== light, [light, dark]);
  await page.reload();
  check('theme: is remembered', await back() === dark && await page.locator('#theme').inputValue() === 'dark', await back());
  await page.emulateMedia({media: 'print'});
  check('theme: paper is white all the same', await back() === light, await back());
  await page.emulateMedia({media: 'screen'});
  await page.locator('#theme').selectOption('auto');
  check('theme: back to the system\'s', await back() === light);
  await page.emulateMedia({colorScheme: 'dark'});
  check('theme: which it follows then', await back() === dark);
  checkQuiet('small', page);
  await page.context().close();
}

// --- names of test cases, commands ---

async function checkTests(browser) {
  const page = await open(browser, 'small');
  const link = page.locator('.c td:nth-child(2) a').first();
  const wanted = await page.evaluate((id) => document.getElementById(id).textContent, (await link.getAttribute('href')).slice(1));
  await link.click();
  check('tests: their names are behind the number', await page.locator('#names').isVisible()
    && await page.locator('#names').textContent() === wanted, wanted);
  check('tests: as many as it says', (await link.textContent()) === String(wanted.split(', ').length), [await link.textContent(), wanted]);
  await page.keyboard.press('Escape');
  check('tests: Escape closes them', !await page.locator('#names').isVisible());
  const mutant = page.locator('.m.ss').first();
  await mutant.locator('summary').click();
  const pasted = await mutant.locator('.paste').allTextContents();
  check('survivor: has a command and two ways to be let be', pasted.length === 3
    && pasted[0].startsWith('cltestcheck mutate --mutant ') && pasted[1].startsWith('- {rule: mutant/')
    && pasted[2] === '// cltestcheck: no-mutate', pasted);
  check('survivor: has its test cases', /Run by \S/.test(await mutant.textContent()));
  await page.context().close();
}

// --- sorting ---

async function checkSorting(browser) {
  const page = await open(browser, 'small');
  const column = (number) => page.evaluate((n) =>
    [...document.querySelectorAll('#kernels tbody tr')].map((row) => row.cells[n].textContent), number);
  const percents = (cells) => cells.filter((cell) => cell.includes('%')).map(parseFloat);
  const sorted = (list, sign) => list.every((value, i) => i === 0 || sign * (value - list[i - 1]) >= 0);
  const before = await column(3);
  const header = page.locator('#kernels thead th').nth(3);
  check('sort: by lines it is not sorted yet', !sorted(percents(before), 1), before);
  await header.locator('button').press('Enter');
  const up = await column(3);
  check('sort: the least covered comes first', sorted(percents(up), 1) && await header.getAttribute('aria-sort') === 'ascending', up);
  check('sort: no kernel is lost', [...up].sort().join() === [...before].sort().join());
  await header.locator('button').click();
  check('sort: again, the most', sorted(percents(await column(3)), -1)
    && await header.getAttribute('aria-sort') === 'descending');
  await page.locator('#kernels thead button').first().click();
  const names = await column(0);
  check('sort: by name', names.every((name, i) => i === 0 || name.localeCompare(names[i - 1]) >= 0)
    && await header.getAttribute('aria-sort') === null, names);
  checkQuiet('small', page);
  await page.context().close();
}

// --- keyboard ---

async function checkKeyboard(browser) {
  const page = await open(browser, 'small');
  await page.keyboard.press('Tab');
  check('keyboard: the first stop skips the head', await page.evaluate(() => document.activeElement.className) === 'skip');
  let steps = 0;
  const isMutant = () => page.evaluate(() => document.activeElement.matches('.m > summary'));
  while (!await isMutant() && steps++ < 600) {
    await page.keyboard.press('Tab');
  }
  const before = await page.evaluate(() => document.activeElement.parentElement.open);
  await page.keyboard.press('Enter');
  const seen = await page.evaluate(() => {
    const mutant = document.activeElement.parentElement;
    return {open: mutant.open, diff: mutant.querySelector('del, ins').checkVisibility(),
      outline: getComputedStyle(document.activeElement).outlineStyle};
  });
  check('keyboard: a mutant expands', !before && seen.open && seen.diff, seen);
  check('keyboard: the focus can be seen', seen.outline !== 'none', seen);
  await page.context().close();
}

// --- looks ---

// Bars whose edge (all that there is) or colour (what is covered) has a contrast below 3 with the page (WCAG 2.1, 1.4.11).
const poorBars = () => {
  const channel = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  };
  const contrast = (x, y) => (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  const probe = document.createElement('i');
  document.body.append(probe);
  const value = (name) => {
    probe.style.color = `var(${name})`;
    return luminance(getComputedStyle(probe).color);
  };
  const found = {};
  for (const name of ['--edge', '--lo', '--mid', '--hi']) {
    found[name] = Math.min(contrast(value(name), value('--page')), contrast(value(name), value('--panel')));
  }
  const bar = document.querySelector('.lo meter, .mid meter, .hi meter');
  found.drawn = luminance(getComputedStyle(bar).borderTopColor) === value('--edge') ? 3 : 0;
  probe.remove();
  return found;
};

// Text whose contrast with what is behind it is below 4.5 (WCAG 2.1, AA), as selectors.
const poorContrast = () => {
  const channel = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let e = element; e !== null; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) {
        return colour;
      }
    }
    return [255, 255, 255];
  };
  const poor = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '');
    if (hasText && element.checkVisibility() && element.closest('svg, script') === null) {
      const [x, y] = [luminance(numbers(getComputedStyle(element).color)), luminance(behind(element))];
      if ((Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05) < 4.5) {
        poor.add(`${element.parentElement.className} > ${element.tagName}.${element.className}`);
      }
    }
  }
  return [...poor];
};

async function checkLooks(browser) {
  const backs = [];
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(browser, 'small', {colorScheme});
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const poor = await page.evaluate(poorContrast);
    check(`${colorScheme}: every text has a contrast of 4.5`, poor.length === 0, poor);
    const bars = await page.evaluate(poorBars);
    check(`${colorScheme}: bars and what they lack have a contrast of 3`, Object.values(bars).every((c) => c >= 3), bars);
    console.log(`${colorScheme}: contrast of bars ${JSON.stringify(bars)}`);
    backs.push(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor));
    await page.context().close();
  }
  check('dark is another page than light', backs[0] !== backs[1], backs);

  for (const name of ['small', 'hostile']) {
    const page = await open(browser, name, {viewport: {width: 360, height: 740}});
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
    check(`${name}: 360 pixels are enough`, width <= 360, width);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.m')].filter((m) => m.getBoundingClientRect().right > innerWidth).length);
    check(`${name}: and for every mutant`, cut === 0, cut);
    const cards = await page.evaluate(() => ({
      wide: [...document.querySelectorAll('.w')].filter((w) => w.scrollWidth > w.clientWidth + 1).length,
      cells: [...document.querySelectorAll('.table tbody td')].filter((td) => !td.dataset.c || !['grid', 'flow-root', 'none'].includes(getComputedStyle(td).display)).length,
      strays: [...document.querySelectorAll('.table tbody td:not(.r) :is(a, .st)')].filter((a) =>
        a.getClientRects().length > 0 && a.getBoundingClientRect().left < a.closest('td').getBoundingClientRect().left + 100).length,
      heads: [...document.querySelectorAll('.table')].filter((t) => [...t.querySelectorAll('tbody td')].some((td) =>
        td.dataset.c !== 'Value' && ![...t.querySelectorAll('thead th')].some((th) => th.textContent.trim() === td.dataset.c)))
        .map((t) => t.caption.textContent),
    }));
    check(`${name}: no table scrolls in itself`, cards.wide === 0, cards);
    check(`${name}: cells of cards say their column`, cards.cells === 0 && cards.heads.length === 0, cards);
    check(`${name}: links stay out of the column of labels`, cards.strays === 0, cards);
    const session = await page.context().newCDPSession(page);
    const {nodes} = await session.send('Accessibility.getFullAXTree');
    const tables = nodes.filter((n) => n.role?.value === 'table').length;
    check(`${name}: cards are tables for a screen reader`, tables === await page.locator('table').count(), tables);
    await page.context().close();
  }

  const page = await open(browser, 'small');
  await page.evaluate(() => document.querySelectorAll('details.file').forEach((d) => { d.open = false; }));
  await page.emulateMedia({media: 'print'});
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  check('print: sources are open', await page.evaluate(() => [...document.querySelectorAll('details.file')].every((d) => d.open)));
  check('print: no buttons', !await page.locator('#tools').isVisible() && !await page.locator('#filter').isVisible());
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  check('print: dark on white', await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    === 'rgb(255, 255, 255)');
  const pdf = await page.pdf({format: 'A4'});
  check('print: gives pages', pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 50000, pdf.length);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  check('print: closes them again', await page.evaluate(() => document.querySelector('details.file[open]') === null));
  await page.context().close();
}

// Where there is room the list of files, the source and what opens stand beside each other.
async function checkWide(browser) {
  const page = await open(browser, 'small', {viewport: {width: 1920, height: 1000}});
  await page.locator('.m.ss summary').first().click();
  const boxes = await page.evaluate(() => ['#files', '.files', '.m[open] > div'].map((s) => {
    const box = document.querySelector(s).getBoundingClientRect();
    return [box.left, box.right];
  }));
  check('wide: files, source, details beside each other', boxes[0][1] <= boxes[1][0] && boxes[1][1] <= boxes[2][0] && boxes[2][1] <= 1920, boxes);
  await page.locator('.m.ss summary').nth(1).click();
  check('wide: one mutant at a time', await page.locator('.m[open]').count() === 1);
  await page.keyboard.press('Escape');
  check('wide: Escape closes it', await page.locator('.m[open]').count() === 0);
  await page.setViewportSize({width: 1280, height: 900});
  const first = page.locator('.m.ss').first();
  await first.locator('summary').click();
  check('narrower: below its line', await first.locator('> div').evaluate((d) => getComputedStyle(d).position) === 'static');
  await page.context().close();
}

// --- for a screen reader ---

async function checkAccess(browser) {
  const page = await open(browser, 'small');
  const seen = await page.evaluate(() => {
    const headings = [...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]));
    const rows = [...document.querySelectorAll('table tbody tr')];
    return {
      language: document.documentElement.lang,
      title: document.title,
      landmarks: ['header', 'nav', 'main'].filter((name) => document.querySelectorAll(`body > ${name}`).length !== 1),
      first: headings[0] === 1 && headings.filter((h) => h === 1).length === 1,
      skips: headings.some((h, i) => i > 0 && h > headings[i - 1] + 1),
      columns: [...document.querySelectorAll('table')].filter((t) => t.querySelector('thead th') === null
        || [...t.querySelectorAll('thead th')].some((th) => th.scope !== 'col')).length,
      heads: rows.filter((tr) => tr.querySelector(':scope > th[scope=row]') === null).length,
      names: [...document.querySelectorAll('table')].filter((t) => t.caption === null
        && !t.hasAttribute('aria-labelledby')).length,
      twice: [...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size,
      dead: [...document.querySelectorAll('a[href^="#"]')].filter((a) => document.getElementById(a.getAttribute('href').slice(1)) === null)
        .map((a) => a.getAttribute('href')),
    };
  });
  check('access: language and title', seen.language === 'en' && seen.title.length > 5, seen);
  check('access: one header, navigation and main part', seen.landmarks.length === 0, seen.landmarks);
  check('access: headings in order', seen.first && !seen.skips);
  check('access: tables have column and row headers', seen.columns === 0 && seen.heads === 0, [seen.columns, seen.heads]);
  check('access: tables have names', seen.names === 0, seen.names);
  check('access: every id is there once', seen.twice === 0, seen.twice);
  check('access: every link of the page leads somewhere', seen.dead.length === 0, seen.dead.slice(0, 5));

  const session = await page.context().newCDPSession(page);
  const {nodes} = await session.send('Accessibility.getFullAXTree');
  const roles = ['link', 'button', 'checkbox', 'image', 'region', 'table', 'navigation', 'group', 'DisclosureTriangle',
    'heading', 'meter', 'status'];
  const wanted = nodes.filter((n) => !n.ignored && roles.includes(n.role?.value));
  // <details> is a group whose summary names it; an element of role=group needs a name of its own, checked above by hand
  const nameless = wanted.filter((n) => (n.name?.value ?? '') === '' && !['group', 'status'].includes(n.role.value));
  check('access: what can be used has a name', wanted.length > 300 && nameless.length === 0,
    [wanted.length, ...nameless.slice(0, 5).map((n) => n.role.value)]);
  const marks = await page.locator('.b:visible').allTextContents();
  check('access: marks are words', marks.length > 0 && marks.every((m) => /never|decide alone/.test(m)), marks.slice(0, 5));
  await page.locator('#hseen').check();
  const more = await page.locator('.b:visible').allTextContents();
  check('access: what was seen can be shown, too', more.length > marks.length && more.some((m) => /^if true \d+ tests?, false \d+ tests?$/.test(m)), more.slice(0, 5));
  await page.context().close();
}

// --- what axe-core finds, an opinion that is not ours ---

async function checkAxe(browser) {
  const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
  for (const [name, width, colorScheme] of [['tiny', 1280, 'light'], ['tiny', 360, 'dark'], ['hostile', 1920, 'dark']]) {
    const page = await open(browser, name, {viewport: {width, height: 900}, colorScheme});
    await page.evaluate(() => document.querySelectorAll('details:not(.m), .m:nth-child(-n+1)').forEach((d) => { d.open = true; }));
    await page.evaluate(axe);
    const {violations, passes} = await page.evaluate(() => axe.run(document));
    check(`axe: ${name} at ${width} pixels, ${colorScheme}: no violation`, violations.length === 0 && passes.length > 30,
      violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 120)]));
    await page.context().close();
  }
}

// --- without the script ---

async function checkPlain(browser) {
  const page = await open(browser, 'small', {javaScriptEnabled: false});
  check('plain: sources can be read', await page.locator('#f0-5 code').isVisible());
  check('plain: nothing that would do nothing', !await page.locator('#tools').isVisible() && !await page.locator('#all').isVisible());
  const few = await shownMutants(page);
  await page.locator('#hsk').check();
  check('plain: the filter works all the same', few > 0 && await shownMutants(page) > few, few);
  const folded = page.locator('#tests > details');
  await folded.locator('> summary').click();
  check('plain: so do folds', await page.locator('.sets').isVisible());
  const mutant = page.locator('.m.ss').first();
  await mutant.locator('summary').click();
  check('plain: a mutant expands', await mutant.locator('pre').isVisible());
  await page.context().close();
}

// --- hostile sources ---

// U+FFFD for each byte that is no UTF-8.
function decode(bytes) {
  const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
  let text = '';
  for (let i = 0; i < bytes.length;) {
    if (bytes[i] < 0x80) {
      text += String.fromCharCode(bytes[i++]);
      continue;
    }
    let length = 0;
    for (let n = 2; n <= 4 && length === 0; n++) {
      try {
        strict.decode(bytes.subarray(i, i + n));
        length = n;
      } catch { /* not so long */ }
    }
    text += length === 0 ? '\ufffd' : strict.decode(bytes.subarray(i, i + length));
    i += length === 0 ? 1 : length;
  }
  return text;
}

// Control characters as their pictures; those that turn text or break lines as U+FFFD.
const harmless = (line) => line
  .replace(/[\x00-\x08\x0a-\x1f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
  .replace(/\x7f/g, '\u2421')
  .replace(/[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');

async function checkHostile(browser) {
  const page = await open(browser, 'hostile');
  const lines = decode(readFileSync('hostile.cl')).split('\n').map((line) => harmless(line.replace(/\r$/, '')));
  const shown = await page.evaluate(() => [...document.querySelectorAll('table.c code')].map((code) => {
    const copy = code.cloneNode(true);
    return copy.textContent;
  }));
  check('hostile: every line is there', shown.length === lines.length, [shown.length, lines.length]);
  const wrong = lines.findIndex((line, i) => line !== shown[i]);
  check('hostile: each shows as text', wrong < 0, [wrong, lines[wrong]?.slice(0, 80), shown[wrong]?.slice(0, 80)]);
  check('hostile: no script of it runs', await page.evaluate(() => window.hacked === undefined));
  const elements = await page.evaluate(() => ({
    scripts: document.scripts.length,
    strange: [...document.querySelectorAll('img, iframe, object, embed, textarea, link, base, svg [onload], [onerror]')].length,
  }));
  check('hostile: no element of it', elements.scripts === 2 && elements.strange === 0, elements);
  const bold = await page.evaluate(() => document.querySelector('table.c .c:not(table)') !== null);
  check('hostile: has colours all the same', bold);
  await page.locator('#all').click(); // it is killed, so not shown at first
  await page.locator('.m summary').click();
  const diff = await page.locator('.m del').textContent();
  check('hostile: its mutant can be read', diff === '-   if (a[0] < 1 && a[1] > 2) {', diff);
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
  checkQuiet('hostile', page);
  await page.context().close();
}

// --- a large page ---

async function checkLarge(browser) {
  const size = statSync('large.html').size;
  check('large: below 15 MB', size < 15e6, size);
  let paint = Infinity;
  let page = null;
  for (let i = 0; i < 3; i++) { // other work on the machine: the best of three
    await page?.context().close();
    page = await open(browser, 'large');
    paint = Math.min(paint, await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  }
  check('large: painted within a second', paint < 1000, paint);
  const filter = await page.evaluate(() => new Promise((done) => {
    const start = performance.now();
    document.querySelector('#filter #hsk').click(); // the killed, most of them
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  }));
  check('large: a filter takes less than a second', filter < 1000, filter);
  const jump = await page.evaluate(() => new Promise((done) => {
    const start = performance.now();
    location.hash = '#f99-200';
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  }));
  check('large: so does going to the last source', jump < 1000
    && await page.locator('#f99-200').isVisible(), jump);
  console.log(`large: ${size} bytes, first paint after ${Math.round(paint)} ms, filter ${Math.round(filter)} ms, jump ${Math.round(jump)} ms`);
  checkQuiet('large', page);
  await page.context().close();
}

const browser = await chromium.launch(BROWSER);
for (const part of [checkFilters, checkOrder, checkSteps, checkSearch, checkTheme, checkTests, checkWide, checkSorting, checkKeyboard, checkLooks, checkAccess, checkAxe, checkPlain, checkHostile, checkLarge]) {
  try {
    await part(browser);
  } catch (error) {
    check(part.name, false, String(error));
  }
}
await browser.close();
process.exit(failed === 0 ? 0 : 1);
