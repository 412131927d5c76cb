import test from 'ava';
import { toRecentAttempt } from '../../../src/storage/decisions/decision-row.ts';

const row = {
  ...{ id: 1, processed_at: 1_000, scope: 'gate', mailbox: 'm', spelling: 's', domain: 'acme.de' },
  ...{ network: '203.0.113.0/24', template: null, user_agent: null },
  ...{ identity: '{"ip":"i","site":null}', wanted_action: null, risk_level: 'low' },
};

test('a decision that was stored before the styles has none', (t) => {
  t.is(toRecentAttempt(row).identity.style, null);
});

test('the style of a decision is read as it was stored', (t) => {
  const identity = '{"ip":"i","site":null,"style":"n.n"}';
  t.is(toRecentAttempt({ ...row, identity }).identity.style, 'n.n');
});
