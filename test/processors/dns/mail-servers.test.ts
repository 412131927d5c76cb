import test from 'ava';
import type { MailExchangeVerdict } from '../../../src/processors/dns/mail-exchange.ts';
import { createMailServers } from '../../../src/processors/dns/mail-servers.ts';
import { attemptOf } from '../velocity/attempts.ts';

const attempt = attemptOf({ email: 'anna@river.de', ip: '81.1.0.1', at: 0 });
const at = (server: string | null): MailExchangeVerdict => ({ finding: null, incomplete: null, server });

test('what was asked for one attempt is known for this one only', (t) => {
  const servers = createMailServers();
  servers.note(attempt, at('hoster.com'));
  t.is(servers.of(attempt), 'hoster.com');
  t.is(servers.of(attemptOf({ email: 'anna@river.de', ip: '81.1.0.1', at: 0 })), null);
});

test('a server that is still asked for is a promise, which never rejects', async (t) => {
  const servers = createMailServers();
  servers.note(attempt, Promise.resolve(at('hoster.com')));
  t.is(await servers.of(attempt), 'hoster.com');
  servers.note(attempt, Promise.reject(new Error('the resolver is broken')));
  t.is(await servers.of(attempt), null);
});
