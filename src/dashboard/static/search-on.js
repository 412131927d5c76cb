// Continues a search without results, page by page, until it finds a row or the user stops it.
// Without scripts, the user follows the link.
(() => {
  const link = document.querySelector('[data-search-on]');
  if (!link) return;
  // Long enough to press the button, and to let other pages use the reader.
  const timer = setTimeout(() => location.replace(link.href), 700);
  document.querySelector('[data-act="stop-search"]')?.addEventListener('click', ({ currentTarget }) => {
    clearTimeout(timer);
    currentTarget.hidden = true;
  });
})();
