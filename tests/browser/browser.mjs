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
  check('filter: all mutants at first', await shownMutants(page) === mutants.length, await shownMutants(page));
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
  await page.locator('#next').click();
  const first = await page.evaluate(() => document.activeElement.closest('.m')?.className ?? '');
  check('next: goes to a mutant that is shown', /\bss\b/.test(first), first);
  await page.locator('#all').click();
  check('filter: show all', await shownMutants(page) === mutants.length && !page.url().includes('?'), page.url());
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

// --- sorting ---

async function checkSorting(browser) {
  const page = await open(browser, 'small');
  const column = (number) => page.evaluate((n) =>
    [...document.querySelectorAll('#kernels tbody tr')].map((row) => row.cells[n].textContent), number);
  const percents = (cells) => cells.filter((cell) => cell.includes('%')).map(parseFloat);
  const sorted = (list, sign) => list.every((value, i) => i === 0 || sign * (value - list[i - 1]) >= 0);
  const before = await column(3);
  const header = page.locator('#kernels thead th').nth(3);
  check('sort: the least is not first by chance', !sorted(percents(before), 1), before);
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
    await page.context().close();
  }

  const page = await open(browser, 'small');
  await page.evaluate(() => document.querySelectorAll('details.file').forEach((d) => { d.open = false; }));
  await page.emulateMedia({media: 'print'});
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  check('print: sources are open', await page.evaluate(() => [...document.querySelectorAll('details.file')].every((d) => d.open)));
  check('print: no buttons', !await page.locator('#bar').isVisible() && !await page.locator('#filter').isVisible());
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  check('print: dark on white', await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    === 'rgb(255, 255, 255)');
  const pdf = await page.pdf({format: 'A4'});
  check('print: gives pages', pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 50000, pdf.length);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  check('print: closes them again', await page.evaluate(() => document.querySelector('details.file[open]') === null));
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
  const mark = wanted.find((n) => n.role.value === 'image' && n.name.value.startsWith('if: '));
  check('access: marks say their outcomes', /^if: true (never|\d+ tests?), false (never|\d+ tests?)$/.test(mark?.name.value ?? ''), mark?.name);
  await page.context().close();
}

// --- without the script ---

async function checkPlain(browser) {
  const page = await open(browser, 'small', {javaScriptEnabled: false});
  check('plain: sources can be read', await page.locator('#f0-5 code').isVisible());
  check('plain: no filter that does nothing', !await page.locator('#filter').isVisible());
  const mutant = page.locator('.m').first();
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
    copy.querySelectorAll('.b').forEach((mark) => mark.remove());
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
  check('hostile: no element of it', elements.scripts === 1 && elements.strange === 0, elements);
  const bold = await page.evaluate(() => document.querySelector('table.c .c:not(table)') !== null);
  check('hostile: has colours all the same', bold);
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
    document.querySelector('#filter input').click();
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
for (const part of [checkFilters, checkSorting, checkKeyboard, checkLooks, checkAccess, checkPlain, checkHostile, checkLarge]) {
  try {
    await part(browser);
  } catch (error) {
    check(part.name, false, String(error));
  }
}
await browser.close();
process.exit(failed === 0 ? 0 : 1);
