import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { StorageAwayError, StorageBusyError } from '../../src/storage/storage-error.ts';
import { type IpcEnd, openChannel } from '../../src/workers/channel.ts';

interface Answers {
  double(count: number): number;
  fail(how: 'busy' | 'config' | 'system'): never;
  wait(nothing: null): Promise<void>;
}

/** Two ends whose messages are copied as between processes. */
function openPair(t: ExecutionContext) {
  const { port1, port2 } = new MessageChannel();
  const endOf = (port: typeof port1) => {
    const events = new EventEmitter();
    port.on('message', (message) => events.emit('message', message));
    const end: IpcEnd = {
      send(message) {
        port.postMessage(message);
        return true;
      },
      on: (event, listener) => events.on(event, listener),
      once: (event, listener) => events.once(event, listener),
    };
    return { end, lose: () => events.emit('disconnect') };
  };
  t.teardown(() => port1.close());
  return [endOf(port1), endOf(port2)] as const;
}

function open(t: ExecutionContext) {
  const [near, far] = openPair(t);
  openChannel<Record<never, never>>(far.end, {
    double: (count: number) => count * 2,
    fail(how: 'busy' | 'config' | 'system') {
      if (how === 'busy') throw new StorageBusyError('locked');
      const issue = { path: 'workers', line: 1, column: 1, message: 'wrong', hint: null };
      if (how === 'config') throw new ConfigError([issue], 'a.yaml');
      throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
    },
    wait: () => new Promise(() => {}),
  });
  return { near, channel: openChannel<Answers>(near.end, {}) };
}

test('each call gets its own answer, whatever the order', async (t) => {
  const { channel } = open(t);
  const answers = await Promise.all([3, 1, 2].map((count) => channel.call('double', count)));
  t.deepEqual(answers, [6, 2, 4]);
});

test('an error keeps its class, its code and its message', async (t) => {
  const { channel } = open(t);
  await t.throwsAsync(channel.call('fail', 'busy'), { instanceOf: StorageBusyError, message: 'locked' });
  const config = await t.throwsAsync(channel.call('fail', 'config'), { instanceOf: ConfigError });
  t.is(config?.issues[0]?.path, 'workers');
  t.is((await t.throwsAsync<NodeJS.ErrnoException>(channel.call('fail', 'system')))?.code, 'EADDRINUSE');
});

test('a function as answer is called once the answer is sent, and not when it cannot be sent', async (t) => {
  const events = new EventEmitter();
  const sent: { settle(error: Error | null): void }[] = [];
  let served = 0;
  openChannel<Record<never, never>>(
    {
      send(_message, _socket, _options, callback) {
        sent.push({ settle: callback });
        return true;
      },
      on: (event, listener) => events.on(event, listener),
      once: (event, listener) => events.once(event, listener),
    },
    { take: () => () => served++ },
  );
  for (const [id, error] of [null, new Error('EPIPE')].entries()) {
    events.emit('message', { kind: 'call', id, name: 'take', argument: null });
    while (sent.length <= id) await new Promise((resolve) => setImmediate(resolve));
    t.is(served, id, 'the answer is still on its way');
    sent[id]?.settle(error);
    t.is(served, 1);
  }
});

test('calls fail when the other process has ended, those that wait and those that come later', async (t) => {
  const { near, channel } = open(t);
  const waiting = channel.call('wait', null);
  near.lose();
  await t.throwsAsync(waiting, { instanceOf: StorageAwayError });
  await t.throwsAsync(channel.call('double', 1), { instanceOf: StorageAwayError });
});
