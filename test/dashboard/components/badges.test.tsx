import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import { ActionBadge } from '../../../src/dashboard/components/badges.tsx';

const textOf = (props: Parameters<typeof ActionBadge>[0]) =>
  renderToString(<ActionBadge {...props} />).replace(/<[^>]*>/g, '');

test('an action is shown by its word, with the wanted action if it differs', (t) => {
  const enforced = { mode: 'enforce' } as const;
  t.is(textOf({ ...enforced, action: 'forward', wantedAction: 'forward' }), 'let in');
  t.is(textOf({ ...enforced, action: 'verify', wantedAction: 'verify' }), 'verification');
  t.is(textOf({ ...enforced, action: 'block', wantedAction: 'block' }), 'refused');
  t.is(textOf({ ...enforced, action: 'block', wantedAction: 'verify' }), 'refused (wanted: verification)');
});

test('in monitor mode, the badge says what enforce mode would do', (t) => {
  const monitored = { mode: 'monitor', action: 'forward' } as const;
  t.is(textOf({ ...monitored, wantedAction: 'forward' }), 'let in (monitor)');
  t.is(textOf({ ...monitored, wantedAction: 'verify' }), 'let in (monitor: would verify)');
  t.is(textOf({ ...monitored, wantedAction: 'block' }), 'let in (monitor: would refuse)');
});

test('a decision of the API has no action', (t) => {
  t.is(textOf({ mode: null, action: null, wantedAction: null }), 'scored only');
});
