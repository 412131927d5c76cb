// The script of every page. All pages work without it.
(() => {
  const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const zonedBrief = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

  /** Shows times in the time zone of the viewer; UTC stays in the tooltip. */
  function localizeTimes(root) {
    for (const time of root.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.textContent = ('brief' in time.dataset ? zonedBrief : zoned).format(at);
    }
  }

  function theme() {
    const chosen = document.documentElement.dataset.theme;
    if (chosen) return chosen;
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }

  const acts = {
    'switch-theme'() {
      const next = theme() === 'dark' ? 'light' : 'dark';
      document.documentElement.dataset.theme = next;
      // biome-ignore lint/suspicious/noDocumentCookie: older browsers have no Cookie Store API.
      document.cookie = `gatekeeper_theme=${next}; path=/; max-age=31536000; samesite=lax`;
      document.dispatchEvent(new Event('gatekeeper:theme'));
    },
    async copy(button) {
      const source = document.getElementById(button.dataset.from ?? '');
      if (!source) return;
      try {
        await navigator.clipboard.writeText(source.textContent ?? '');
        button.textContent = 'Copied';
      } catch {
        getSelection()?.selectAllChildren(source);
        button.textContent = 'Selected: copy it with Ctrl+C';
      }
    },
  };

  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-act]') : null;
    if (button) acts[button.dataset.act]?.(button);
  });
  // An action that cannot be undone asks for confirmation.
  document.addEventListener('submit', (event) => {
    const question = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
    if (question && !confirm(question)) event.preventDefault();
  });
  document.addEventListener('gatekeeper:renewed', (event) => localizeTimes(event.target));

  localizeTimes(document);
  document.querySelector('header nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  for (const button of document.querySelectorAll('[data-act][hidden]')) button.hidden = false;
})();
