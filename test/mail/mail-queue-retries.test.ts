import { mock } from 'node:test';
import test from 'ava';
import type { Mail } from '../../src/mail/mail.ts';
import { createMailQueue } from '../../src/mail/mail-queue.ts';
import { MailError } from '../../src/mail/mailer.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

const log = createLogger({ level: 'silent', format: 'json' });
const mail: Mail = { recipient: 'jane@example.com', subject: 'Code', text: '012345', html: '<p>012345</p>' };

// The only test of its file: it replaces the timers of the process.
test('a server that refuses the first tries for five minutes gets the mail', async (t) => {
  // Greylisting: Postgrey waits for 300 s.
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let [seconds, triedAt] = [0, -1];
  const ids = new Set<string | undefined>();
  const mailer = {
    async send({ id }: Mail) {
      ids.add(id);
      triedAt = seconds;
      if (seconds < 300) throw new MailError(false, 'EENVELOPE 451');
    },
    close() {},
  };
  const queue = createMailQueue({ mailer, log });
  let result = '';
  queue.add(mail, (how) => {
    result = how;
  });
  for (; seconds < 600 && result === ''; seconds++) {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(1_000);
  }
  t.is(result, 'sent');
  t.true(triedAt >= 300 && triedAt <= 360, `${triedAt} s`);
  t.is(ids.size, 1);
  t.false(ids.has(undefined));
});
