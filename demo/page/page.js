// Sends the forms and buttons of the demo, and shows the newest decisions.
(() => {
  const EVERY_MS = 1_000;
  const WHILE_SENDING_MS = 250;
  const MAX_ROWS = 40;
  const WORDS = { forward: 'Let in', verify: 'Verification', block: 'Refused' };
  const find = (selector) => document.querySelector(selector);
  const [rows, totals, days, live] = ['[data-rows]', '[data-totals]', '[data-days]', '[data-live]'].map(find);
  let newest = 0;
  let timer = 0;
  let isSending = false;

  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  async function ask(path, options = {}) {
    const answer = await fetch(path, { ...options, headers: { accept: 'application/json' } });
    const content = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(content.error ?? `The demo answered ${answer.status}.`);
    return content;
  }

  function rowOf({ id, at, email, score, action, wantedAction, because, isPast }) {
    const time = new Date(at);
    const wanted = action === wantedAction ? '' : ` (monitor: ${WORDS[wantedAction].toLowerCase()})`;
    const row = make('li', { 'data-action': action, 'data-id': id });
    const link = make(
      'a',
      { href: `/decisions/${id}` },
      make('span', { class: `badge ${action}` }, WORDS[action]),
      make('span', { class: 'who' }, email),
      make('span', { class: 'score', title: 'Trust score, 0 to 100' }, String(score)),
      make('span', { class: 'because' }, because + wanted),
      make(
        'time',
        { datetime: time.toISOString() },
        isPast
          ? `${time.toLocaleDateString('en', { weekday: 'short' })}, simulated`
          : time.toLocaleTimeString('en-GB'),
      ),
    );
    row.append(link);
    if (!isPast) row.classList.add('new');
    return row;
  }

  function showWeek(week) {
    const sum = (action) => week.reduce((all, day) => all + day[action], 0);
    const figures = [
      ['Signups', sum('forward') + sum('verify') + sum('block'), ''],
      ['Let in', sum('forward'), 'forward'],
      ['Had to verify', sum('verify'), 'verify'],
      ['Refused', sum('block'), 'block'],
    ];
    totals.replaceChildren(
      ...figures.map(([word, number, action]) =>
        make('div', { class: action }, make('dt', {}, word), make('dd', {}, number.toLocaleString('en'))),
      ),
    );
    const most = Math.max(1, ...week.map(({ forward, verify, block }) => forward + verify + block));
    days.replaceChildren(...week.flatMap((day, i) => bars(day, i * 20 + 2, 54 / most)));
  }

  function bars(day, x, scale) {
    let y = 55;
    return ['forward', 'verify', 'block'].map((action) => {
      const height = day[action] * scale;
      y -= height;
      const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      const place = { x, y, width: 16, height, class: action };
      for (const [name, value] of Object.entries(place)) bar.setAttribute(name, value);
      return bar;
    });
  }

  async function renew() {
    clearTimeout(timer);
    if (document.hidden) return;
    try {
      const state = await ask(`/demo/decisions?after=${newest}`);
      newest = state.newest;
      rows.prepend(...state.decisions.map(rowOf).reverse());
      while (rows.children.length > MAX_ROWS) rows.lastElementChild.remove();
      showWeek(state.days);
      showMode(state.mode);
      find('[data-customers]').textContent = state.customers;
      live.textContent = 'Live';
      live.classList.remove('away');
    } catch {
      live.textContent = 'The demo has ended';
      live.classList.add('away');
    }
    clearTimeout(timer);
    timer = setTimeout(renew, isSending ? WHILE_SENDING_MS : EVERY_MS);
  }

  function show(place, text, { links = [], kind = '' } = {}) {
    place.className = `${place.hasAttribute('data-answer') ? 'answer' : 'result'} ${kind}`;
    place.replaceChildren(
      make('p', {}, text),
      ...links.map((link) => make('a', { href: link.href }, link.text)),
    );
    place.hidden = false;
  }

  for (const button of document.querySelectorAll('[data-sender]')) {
    button.addEventListener('click', async () => {
      if (isSending) return;
      isSending = true;
      const result = find('[data-result]');
      const others = document.querySelectorAll('[data-sender]');
      for (const other of others) other.disabled = true;
      show(result, `Sending… ${button.dataset.hint}`);
      renew();
      try {
        const { summary, links, ...counts } = await ask(`/demo/senders/${button.dataset.sender}`, {
          method: 'POST',
        });
        Object.assign(result.dataset, counts);
        show(result, summary, { links, kind: kindOf(counts) });
      } catch (error) {
        show(result, error.message, { kind: 'wrong' });
      }
      isSending = false;
      for (const other of others) other.disabled = false;
      renew();
    });
  }

  function kindOf({ sent, letIn, toVerify, wouldStop }) {
    if (wouldStop > 0 || toVerify === sent) return 'verify';
    return letIn === sent ? 'forward' : 'block';
  }

  function showMode(name) {
    const chosen = find(`[name="mode"][value="${name}"]`);
    if (!chosen || chosen.disabled) return;
    chosen.checked = true;
    find('p[data-effect]').textContent = chosen.dataset.effect;
    find('pre[data-yaml]').textContent = chosen.dataset.yaml;
  }

  const modes = document.querySelectorAll('[name="mode"]');
  for (const choice of modes) {
    choice.addEventListener('change', async () => {
      for (const each of modes) each.disabled = true;
      find('p[data-effect]').textContent = 'Gatekeeper reads its changed configuration…';
      let problem = '';
      const { mode } = await ask(`/demo/modes/${choice.value}`, { method: 'POST' }).catch((error) => {
        problem = error.message;
        return { mode: null };
      });
      for (const each of modes) each.disabled = false;
      if (mode === null) find('p[data-effect]').textContent = problem;
      else showMode(mode);
    });
  }

  const form = find('[data-signup]');
  for (const button of document.querySelectorAll('[data-try]')) {
    button.addEventListener('click', () => {
      form.elements.name.value ||= 'Ada Lovelace';
      form.elements.email.value = button.dataset.try;
      form.requestSubmit();
    });
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = find('[data-answer]');
    show(answer, 'One moment…');
    try {
      const response = await fetch('/signup', {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams(new FormData(form)),
      });
      if (response.ok) {
        show(answer, `Welcome, ${form.elements.name.value}! Your account is ready.`, { kind: 'forward' });
        form.reset();
      } else {
        show(answer, ...refusalOf(response, await response.json()));
      }
    } catch {
      show(answer, 'The shop did not answer. Try again.', { kind: 'wrong' });
    }
    renew();
  });

  function refusalOf(response, problem) {
    if (problem.code === 'verification_required') {
      const { pathname, search } = new URL(problem.verification_url);
      const links = [
        { text: 'Enter the code', href: pathname + search },
        { text: 'Open the mailbox', href: '/mailbox' },
      ];
      return ['Almost there: we sent a code to your mailbox.', { links, kind: 'verify' }];
    }
    if (problem.code === 'signup_refused') {
      const reference = response.headers.get('gatekeeper-reference');
      const text = 'We could not complete your sign-up.';
      return [reference ? `${text} Reference ${reference}.` : text, { kind: 'block' }];
    }
    return [problem.detail ?? problem.title ?? 'Try again later.', { kind: 'wrong' }];
  }

  document.addEventListener('visibilitychange', renew);
  renew();
})();
