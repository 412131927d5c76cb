import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { cpuTimeUs, parseStat, residentMb, treeOf } from '../../bench/process-tree.ts';

test('a line of /proc is parsed whatever the name of the program', (t) => {
  const line = '71 (a) S 9 (b) R 3 71 71 0 -1 4194560 100 0 0 0 250 50 7 3 20 0 1 0 1 2 3';
  t.deepEqual(parseStat(line), { pid: 71, parent: 3, cpuTicks: 310 });
});

test('a process tree contains all descendants and no other process', (t) => {
  const processes = [
    { pid: 1, parent: 0, cpuTicks: 1 },
    { pid: 2, parent: 1, cpuTicks: 1 },
    { pid: 3, parent: 2, cpuTicks: 1 },
    { pid: 4, parent: 2, cpuTicks: 1 },
    { pid: 5, parent: 1, cpuTicks: 1 },
  ];
  t.deepEqual(
    treeOf(2, processes).map(({ pid }) => pid),
    [2, 3, 4],
  );
  t.throws(() => treeOf(9, processes), { message: /ended while it was measured/ });
});

test('the work of a child is counted with its parent, and so is its memory', async (t) => {
  const work = 'while (process.cpuUsage().user < 60_000);';
  const script = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(`${work} console.log('done'); setInterval(() => {}, 1e6)`)}]);
    child.stdout.pipe(process.stdout);
    process.stdin.on('data', () => { child.kill(); process.exit(); });`;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = parent.pid ?? 0;
  await once(parent.stdout, 'data');
  const alone = (process.memoryUsage.rss() / 1_000_000) * 0.2;
  t.true(cpuTimeUs(pid) >= 50_000, `${cpuTimeUs(pid)} µs`);
  t.true(residentMb(pid) > alone, `${residentMb(pid)} MB`);
  parent.stdin.write('end');
  await once(parent, 'exit');
});
