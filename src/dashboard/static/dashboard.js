// The script of every page. All pages work without it.
(() => {
  const RENEW_TIMES_MS = 30_000;
  const COPIED_MS = 2_000;
  const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const zonedMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const zonedBrief = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
  const zonedDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
  // Formats times in the language of the page.
  const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
  const UNITS = [
    ['minute', 60, 60],
    ['hour', 3_600, 24],
    ['day', 86_400, 30],
  ];

  // How far the clock of this machine is ahead of the server. It may be wrong by hours, and so would be `in 5 minutes`.
  const aheadMs = Date.now() - Number(document.documentElement.dataset.now);

  /** `5 minutes ago`; a date where it is more than a month away. */
  function relativeTo(now, at) {
    const seconds = (at - now) / 1000;
    if (Math.abs(seconds) < 45) return seconds > 0 ? 'in a moment' : 'just now';
    for (const [unit, length, most] of UNITS) {
      const count = Math.round(seconds / length);
      if (Math.abs(count) < most) return relative.format(count, unit);
    }
    return zonedDay.format(at);
  }

  /** Shows times as distances, or in the time zone of the viewer; the exact time is in the tooltip. */
  function localizeTimes(root) {
    const now = Date.now() - aheadMs;
    for (const time of root.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.dataset.utc ??= time.title;
      time.title = `${zoned.format(at)}\n${time.dataset.utc}`;
      if ('brief' in time.dataset) time.textContent = zonedBrief.format(at);
      else if (time.dataset.exact === 'minute') time.textContent = zonedMinute.format(at);
      else time.textContent = 'exact' in time.dataset ? zoned.format(at) : relativeTo(now, at);
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
    'show-keyboard-help'(button) {
      button.closest('details')?.removeAttribute('open');
      document.dispatchEvent(new Event('gatekeeper:keyboard-help'));
    },
    async copy(button) {
      const source = document.getElementById(button.dataset.from ?? '');
      if (!source) return;
      try {
        await navigator.clipboard.writeText(source.textContent ?? '');
        const label = button.textContent;
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = label), COPIED_MS);
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
  // A click beside the open menu closes it.
  document.addEventListener('click', (event) => {
    for (const menu of document.querySelectorAll('.menu[open]')) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  // Filters apply at once, and the address has only those that are set.
  for (const form of document.querySelectorAll('form[data-filters]')) {
    form.addEventListener('change', () => form.requestSubmit());
    form.addEventListener('formdata', ({ formData }) => {
      for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
    });
    for (const button of form.querySelectorAll('button[type="submit"]')) button.hidden = true;
  }
  // An action that cannot be undone asks for confirmation.
  document.addEventListener('submit', (event) => {
    const question = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
    if (question && !confirm(question)) event.preventDefault();
  });
  document.addEventListener('gatekeeper:renewed', (event) => localizeTimes(event.target));

  localizeTimes(document);
  setInterval(() => {
    if (!document.hidden) localizeTimes(document);
  }, RENEW_TIMES_MS);
  for (const button of document.querySelectorAll('[data-act][hidden]')) button.hidden = false;
})();
