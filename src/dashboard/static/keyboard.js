// Shortcuts of signed-in users: `/` searches, `j` and `k` move through the rows of a table, `?` lists the shortcuts.
(() => {
  const OFF = 'gatekeeper_shortcuts_off';
  const help = document.getElementById('keyboard-help');
  const choice = help?.querySelector('[data-shortcuts]');
  if (!help || !choice) return;
  choice.checked = localStorage.getItem(OFF) === null;
  choice.addEventListener('change', () => {
    if (choice.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '');
  });

  /** The link by which each row opens, or a row with buttons itself, which Enter must not press; read again at each key, because rows change. */
  function rowLinks() {
    return [...document.querySelectorAll('main tbody tr')].flatMap((row) => {
      const link = row.querySelector('a.opens') ?? row.querySelector('a');
      if (link) return link;
      if (!row.querySelector('button')) return [];
      row.tabIndex = -1;
      return row;
    });
  }

  function move(step) {
    const links = rowLinks();
    const row = document.activeElement?.closest('main tbody tr');
    const at = row ? links.findIndex((link) => row.contains(link)) : -1;
    const link = at === -1 ? links.at(step > 0 ? 0 : -1) : links[at + step];
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
  }

  const shortcuts = {
    '/': () => document.querySelector('.search input[type="search"]')?.select(),
    '?': () => help.showModal(),
    j: () => move(1),
    k: () => move(-1),
  };

  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key === 'Escape' && isTyping) event.target.blur();
    if (isTyping || help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!choice.checked || !Object.hasOwn(shortcuts, event.key)) return;
    event.preventDefault();
    shortcuts[event.key]();
  });
  document.addEventListener('gatekeeper:keyboard-help', () => help.showModal());
})();
