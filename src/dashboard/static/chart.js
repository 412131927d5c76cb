// Draws each table of class `chart` as stacked bars over time above the table. The first column holds times or days,
// the others hold numbers. `data-colour` of a column's head names its colour. The table stays for screen readers.
(() => {
  const HEIGHT = 220;
  const FALLBACK = ['low', 'medium', 'high', 'other'];
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

  function read(table) {
    const heads = [...table.tHead.rows[0].cells].slice(1);
    const rows = [...table.tBodies[0].rows];
    return {
      names: heads.map((head) => head.textContent.trim()),
      colours: heads.map((head, i) => `chart-${head.dataset.colour ?? FALLBACK[i % FALLBACK.length]}`),
      times: rows.map((row) => timeOf(row) / 1000),
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

  function draw({ names, colours, times, columns, isByDay }, place) {
    const axis = {
      stroke: colour('faint'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
    };
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
        scales: {
          x: { time: true, range: (_chart, low, high) => [low - step / 2, high + step / 2] },
          y: { range: (_chart, _low, high) => [0, Math.max(4, high * 1.08)] },
        },
        axes: [axis, { ...axis, size: 56, values: (_chart, splits) => splits.map((n) => number.format(n)) }],
        series: [
          { label: isByDay ? 'Day' : 'Time' },
          ...order.map((i) => ({
            label: names[i],
            fill: colour(colours[i]),
            width: 0,
            paths: uPlot.paths.bars({ size: [0.8, 60] }),
            points: { show: false },
            value: (_chart, _sum, _series, at) => (at === null ? '' : number.format(columns[i][at])),
          })),
        ],
        legend: { markers: { fill: (_chart, at) => (at === 0 ? '' : colour(colours[order[at - 1]])) } },
      },
      [times, ...order.map((i) => sums[i])],
      place,
    );
  }

  function show(table) {
    const content = read(table);
    if (content.times.length === 0 || content.times.some(Number.isNaN)) return;
    const numbers = table.closest('details') ?? table.closest('.table') ?? table;
    const place = document.createElement('div');
    place.className = 'drawing';
    // The table has the same numbers for screen readers.
    place.setAttribute('aria-hidden', 'true');
    numbers.before(place);
    if (numbers instanceof HTMLDetailsElement) numbers.open = false;
    let chart = draw(content, place);
    document.addEventListener('gatekeeper:theme', () => {
      chart.destroy();
      chart = draw(content, place);
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      chart.destroy();
      chart = draw(content, place);
    });
    new ResizeObserver(() =>
      chart.setSize({ width: Math.max(place.clientWidth, 200), height: HEIGHT }),
    ).observe(place);
  }

  for (const table of document.querySelectorAll('table.chart')) show(table);
})();
