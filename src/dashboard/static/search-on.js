// A search that found nothing yet goes on by itself, page by page, until something is found or it is told to stop.
// Without scripts one follows the link.
(() => {
  const link = document.querySelector('[data-search-on]');
  if (!link) return;
  // Long enough to press the button, and to leave the reader to others in between.
  const timer = setTimeout(() => location.replace(link.href), 700);
  document.querySelector('[data-act="stop-search"]')?.addEventListener('click', ({ currentTarget }) => {
    clearTimeout(timer);
    currentTarget.hidden = true;
  });
})();
