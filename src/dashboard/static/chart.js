// Draws each table of class `chart` as stacked bars over time above the table. The first column holds times or days,
// the others hold numbers. `data-colour` of a column's head names its colour, `data-marks` of the table a list of times to mark.
// The chart is a slider: arrow keys move through the bars, Enter and a click open what the bar consists of.
(() => {
  const HEIGHT = 220;
  const FALLBACK = ['low', 'medium', 'high', 'other'];
  const MARK_COLOURS = { attack: 'chart-high', warning: 'chart-medium', change: 'chart-other' };
  const probe = document.body.appendChild(document.createElement('span'));
  probe.hidden = true;
  const style = getComputedStyle(probe);
  const number = new Intl.NumberFormat();

  /** The colour of the current theme: a canvas has no custom properties. */
  function colour(name) {
    probe.style.color = `var(--${name})`;
    return style.color;
  }

  /** A moment, or a day of UTC. */
  function timeOf(row) {
    const day = row.cells[0].querySelector('data');
    return day ? Number(day.value) : Date.parse(row.querySelector('time')?.dateTime);
  }

  /** Reads the events from the list that the table names. */
  function readMarks(table) {
    const items = document.getElementById(table.dataset.marks ?? '')?.querySelectorAll('li[data-from]') ?? [];
    return [...items].map((item) => ({
      kind: item.dataset.kind,
      from: Number(item.dataset.from) / 1000,
      to: Number(item.dataset.to) / 1000,
      title: item.querySelector('a').textContent,
    }));
  }

  function read(table) {
    const heads = [...table.tHead.rows[0].cells].slice(1);
    const rows = [...table.tBodies[0].rows];
    return {
      names: heads.map((head) => head.textContent.trim()),
      colours: heads.map((head, i) => `chart-${head.dataset.colour ?? FALLBACK[i % FALLBACK.length]}`),
      times: rows.map((row) => timeOf(row) / 1000),
      words: rows.map((row) => row.cells[0].textContent.trim()),
      links: rows.map((row) => row.cells[0].querySelector('a')?.href ?? null),
      marks: readMarks(table),
      isByDay: rows.some((row) => row.cells[0].querySelector('data')),
      columns: heads.map((_, i) =>
        rows.map((row) => Number(row.cells[i + 1].textContent.replace(/[^\d.-]/g, ''))),
      ),
    };
  }

  /** Stacks each column on the columns before it. uPlot draws the later columns first, so that no bar hides another. */
  function stack(columns) {
    const sums = [];
    for (const column of columns) {
      const below = sums.at(-1);
      sums.push(column.map((value, i) => value + (below?.[i] ?? 0)));
    }
    return sums;
  }

  /** Draws attacks and warnings as bands at the top, and changes as dashed lines. */
  function drawMarks(chart, { marks, times, step }) {
    const { ctx, bbox } = chart;
    const ratio = devicePixelRatio;
    const [first, end] = [times[0] - step / 2, times.at(-1) + step / 2];
    // A bar is in the middle of its time: a moment of the hour is shown half an hour earlier.
    const placeOf = (at) => chart.valToPos(Math.min(end, Math.max(first, at - step / 2)), 'x', true);
    ctx.save();
    for (const { kind, from, to } of marks) {
      const left = placeOf(from);
      ctx.fillStyle = ctx.strokeStyle = colour(MARK_COLOURS[kind]);
      if (kind === 'change') {
        ctx.setLineDash([4 * ratio, 4 * ratio]);
        ctx.lineWidth = ratio;
        ctx.beginPath();
        ctx.moveTo(left, bbox.top);
        ctx.lineTo(left, bbox.top + bbox.height);
        ctx.stroke();
      } else {
        const width = Math.max(6 * ratio, placeOf(to) - left);
        ctx.fillRect(left, bbox.top, width, 5 * ratio);
        ctx.globalAlpha = 0.12;
        ctx.fillRect(left, bbox.top, width, bbox.height);
        ctx.globalAlpha = 1;
      }
    }
    ctx.restore();
  }

  function draw(content, place, onMove) {
    const { names, colours, times, columns, isByDay, marks, words } = content;
    const axis = {
      stroke: colour('faint'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
    };
    // Times such as 10:30am do not touch.
    const timeAxis = { ...axis, space: 72 };
    const order = names.map((_, i) => names.length - 1 - i);
    const sums = stack(columns);
    const step = times.length > 1 ? times[1] - times[0] : 3600;
    place.replaceChildren();
    return new uPlot(
      {
        width: Math.max(place.clientWidth, 200),
        height: HEIGHT,
        tzDate: (at) => (isByDay ? uPlot.tzDate(new Date(at * 1000), 'Etc/UTC') : new Date(at * 1000)),
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        hooks: {
          draw: [(chart) => drawMarks(chart, { marks, times, step })],
          setCursor: [({ cursor }) => onMove(cursor.idx ?? null)],
        },
        scales: {
          x: { time: true, range: (_chart, low, high) => [low - step / 2, high + step / 2] },
          y: { range: (_chart, _low, high) => [0, Math.max(4, high * 1.08)] },
        },
        axes: [
          timeAxis,
          { ...axis, size: 56, values: (_chart, splits) => splits.map((n) => number.format(n)) },
        ],
        series: [
          { label: isByDay ? 'Day' : 'Time', value: (_chart, _value, _series, at) => words[at] ?? 'all' },
          ...order.map((i) => ({
            label: names[i],
            fill: colour(colours[i]),
            width: 0,
            paths: uPlot.paths.bars({ size: [0.8, 60] }),
            points: { show: false },
            // Without a cursor, the numbers are those of the whole time.
            value: (_chart, _sum, _series, at) =>
              number.format(at === null ? columns[i].reduce((all, one) => all + one, 0) : columns[i][at]),
          })),
        ],
        legend: { markers: { fill: (_chart, at) => (at === 0 ? '' : colour(colours[order[at - 1]])) } },
      },
      [times, ...order.map((i) => sums[i])],
      place,
    );
  }

  /** The bar in words: its time, its numbers, and what happened then. */
  function describe({ words, names, columns, times, marks }, at) {
    const numbers = names.map((name, i) => `${number.format(columns[i][at])} ${name}`);
    return [words[at], numbers.join(', '), ...marksAt({ times, marks }, at)].join('; ');
  }

  function marksAt({ times, marks }, at) {
    const end = times[at + 1] ?? times[at] + (times[at] - (times[at - 1] ?? times[at] - 3600));
    return marks.filter(({ from, to }) => from < end && to >= times[at]).map(({ title }) => title);
  }

  /** The keys of a slider: they move the cursor of the chart. */
  function moveByKeys(place, content, state) {
    const last = content.times.length - 1;
    place.addEventListener('keydown', (event) => {
      const at = state.at ?? last + 1;
      const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
      if (event.key === 'Enter' && content.links[state.at]) location.assign(content.links[state.at]);
      if (!Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      const next = Math.min(last, Math.max(0, steps[event.key]));
      state.chart.setCursor({ left: state.chart.valToPos(content.times[next], 'x'), top: 0 });
    });
  }

  function show(table) {
    const content = read(table);
    if (content.times.length === 0 || content.times.some(Number.isNaN)) return;
    const numbers = table.closest('details') ?? table.closest('.table') ?? table;
    const place = document.createElement('div');
    place.className = 'drawing';
    place.tabIndex = 0;
    const last = content.times.length - 1;
    const facts = {
      role: 'slider',
      'aria-label': table.caption.textContent,
      'aria-valuemin': 0,
      'aria-valuemax': last,
    };
    for (const [name, value] of Object.entries(facts)) place.setAttribute(name, value);
    numbers.before(place);
    const note = document.createElement('p');
    note.className = 'chart-note';
    note.setAttribute('aria-hidden', 'true');
    place.after(note);
    if (numbers instanceof HTMLDetailsElement) numbers.open = false;
    const state = { at: null, chart: null };
    const onMove = (at) => {
      state.at = at;
      place.setAttribute('aria-valuenow', at ?? last);
      place.setAttribute('aria-valuetext', describe(content, at ?? last));
      note.textContent = at === null ? '' : marksAt(content, at).join('; ');
    };
    const redraw = () => {
      state.chart?.destroy();
      state.chart = draw(content, place, onMove);
      onMove(null);
      if (!content.links.some(Boolean)) return;
      state.chart.over.classList.add('opens-bar');
      state.chart.over.addEventListener('click', () => {
        const link = content.links[state.at];
        if (link) location.assign(link);
      });
    };
    redraw();
    moveByKeys(place, content, state);
    document.addEventListener('gatekeeper:theme', redraw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
    new ResizeObserver(() =>
      state.chart.setSize({ width: Math.max(place.clientWidth, 200), height: HEIGHT }),
    ).observe(place);
  }

  for (const table of document.querySelectorAll('table.chart')) show(table);
})();
