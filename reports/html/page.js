// Comfort: links that open what they lead to, the fragment (#PLACE?status=WORD,WORD&operator=WORD), steps, search, theme,
// sorting. Without this the page can be read as well, and its filter works.
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const form = byId('filter');
  const boxes = form ? [...form.querySelectorAll('input[name]')] : [];
  const mutants = document.getElementsByClassName('m');
  const wide = matchMedia('(min-width: 105rem)');
  const remember = (name, value) => {
    try {
      localStorage.setItem('cltestcheck-' + name, value);
    } catch { /* where a browser forbids it */ }
  };
  const remembered = (name) => {
    try {
      return localStorage.getItem('cltestcheck-' + name);
    } catch {
      return null;
    }
  };
  let place = '';

  // --- the filter and the fragment ---

  const parse = () => {
    const text = location.hash.slice(1);
    const cut = text.indexOf('?');
    return {
      place: cut < 0 ? text : text.slice(0, cut),
      wanted: new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1)),
    };
  };

  // Only a group that is not as it was at first is in the fragment.
  const fragment = () => {
    const parts = [];
    for (const name of ['status', 'operator']) {
      const group = boxes.filter((box) => box.name === name);
      if (group.some((box) => box.checked !== box.defaultChecked)) {
        parts.push(name + '=' + group.filter((box) => box.checked).map((box) => encodeURIComponent(box.value)).join(','));
      }
    }
    return '#' + place + (parts.length > 0 ? '?' + parts.join('&') : '');
  };

  // A box that is not checked puts its id on the body as a class; that of its mutants is the rest of it: ss of hss.
  const apply = () => {
    for (const box of boxes) {
      document.body.classList.toggle(box.id, !box.checked);
    }
    document.body.classList.toggle('hseen', byId('hseen')?.checked ?? false);
    count();
  };
  const hiddenClasses = () => new Set(boxes.filter((box) => !box.checked).map((box) => box.id.slice(1)));
  const isShown = (mutant, hidden) => ![...mutant.classList].some((name) => hidden.has(name));

  const count = () => {
    const hidden = hiddenClasses();
    let shown = 0;
    for (const mutant of mutants) {
      shown += isShown(mutant, hidden) ? 1 : 0;
    }
    if (byId('count')) {
      byId('count').textContent = `${shown} of ${mutants.length} mutants shown`;
      byId('all').hidden = shown === mutants.length;
    }
  };

  // --- places ---

  const open = (element) => {
    for (let e = element; e !== null; e = e.parentElement) {
      if (e.tagName === 'DETAILS') {
        e.open = true;
      }
    }
    const part = element.querySelector(':scope > details.part');
    if (part !== null) {
      part.open = true;
    }
  };

  // Opens what holds the place, marks it and goes there.
  const go = (id) => {
    const target = byId(id);
    if (target === null) {
      return;
    }
    for (const old of document.querySelectorAll('.at')) {
      old.classList.remove('at');
    }
    open(target);
    if (target.tagName === 'TR') {
      target.classList.add('at');
    }
    const focus = target.tagName === 'DETAILS' ? target.firstElementChild : target;
    if (focus === target) {
      target.tabIndex = -1;
    }
    focus.focus({preventScroll: true});
    target.scrollIntoView({block: target.tagName === 'TR' ? 'center' : 'start'});
  };

  const restore = () => {
    const {place: id, wanted} = parse();
    for (const box of boxes) {
      const list = wanted.get(box.name);
      box.checked = list === null ? box.defaultChecked : list.split(',').includes(box.value);
    }
    place = id;
    apply();
    if (id !== '') {
      go(decodeURIComponent(id));
    }
  };

  const visit = (id) => {
    place = id;
    history.pushState(null, '', fragment());
    go(id);
  };

  // --- names of test cases, at the number that was clicked ---

  const names = document.createElement('div');
  names.id = 'names';
  names.popover = 'auto';
  names.setAttribute('role', 'dialog');
  names.setAttribute('aria-label', 'Test cases that executed the line');
  document.body.append(names);
  const showNames = (link) => {
    const list = byId(link.getAttribute('href').slice(1));
    names.replaceChildren(...[...list.childNodes].map((node) => node.cloneNode(true)));
    names.showPopover();
    const at = link.getBoundingClientRect();
    names.style.left = `${Math.max(8, Math.min(at.right + 12, innerWidth - names.offsetWidth - 8))}px`;
    names.style.top = `${Math.max(8, Math.min(at.top, innerHeight - names.offsetHeight - 8))}px`;
    names.querySelector('a')?.focus();
  };
  names.addEventListener('toggle', (event) => {
    if (event.newState === 'closed' && names.contains(document.activeElement)) {
      document.activeElement.blur();
    }
  });

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const number = event.target.closest('.c tbody th');
    if (event.ctrlKey || event.metaKey || event.shiftKey || (link === null && number === null)) {
      return;
    }
    event.preventDefault();
    if (link?.closest('.c td:nth-child(2)')) {
      showNames(link);
      return;
    }
    names.hidePopover();
    closeFound();
    visit(link !== null ? link.getAttribute('href').slice(1) : number.parentElement.id);
  });
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);

  // Beside the source there is room for one mutant.
  document.addEventListener('toggle', (event) => {
    if (wide.matches && event.target.open && event.target.matches('.m')) {
      for (const other of document.querySelectorAll('.m[open]')) {
        other.open = other === event.target;
      }
    }
    if (event.target.matches('.m')) {
      document.querySelector('.beside').classList.toggle('opened', document.querySelector('.m[open]') !== null);
    }
  }, true);

  // --- steps: lines that were missed, or have a mutant that is shown ---

  const isMissed = (row, hidden) => {
    if (row.classList.contains('n')) {
      return !row.previousElementSibling?.classList.contains('n');
    }
    return row.classList.contains('p') || [...row.getElementsByClassName('m')].some((m) => isShown(m, hidden));
  };
  const isAhead = (row, from) => from.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;

  // The row that is the current place; else one end of the sources.
  const step = (direction) => {
    const hidden = hiddenClasses();
    const rows = [...document.querySelectorAll('.c tbody tr')];
    const from = document.querySelector('tr.at') ?? document.activeElement.closest('.c tr') ?? byId(place);
    let i = from === null ? (direction > 0 ? -1 : rows.length) : rows.indexOf(from);
    if (i < 0 && from !== null) {
      i = rows.findIndex((row) => isAhead(row, from));
      i = i < 0 ? rows.length : i;
      i -= direction > 0 ? 1 : 0;
    }
    for (i += direction; i >= 0 && i < rows.length; i += direction) {
      if (isMissed(rows[i], hidden)) {
        place = rows[i].id;
        history.replaceState(null, '', fragment());
        go(place);
        return;
      }
    }
  };

  // --- search: kernels, files, lines ---

  const MOST = 60;
  let texts = null;
  const collect = () => {
    const kernels = [...document.querySelectorAll('#kernels tbody th')].map((head) =>
      [head.firstChild.data, 'kernel', head.querySelector('a[href^="#f"]')?.getAttribute('href')]);
    const files = [...document.querySelectorAll('.file h3')].map((head) =>
      [head.textContent, 'file', '#' + head.closest('details').id]);
    const lines = [...document.querySelectorAll('.c tbody tr')].map((row) =>
      [row.getElementsByTagName('code')[0].textContent, null, '#' + row.id]);
    return [...kernels, ...files, ...lines].filter(([text, , href]) => text.trim() !== '' && href)
      .map(([text, what, href]) => ({text, lower: text.toLowerCase(), what, href}));
  };
  const placeOf = (item) => {
    const row = byId(item.href.slice(1));
    return `${row.closest('details').querySelector('h3').textContent}:${row.cells[0].textContent}`;
  };
  const found = byId('found');
  const closeFound = () => {
    found.hidden = true;
    byId('hits').textContent = '';
  };
  const search = () => {
    const wanted = byId('search').value.trim().toLowerCase();
    if (wanted === '') {
      closeFound();
      return;
    }
    texts ??= collect();
    const hits = texts.filter((item) => item.lower.includes(wanted));
    found.replaceChildren(...hits.slice(0, MOST).map((item) => {
      const entry = document.createElement('li');
      const link = document.createElement('a');
      const text = document.createElement(item.what === null ? 'code' : 'span');
      text.textContent = item.text.trim().slice(0, 160);
      link.href = item.href;
      link.append(`${item.what ?? placeOf(item)} `, text);
      entry.append(link);
      return entry;
    }));
    if (hits.length === 0 || hits.length > MOST) {
      const entry = document.createElement('li');
      entry.textContent = hits.length === 0 ? 'Nothing found.' : `${hits.length - MOST} more.`;
      found.append(entry);
    }
    byId('hits').textContent = `${hits.length} found`;
    found.hidden = false;
  };
  const inFound = (event) => {
    const links = [...found.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      closeFound();
      byId('search').focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const to = at + (event.key === 'ArrowDown' ? 1 : -1);
      (to < 0 ? byId('search') : links[Math.min(to, links.length - 1)])?.focus();
    } else if (event.key === 'Enter' && document.activeElement === byId('search')) {
      links[0]?.click();
    }
  };

  // --- keys, theme ---

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && wide.matches) {
      document.querySelectorAll('.m[open]').forEach((mutant) => { mutant.open = false; });
    }
    const typing = event.target.closest('input:not([type=checkbox]), select, textarea') !== null;
    if (typing || event.ctrlKey || event.altKey || event.metaKey || !byId('keys').checked) {
      return;
    }
    if (event.key === 'j' || event.key === 'k') {
      step(event.key === 'j' ? 1 : -1);
    } else if (event.key === '/') {
      event.preventDefault();
      byId('search').focus();
    }
  });
  const theme = byId('theme');
  theme.value = document.documentElement.dataset.theme ?? 'auto';
  theme.addEventListener('change', () => {
    if (theme.value === 'auto') {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = theme.value;
    }
    remember('theme', theme.value);
  });
  byId('keys').checked = remembered('keys') !== 'off';
  byId('keys').addEventListener('change', () => remember('keys', byId('keys').checked ? 'on' : 'off'));

  // --- sorting: the least first, then the most; what has no number comes last either way ---

  const keyOf = (row, column) => {
    const text = row.cells[column].textContent;
    const number = column === 0 ? NaN : parseFloat(text.replace('never', '0'));
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b, sign) => {
    if (typeof a !== typeof b) {
      return typeof a === 'number' ? -1 : 1;
    }
    return typeof a === 'number' ? sign * (a - b) : sign * a.localeCompare(b);
  };
  const sortBy = (header) => {
    const body = header.closest('table').tBodies[0];
    const sign = header.ariaSort === 'ascending' ? -1 : 1;
    for (const other of header.parentElement.cells) {
      other.removeAttribute('aria-sort');
    }
    header.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    const keyed = [...body.rows].map((row) => [keyOf(row, header.cellIndex), row]);
    keyed.sort(([a], [b]) => compare(a, b, sign));
    body.append(...keyed.map(([, row]) => row));
  };
  for (const header of document.querySelectorAll('#kernels thead th')) {
    const button = document.createElement('button');
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener('click', () => sortBy(header));
  }

  // --- paper has no details to open: parts and files are, mutants stay as they are ---

  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened.push(...document.querySelectorAll('details:is(.file, .part):not([open])'));
    opened.forEach((file) => { file.open = true; });
  });
  window.addEventListener('afterprint', () => {
    opened.forEach((file) => { file.open = false; });
    opened = [];
  });

  // --- begin ---

  byId('tools').hidden = false;
  byId('search').addEventListener('input', search);
  byId('find').addEventListener('keydown', inFound);
  byId('next').addEventListener('click', () => step(1));
  byId('previous').addEventListener('click', () => step(-1));
  if (byId('legend') && wide.matches) {
    byId('legend').open = true;
  }
  if (byId('files') && matchMedia('(max-width: 75rem)').matches) {
    byId('files').firstElementChild.open = false;
  }
  if (form) {
    const changed = () => {
      apply();
      history.replaceState(null, '', fragment());
    };
    form.addEventListener('change', changed);
    form.addEventListener('submit', (event) => event.preventDefault());
    byId('all')?.addEventListener('click', () => {
      boxes.forEach((box) => { box.checked = true; });
      changed();
    });
  }
  restore();
})();
