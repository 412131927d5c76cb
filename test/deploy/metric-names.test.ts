import test from 'ava';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { boardQueries, exposedNames, readDeploy, readDeployYaml } from './read-deploy.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const { groups } = readDeployYaml<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>(
  'prometheus/rules.yaml',
);
const rules = groups.flatMap((group) => group.rules);

/** Metrics in a query; `up` is Prometheus's own. */
const namesIn = (query: string) =>
  [...query.matchAll(/\b(gatekeeper_\w+|process_\w+|nodejs_\w+)\b/g)].map(([, name = '']) => name);

test('every metric in an alert rule is on the page of metrics', async (t) => {
  const exposed = await exposedNames();
  t.deepEqual(
    rules.flatMap(({ expr }) => namesIn(expr)).filter((name) => !exposed.has(name)),
    [],
  );
});

test('every metric on the board is on the page of metrics, and no metric of Gatekeeper is missing on it', async (t) => {
  const exposed = await exposedNames();
  const shown = new Set(boardQueries().flatMap(namesIn));
  t.deepEqual(
    [...shown].filter((name) => !exposed.has(name)),
    [],
  );
  const isOwn = (name: string) => /^gatekeeper_\w+(?<!_sum|_count)$/.test(name);
  t.deepEqual(
    [...exposed].filter((name) => isOwn(name) && !shown.has(name)),
    [],
  );
});

test('a counter whose first increase alerts has a series before it: Prometheus sees no increase in a first value', (t) => {
  const counters = new Map(
    createMetrics().counters.map((counter) => [`gatekeeper_${counter.name}`, counter]),
  );
  const alerting = rules.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)[^)]*\)+ > 0(?! or )/g)]);
  t.true(alerting.length > 5);
  for (const [, name = ''] of alerting) {
    const counter = counters.get(name);
    t.true(counter && (counter.labels.length === 0 || [...counter.series()].length > 0), name);
  }
});

test('every rule has a name of its own, a severity, and says what to do', (t) => {
  t.is(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, labels, annotations } of rules) {
    t.regex(labels.severity, /^(critical|warning|info)$/, alert);
    t.true(annotations.summary.length > 0 && annotations.description.length > 0, alert);
  }
});

test('the panels of the board have ids of their own and do not overlap', (t) => {
  const { panels } = JSON.parse(readDeploy('grafana/gatekeeper.json')) as {
    readonly panels: readonly {
      readonly id: number;
      readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    }[];
  };
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Set<string>();
  for (const { gridPos } of panels) {
    t.true(gridPos.x + gridPos.w <= 24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        t.false(taken.has(`${x} ${y}`), `${x} ${y}`);
        taken.add(`${x} ${y}`);
      }
    }
  }
});
