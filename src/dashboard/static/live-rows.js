// Refreshes the rows of a list while its newest page is visible. Without scripts, the user reloads the page.
(() => {
  const EVERY_MS = 5_000;
  const list = document.querySelector('[data-live]');
  const body = list?.querySelector('tbody');
  const state = document.querySelector('[data-live-state]');
  const button = document.querySelector('[data-act="pause-live"]');
  if (!list || !state || !button) return;
  let paused = false;
  let timer = 0;
  // The rows as the server sent them. The rows in the page differ: their times are in the viewer's time zone.
  let shown = '';

  async function renew() {
    clearTimeout(timer);
    if (paused || document.hidden) return;
    try {
      const answer = await fetch(list.dataset.live, { headers: { accept: 'text/html' }, redirect: 'error' });
      if (!answer.ok) throw new Error(String(answer.status));
      show(await answer.text());
      state.textContent = 'Live';
    } catch {
      state.textContent = 'Not live: no answer from the server';
    }
    timer = setTimeout(renew, EVERY_MS);
  }

  function show(rows) {
    if (!body) {
      // The page showed an empty list. A list with rows needs more than the rows, so the page reloads.
      if (rows !== '') location.reload();
      return;
    }
    // Replaced rows would lose the focus or the selected text.
    const isInUse = body.contains(document.activeElement) || !getSelection()?.isCollapsed;
    if (rows === shown || isInUse) return;
    const template = document.createElement('template');
    template.innerHTML = rows;
    body.replaceChildren(template.content);
    shown = rows;
    body.dispatchEvent(new CustomEvent('gatekeeper:renewed', { bubbles: true }));
  }

  button.addEventListener('click', () => {
    paused = !paused;
    button.textContent = paused ? 'Continue' : 'Pause';
    state.textContent = paused ? 'Paused' : 'Live';
    renew();
  });
  document.addEventListener('visibilitychange', renew);
  state.textContent = 'Live';
  timer = setTimeout(renew, EVERY_MS);
})();
