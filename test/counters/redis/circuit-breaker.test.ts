import test from 'ava';
import { createCircuitBreaker } from '../../../src/counters/redis/circuit-breaker.ts';
import { CountersFault } from '../../../src/counters/redis/fault.ts';

test('three failures in a row open it, a success in between does not', (t) => {
  const events: string[] = [];
  const breaker = createCircuitBreaker({
    probe: async () => {},
    onOpened: (because) => events.push(because),
    onClosed: () => events.push('closed'),
  });
  breaker.failed('timeout');
  breaker.failed('timeout');
  breaker.succeeded();
  breaker.failed('timeout');
  breaker.failed('timeout');
  t.is(breaker.openBecause, null);
  breaker.failed('busy');
  breaker.failed('busy');
  t.is(breaker.openBecause, 'busy');
  t.deepEqual(events, ['busy']);
  breaker.close();
});

test('it is probed until the server answers, and says what the last probe met', async (t) => {
  let probes = 0;
  const causes: (string | null)[] = [];
  await new Promise<void>((onClosed) => {
    const breaker = createCircuitBreaker({
      probe: async () => {
        probes++;
        causes.push(breaker.openBecause);
        if (probes < 3) throw new CountersFault('loading');
      },
      onOpened: () => {},
      onClosed,
    });
    for (let i = 0; i < 3; i++) breaker.failed('unreachable');
    // The breaker's own timer does not keep a process up.
    const alive = setInterval(() => breaker.openBecause ?? clearInterval(alive), 10);
  });
  t.is(probes, 3);
  t.deepEqual(causes, ['unreachable', 'loading', 'loading']);
});
