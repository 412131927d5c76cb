import test from 'ava';
import { REASONS } from '../../../src/assessment/reasons.ts';
import { customerText } from '../../../src/dashboard/decisions/customer-text.ts';
import { referenceOf } from '../../../src/http/reference.ts';
import { OUTCOMES } from '../../../src/storage/decisions/search/decision-filter.ts';

const decided = {
  requestId: '01a20341-1768-7fa6-827d-d49011668114',
  processedAt: Date.UTC(2026, 10, 22, 12, 35, 27),
} as const;

test('the reply to a customer has the time and the reference, and says what to do next', (t) => {
  const text = customerText({ ...decided, action: 'verify', outcome: null });
  t.true(text.includes('2026-11-22 at 12:35 UTC'));
  t.true(text.includes(referenceOf(decided.requestId) ?? ''));
  t.false(text.includes(decided.requestId), 'the short name is enough');
  t.regex(text, /Open the mail/);
  t.regex(customerText({ ...decided, action: 'verify', outcome: 'expired' }), /Sign up again/);
  t.regex(customerText({ ...decided, action: 'block', outcome: null }), /check it again/);
});

test('the reply to a customer has no reason and no score', (t) => {
  for (const action of ['forward', 'verify', 'block', null] as const) {
    for (const outcome of [...OUTCOMES, null, 'of a newer version']) {
      const text = customerText({ ...decided, action, outcome });
      for (const code of Object.keys(REASONS)) t.false(text.includes(code), `${action} ${outcome} ${code}`);
      t.notRegex(text, /score|risk|reason|proxy|VPN|Tor|browser|network|disposable|throwaway/i);
    }
  }
});
