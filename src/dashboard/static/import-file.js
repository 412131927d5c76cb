// Reads a file into the text field of its form, since the server accepts text only.
(() => {
  const MAX_BYTES = 3_000_000;
  for (const element of document.querySelectorAll('[data-import]')) element.hidden = false;
  for (const input of document.querySelectorAll('input[type="file"][data-into]')) {
    input.addEventListener('change', async () => {
      const [file] = input.files ?? [];
      const target = document.getElementById(input.dataset.into);
      if (!file || !target) return;
      const isTooLarge = file.size > MAX_BYTES;
      input.setCustomValidity(isTooLarge ? 'The file is larger than 3 MB. Split it.' : '');
      if (isTooLarge) {
        input.reportValidity();
        return;
      }
      target.value = await file.text();
      // Lets the user choose a file of the same name again.
      input.value = '';
    });
  }
})();
