/**
 * Measures speed and size against yardsticks that do the same work: `npm run bench`, or `npm run bench -- api start`
 * for some families of rows. Prints a table, writes `reports/bench.json`, and ends with exit code 1 only when a
 * measurement failed. A row below its target is only marked, because the machine may have been busy.
 */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { importBuilt } from './built.ts';
import { describeMachine, requireProc } from './machine.ts';
import { toTable, writeReport } from './report.ts';
import { type Row, verdictOn } from './row.ts';
import { measureApi } from './rows/api-rows.ts';
import { measureCounters } from './rows/counter-rows.ts';
import { measureDashboard } from './rows/dashboard-rows.ts';
import { measureFleet } from './rows/fleet-rows.ts';
import { measureGate } from './rows/gate-rows.ts';
import { measureFleetMillion, measureFleetStart, measureMillion, measureStart } from './rows/process-rows.ts';
import { measureReaders } from './rows/reader-rows.ts';
import { measureScoring } from './rows/scoring-rows.ts';
import { measureSimulate } from './rows/simulate-rows.ts';
import { measureStorage } from './rows/storage-rows.ts';
import { measureTraces } from './rows/trace-rows.ts';
import { measureWorkers } from './rows/worker-rows.ts';

const FAMILIES: Readonly<Record<string, (bench: Bench) => Promise<readonly Row[]>>> = {
  api: measureApi,
  scoring: measureScoring,
  readers: measureReaders,
  start: measureStart,
  million: measureMillion,
  gate: measureGate,
  simulate: measureSimulate,
  dashboard: measureDashboard,
  counters: measureCounters,
  storage: measureStorage,
  fleet: measureFleet,
  workers: measureWorkers,
  traces: measureTraces,
  'fleet-start': measureFleetStart,
  'fleet-million': measureFleetMillion,
};
/**
 * What is measured when nothing is named. The dashboard's million decisions take minutes to make, the counters and
 * workers need a `redis-server`, the storage needs PostgreSQL, and the fleet both. Few installations send traces.
 */
const BY_DEFAULT = ['api', 'gate', 'scoring', 'readers', 'start', 'million', 'simulate'];

const { families, rounds, requests } = readArguments();
requireProc();
execFileSync(process.execPath, [inProject('scripts/ensure-built.js')], { stdio: 'inherit' });
const machine = describeMachine();
console.log(
  `Node ${machine.node}, ${machine.cores} cores, load ${machine.loadBefore.toFixed(1)}; ` +
    (machine.pinned
      ? 'servers on one core, load on another.'
      : 'NOT PINNED: servers and load share the cores, so go by CPU time.'),
);

const bench = await openBench();
const rows: Row[] = [];
const failed: { family: string; why: string }[] = [];
for (const family of families) {
  try {
    const measured = (await FAMILIES[family]?.(bench)) ?? [];
    console.log(`\n${toTable(measured)}`);
    rows.push(...measured);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(`\nNOT MEASURED: ${family}: ${why}`);
    failed.push({ family, why });
  }
}
bench.datasets.close();

const file = writeReport(inProject('reports'), { at: new Date().toISOString(), machine, rows, failed });
const under = rows.filter((row) => verdictOn(row) === 'UNDER MUST');
console.log(
  `\n${rows.length} rows, ${under.length === 0 ? 'none' : under.length} under its must. Every value: ${file}`,
);
for (const { name } of under) console.log(`UNDER MUST: ${name}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function openBench(): Promise<Bench> {
  const built = await importBuilt();
  const { config: defaults } = built.loadFrom({
    cwd: tmpdir(),
    env: {},
    write: () => {},
    writeError: () => {},
    isTerminal: false,
    hasColour: false,
  })(null);
  const { scoring } = defaults;
  const config = { ...defaults, scoring: { ...scoring, dns: { ...scoring.dns, enabled: false } } };
  const datasets = await built.openDatasets({
    folder: inProject('datasets'),
    feedsFolder: inProject('reports'),
    config: config.datasets,
    clock: Date.now,
  });
  return { rounds, requests, built, config, datasets };
}

/** Ends the process with the usage text when an argument is invalid. */
function readArguments() {
  const count = (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`"${text}" is no number from 1 on.`);
    return value;
  };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        requests: { type: 'string', default: '20000' },
      },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(FAMILIES, name));
    if (unknown !== undefined) throw new Error(`There are no rows called "${unknown}".`);
    return {
      families: positionals.length > 0 ? positionals : BY_DEFAULT,
      rounds: count(values.rounds),
      requests: count(values.requests),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    const names = Object.keys(FAMILIES).join(' | ');
    console.error(`Usage: npm run bench -- [--rounds 5] [--requests 20000] [${names} …]`);
    process.exit(1);
  }
}

function inProject(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
