// Filters, links and the fragment: #PLACE?status=WORD,WORD&operator=WORD,WORD; sorting. Without this the page can be read as well.
(() => {
  'use strict';
  const form = document.getElementById('filter');
  const bar = document.getElementById('bar');
  const boxes = form ? [...form.querySelectorAll('input')] : [];
  const mutants = document.getElementsByClassName('m');
  let place = '';

  const parse = () => {
    const text = location.hash.slice(1);
    const cut = text.indexOf('?');
    return {
      place: cut < 0 ? text : text.slice(0, cut),
      wanted: new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1)),
    };
  };

  // Only what is not all of a group is in the fragment.
  const fragment = () => {
    const parts = [];
    for (const name of ['status', 'operator']) {
      const group = boxes.filter((box) => box.name === name);
      const shown = group.filter((box) => box.checked);
      if (shown.length < group.length) {
        parts.push(name + '=' + shown.map((box) => encodeURIComponent(box.value)).join(','));
      }
    }
    return '#' + place + (parts.length > 0 ? '?' + parts.join('&') : '');
  };

  const isShown = (mutant) => {
    const [, status, operator] = mutant.classList;
    return !document.body.classList.contains('h' + status) && !document.body.classList.contains('h' + operator);
  };

  const count = () => {
    let shown = 0;
    for (const mutant of mutants) {
      shown += isShown(mutant) ? 1 : 0;
    }
    document.getElementById('count').textContent =
      shown === mutants.length ? `All ${shown} mutants shown.` : `${shown} of ${mutants.length} mutants shown.`;
  };

  const apply = () => {
    for (const box of boxes) {
      document.body.classList.toggle(box.dataset.hides, !box.checked);
    }
    count();
  };

  const open = (element) => {
    for (let e = element; e !== null; e = e.parentElement) {
      if (e.tagName === 'DETAILS') {
        e.open = true;
      }
    }
  };

  // Opens what holds the place, marks it and goes there.
  const go = (id) => {
    const target = document.getElementById(id);
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
      box.checked = list === null || list.split(',').includes(box.value);
    }
    place = id;
    if (form) {
      apply();
    }
    if (id !== '') {
      go(decodeURIComponent(id));
    }
  };

  // The next mutant that is shown, behind (1) or before (-1) the one that has the focus or is in view.
  const step = (direction) => {
    const shown = [...mutants].filter(isShown);
    const current = document.activeElement.closest('.m') ?? document.getElementById(place);
    const before = (m) => current !== null && (current.compareDocumentPosition(m) & Node.DOCUMENT_POSITION_PRECEDING);
    const after = (m) => current === null || (current.compareDocumentPosition(m) & Node.DOCUMENT_POSITION_FOLLOWING);
    const next = direction > 0 ? shown.find((m) => m !== current && after(m)) : shown.findLast((m) => m !== current && before(m));
    if (next !== undefined) {
      place = next.id;
      history.replaceState(null, '', fragment());
      go(next.id);
    }
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const number = event.target.closest('.c tbody th');
    if (link !== null || number !== null) {
      event.preventDefault();
      place = link !== null ? link.getAttribute('href').slice(1) : number.parentElement.id;
      history.pushState(null, '', fragment());
      go(place);
    }
  });
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);

  // Columns of the kernels sort: the least first, then the most; what has no number comes last either way.
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

  // Paper has no details to open: files are, mutants stay as they are.
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened.push(...document.querySelectorAll('details.file:not([open])'));
    opened.forEach((file) => { file.open = true; });
  });
  window.addEventListener('afterprint', () => {
    opened.forEach((file) => { file.open = false; });
    opened = [];
  });

  if (form) {
    form.hidden = bar.hidden = false;
    form.addEventListener('change', () => {
      apply();
      history.replaceState(null, '', fragment());
    });
    form.addEventListener('submit', (event) => event.preventDefault());
    document.getElementById('all').addEventListener('click', () => {
      boxes.forEach((box) => { box.checked = true; });
      apply();
      history.replaceState(null, '', fragment());
    });
    document.getElementById('next').addEventListener('click', () => step(1));
    document.getElementById('previous').addEventListener('click', () => step(-1));
  }
  restore();
})();
