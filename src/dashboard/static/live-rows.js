// Renews the rows of a list while somebody looks at its newest page. Without scripts one reloads the page.
(() => {
  const EVERY_MS = 5_000;
  const list = document.querySelector('[data-live]');
  const body = list?.querySelector('tbody');
  const state = document.querySelector('[data-live-state]');
  const button = document.querySelector('[data-act="pause-live"]');
  if (!list || !state || !button) return;
  let paused = false;
  let timer = 0;
  // What the server sent last: the rows in the page have their times in the viewer's zone by now.
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
      state.textContent = 'Not live: the server does not answer';
    }
    timer = setTimeout(renew, EVERY_MS);
  }

  function show(rows) {
    if (!body) {
      // The page said that there was nothing: it has more to say now than rows.
      if (rows !== '') location.reload();
      return;
    }
    // A link that has the focus, or text being selected, would be gone.
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
    button.textContent = paused ? 'Go on' : 'Pause';
    state.textContent = paused ? 'Paused' : 'Live';
    renew();
  });
  document.addEventListener('visibilitychange', renew);
  state.textContent = 'Live';
  timer = setTimeout(renew, EVERY_MS);
})();
