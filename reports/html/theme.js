// Before the first paint: the theme that was chosen last, unless it is the system's.
(() => {
  'use strict';
  try {
    const theme = localStorage.getItem('cltestcheck-theme');
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
    }
  } catch { /* nothing is remembered where a browser forbids it */ }
})();
