// Passkeys. A form with `data-passkey` is sent with the response of the browser's authenticator.
(() => {
  const forms = document.querySelectorAll('form[data-passkey]');
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: toBytes(one.id) }));

  /** The options of the server, with bytes where the browser wants bytes. */
  function readOptions(options) {
    return {
      ...options,
      challenge: toBytes(options.challenge),
      ...(options.user && { user: { ...options.user, id: toBytes(options.user.id) } }),
      ...(options.excludeCredentials && { excludeCredentials: withBytes(options.excludeCredentials) }),
      ...(options.allowCredentials && { allowCredentials: withBytes(options.allowCredentials) }),
    };
  }

  function writeResponse(credential) {
    const { response, id, type } = credential;
    const fields = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
    const given = fields.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
    return JSON.stringify({
      id,
      rawId: id,
      type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: { ...Object.fromEntries(given), transports: response.getTransports?.() },
    });
  }

  async function ask(form) {
    const fields = new URLSearchParams(new FormData(form));
    for (const name of [...fields.keys()]) if (name !== 'csrf') fields.delete(name);
    const answer = await fetch(form.dataset.options, { method: 'POST', body: fields });
    if (!answer.ok) throw new Error(`options: ${answer.status}`);
    const publicKey = readOptions(await answer.json());
    return form.dataset.passkey === 'create'
      ? navigator.credentials.create({ publicKey })
      : navigator.credentials.get({ publicKey });
  }

  function problemOf(error) {
    if (error.name === 'InvalidStateError') return 'This device already has a passkey of your account.';
    if (error.name === 'NotAllowedError') return 'No passkey was used. Try again, or use your password.';
    return 'The passkey could not be used. Reload the page and try again.';
  }

  for (const form of forms) {
    const problem = form.querySelector('[data-passkey-problem]');
    const button = form.querySelector('button[type="submit"]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      problem.textContent = '';
      button.disabled = true;
      try {
        form.elements.namedItem('response').value = writeResponse(await ask(form));
        form.submit();
      } catch (error) {
        problem.textContent = problemOf(error);
        button.disabled = false;
        button.focus();
      }
    });
    form.hidden = false;
  }
  for (const hint of document.querySelectorAll('[data-without-passkeys]')) hint.hidden = true;
})();
