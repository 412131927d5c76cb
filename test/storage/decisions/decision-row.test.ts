import test from 'ava';
import { toRecentAttempt } from '../../../src/storage/decisions/counted-attempts.ts';
import {
  DECISION_COLUMNS,
  toCountedColumns,
  toParameters,
} from '../../../src/storage/decisions/decision-row.ts';
import { decisionWith } from './decision-fixture.ts';

const row = {
  ...{ id: 1, processed_at: 1_000, scope: 'gate', mailbox: 'm', spelling: 's', domain: 'acme.de' },
  ...{ network: '203.0.113.0/24', template: null, user_agent: null },
  ...{ identity: '{"ip":"i","site":null}', wanted_action: null, risk_level: 'low' },
};

test('a decision that was stored before the styles has none', (t) => {
  t.is(toRecentAttempt(row).identity.style, null);
});

test('the mail server that judging asked for is stored with the identity, and read for a start', (t) => {
  const examination = {
    classification: 'corporate_email',
    evidence: null,
    findings: [],
    incomplete: null,
  } as const;
  const decision = decisionWith({
    examinations: {
      email: { ...examination, fields: { domain: 'acme.de', mail_server: 'hoster.com' } },
      ...{ ip_address: null, velocity: null, user_agent: null },
    },
  });
  const parameters = toParameters(decision, toCountedColumns(decision));
  const identity = String(parameters[DECISION_COLUMNS.indexOf('identity')]);
  t.is(toRecentAttempt({ ...row, identity }).identity.mailServer, 'hoster.com');
  const without = decisionWith();
  const stored = String(
    toParameters(without, toCountedColumns(without))[DECISION_COLUMNS.indexOf('identity')],
  );
  t.false(stored.includes('mailServer'));
});

test('the style of a decision is read as it was stored', (t) => {
  const identity = '{"ip":"i","site":null,"style":"n.n"}';
  t.is(toRecentAttempt({ ...row, identity }).identity.style, 'n.n');
});
