// Keeps the text of a form in this tab while its user signs in again. The answer to a form without a session is the
// sign-in page, and the browser would show the form empty afterwards. When another tab has signed in again, the answer is
// a page with a link to the form.
(() => {
  const KEY = 'gatekeeper_typed';
  const LIFETIME_MS = 3_600_000;
  const UNTYPED = new Set(['hidden', 'password', 'file', 'submit', 'button']);
  const user = document.querySelector('header .menu summary')?.textContent ?? null;
  const page = location.pathname + location.search;

  function typedInto(form) {
    return [...form.elements].filter(({ name, type }) => name && !UNTYPED.has(type));
  }

  function read() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY));
    } catch {
      return null;
    }
  }

  function write(kept) {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // The text is too long for the storage, or the user has turned it off.
    }
  }

  function forget() {
    sessionStorage.removeItem(KEY);
  }

  function restore({ action, fields }) {
    const [form, another] = [...document.forms].filter(
      (one) => one.method === 'post' && one.getAttribute('action') === action,
    );
    // Nothing tells which row of a table had the form that was sent.
    if (!form || another) return;
    const elements = typedInto(form);
    const isSame =
      elements.length === fields.length && elements.every(({ name }, i) => name === fields[i].name);
    if (!isSame) return;
    form.closest('details')?.setAttribute('open', '');
    elements.forEach((element, i) => {
      Object.assign(element, fields[i]);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    });
    elements[0]?.focus();
  }

  const kept = read();
  const isUnsaved =
    document.querySelector('a[data-unsaved]') !== null ||
    (user === null && new URLSearchParams(location.search).get('unsaved') === '1');
  if (user === null || isUnsaved) {
    if (kept && isUnsaved) write({ ...kept, isUnsaved });
    if (kept) setTimeout(forget, kept.at + LIFETIME_MS - Date.now());
    return;
  }
  forget();
  const isOwn = kept?.isUnsaved && kept.user === user && Date.now() - kept.at < LIFETIME_MS;
  if (isOwn && kept.page === page) restore(kept);

  document.addEventListener('submit', ({ target: form, defaultPrevented }) => {
    if (form.method !== 'post' || defaultPrevented) return;
    const fields = typedInto(form).map(({ name, value, checked = false }) => ({ name, value, checked }));
    if (fields.length > 0) write({ user, page, action: form.getAttribute('action'), fields, at: Date.now() });
  });
})();
