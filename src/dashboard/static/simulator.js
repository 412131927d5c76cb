// The effect of a policy while its fields change. Without scripts, the button of the form simulates.
(() => {
  const form = document.querySelector('[data-live-effect] form');
  const panel = document.querySelector('[data-effect]');
  if (!form || !panel) return;
  const GROUPS = 9;
  const HIGHEST = 100;
  const LEVELS = ['low', 'medium', 'high'];
  const PAUSE_MS = 200;
  const POLL_MS = 600;
  const Z = 1.96;
  let rows = null;
  const shares = { fraud: 1, legitimate: 1 };
  let timer = 0;
  let asking = null;

  const field = (name) => form.elements[name];
  const levels = () => ({
    low: Number(field('levels-low').value),
    medium: Number(field('levels-medium').value),
  });

  for (const input of form.querySelectorAll('[data-sliders] input')) addSlider(input);
  for (const link of document.querySelectorAll('a[data-preset]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      for (const [name, value] of Object.entries(JSON.parse(link.dataset.preset))) {
        field(name).value = value;
        field(name).dispatchEvent(new Event('change', { bubbles: true }));
      }
      askSoon();
    });
  }

  function addSlider(input) {
    const slider = document.createElement('input');
    slider.type = 'range';
    slider.min = input.min;
    slider.max = Math.min(Number(input.max), HIGHEST);
    slider.step = 1;
    slider.value = input.value;
    slider.setAttribute('aria-label', `${input.labels[0].textContent}, slider`);
    input.before(slider);
    input.parentElement.classList.add('with-slider');
    slider.addEventListener('input', () => {
      input.value = slider.value;
    });
    const follow = () => {
      slider.value = input.value;
    };
    input.addEventListener('input', follow);
    input.addEventListener('change', follow);
  }

  // This listens in the bubbling phase, when the slider has already written its value into the field.
  form.addEventListener('input', (event) => {
    if (event.target.name === 'share') return;
    const own = event.target.name || event.target.nextElementSibling?.name || '';
    if (rows && own.startsWith('levels-')) show();
    else askSoon();
  });
  // Not for a button: the panel that appears would move the button away under a mouse that is pressed on it.
  form.addEventListener('focusin', (event) => {
    if (event.target.matches('input, select, textarea') && !rows && !asking && !timer) askSoon();
  });

  function askSoon() {
    clearTimeout(timer);
    asking?.abort();
    panel.hidden = false;
    panel.setAttribute('aria-busy', 'true');
    timer = setTimeout(ask, PAUSE_MS);
  }

  async function ask() {
    timer = 0;
    const mine = new AbortController();
    asking = mine;
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch('/simulator/effect', {
        ...{ method: 'POST', body, signal: mine.signal, redirect: 'error', headers: { accept: 'text/html' } },
      });
      if (!answer.ok) throw new Error(String(answer.status));
      take(await answer.text());
    } catch (error) {
      if (error.name === 'AbortError') return;
      rows = null;
      panel.textContent = 'No answer from the server. Press Simulate to see the effect.';
    }
    if (asking === mine) asking = null;
    if (!timer) panel.removeAttribute('aria-busy');
  }

  function take(fragment) {
    const template = document.createElement('template');
    template.innerHTML = fragment;
    panel.replaceChildren(template.content);
    const counted = panel.querySelector('[data-counts]');
    rows = counted ? restore(JSON.parse(counted.dataset.counts)) : null;
    counted?.removeAttribute('data-counts');
    for (const name of Object.keys(shares))
      shares[name] = Number(counted?.getAttribute(`data-share-${name}`) ?? 1);
    if (rows) show();
    if (panel.querySelector('[data-reading]')) timer = setTimeout(ask, POLL_MS);
  }

  // Each row is the previous row with some differences.
  function restore(changes) {
    const row = new Int32Array((HIGHEST + 1 + LEVELS.length) * GROUPS);
    return changes.map((pairs) => {
      for (let i = 0; i < pairs.length; i += 2) row[pairs[i]] += pairs[i + 1];
      return row.slice();
    });
  }

  function show() {
    const { low, medium } = levels();
    const isValid = Number.isInteger(medium) && medium >= 0 && low <= HIGHEST && medium < low;
    field('levels-low').setCustomValidity(isValid ? '' : 'Low risk must be higher than medium risk.');
    panel.classList.toggle('outdated', !isValid);
    if (!isValid) {
      field('levels-low').reportValidity();
      return;
    }
    const counts = countLevels(rows[medium], low, medium);
    for (const [name, offset] of [
      ['fraud', 0],
      ['legitimate', 3],
    ]) {
      const [passed, verified, refused] = LEVELS.map((_, level) => sum(counts, offset, offset + 3, level));
      const affected = verified + refused;
      set(`${name}-affected`, grouped(affected));
      set(`${name}-refused`, grouped(refused));
      set(`${name}-verified`, grouped(verified));
      // The interval of an estimate is computed from the cases in the sample.
      set(`${name}-range`, range(affected * shares[name], (passed + affected) * shares[name]));
    }
    const all = LEVELS.map((_, level) => sum(counts, 0, GROUPS, level));
    LEVELS.forEach((level, i) => {
      set(`all-${level}`, grouped(all[i]));
    });
    draw(all);
  }

  // For each group, the number of signups at each level.
  function countLevels(row, low, medium) {
    const counts = Array.from({ length: GROUPS }, () => [0, 0, 0]);
    row.forEach((count, at) => {
      if (count === 0) return;
      const score = Math.floor(at / GROUPS);
      const level = score > HIGHEST ? score - HIGHEST - 1 : score >= low ? 0 : score >= medium ? 1 : 2;
      counts[at % GROUPS][level] += count;
    });
    return counts;
  }

  function sum(counts, from, to, level) {
    return counts.slice(from, to).reduce((total, group) => total + group[level], 0);
  }

  function set(figure, text) {
    const place = panel.querySelector(`[data-figure="${figure}"]`);
    if (place) place.textContent = text;
  }

  function draw(all) {
    const bar = panel.querySelector('svg');
    const width = bar.viewBox.baseVal.width;
    const total = all.reduce((before, count) => before + count, 0);
    let x = 0;
    bar.querySelectorAll('rect').forEach((rect, i) => {
      const part = total > 0 ? (width * all[i]) / total : 0;
      rect.setAttribute('x', x);
      rect.setAttribute('width', part);
      x += part;
    });
    const words = LEVELS.map((level, i) => `${grouped(all[i])} ${level}`).join(', ');
    bar.setAttribute('aria-label', `Levels under these thresholds: ${words}`);
  }

  function grouped(count) {
    return count.toLocaleString('en');
  }

  // The 95 % interval of Wilson, as the server computes it.
  function range(part, whole) {
    if (whole === 0) return '0 to 100 %';
    const share = part / whole;
    const square = Z ** 2 / whole;
    const spread = Z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole));
    const bound = (sign) => Math.min(1, Math.max(0, (share + square / 2 + sign * spread) / (1 + square)));
    const low = part === 0 ? 0 : bound(-1);
    const high = part === whole ? 1 : bound(1);
    return `${percent(low)} to ${percent(high)} %`;
  }

  function percent(share) {
    const value = 100 * share;
    return String(Number(value.toFixed(value < 1 ? 2 : value < 10 || value > 99 ? 1 : 0)));
  }
})();
