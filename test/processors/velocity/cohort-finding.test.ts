import test from 'ava';
import type { CohortSurge } from '../../../src/counters/cohorts/cohort.ts';
import { cohortFinding } from '../../../src/processors/velocity/cohort-finding.ts';

type Cell = CohortSurge['cell'];
const surgeOf = (cell: Cell) => ({ cell, count: 24, among: 32, usual: 0.01234 });

const SAID: readonly (readonly [Cell, string])[] = [
  [
    { kind: 'all', group: '', style: 'sd3' },
    '24 of the last 32 signups are spelled like abc123, usual: 1.2 %',
  ],
  [
    { kind: 'provider', group: 'gmail.com', style: 'mix' },
    '24 of the last 32 signups at gmail.com are spelled like k3j9x0q2w, usual: 1.2 %',
  ],
  [
    { kind: 'provider', group: 'companies', style: 'n.n' },
    '24 of the last 32 signups at own domains are spelled like name.name, usual: 1.2 %',
  ],
  [
    { kind: 'browser', group: 'a pseudonym', style: 'od2' },
    '24 of the last 32 signups with this browser are spelled like word12, usual: 1.2 %',
  ],
  [
    { kind: 'domain', group: '', style: '@o-o.co.uk' },
    '24 of the last 32 signups have domains like @word-word.co.uk, usual: 1.2 %',
  ],
  [
    { kind: 'mail_server', group: '', style: 'mx:post-relay.net' },
    '24 of the last 32 signups have new domains with mail at post-relay.net, usual: 1.2 %',
  ],
];

for (const [cell, evidence] of SAID) {
  test(`a surge of the group ${cell.kind} ${cell.group} says its style, an example and what is usual`, (t) => {
    const finding = cohortFinding(surgeOf(cell));
    t.is(finding.evidence, evidence);
    t.like(finding.fields, {
      dimension: 'cohort',
      group: cell.kind,
      style: cell.style,
      count: 24,
      among: 32,
    });
    t.is(finding.fields?.usual, 0.0123);
    t.false(JSON.stringify(finding).includes('pseudonym'));
  });
}

test('signups at regular intervals say how many seconds lie between them', (t) => {
  const cell = { kind: 'interval', group: '', style: 'interval' } as const;
  const { evidence, fields } = cohortFinding({ ...surgeOf(cell), everyMs: 59_700 });
  t.is(evidence, '24 of the last 32 signups came one every 60 seconds, usual: 1.2 %');
  t.like(fields, { group: 'interval', style: 'interval', every_seconds: 60, count: 24, among: 32 });
});

test('a surge leads to verification at most: the finding is shared and not decisive', (t) => {
  const finding = cohortFinding(surgeOf({ kind: 'all', group: '', style: 'mix' }));
  t.true(finding.shared);
  t.is(finding.decisive, undefined);
});
