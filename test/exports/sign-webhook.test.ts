import { randomBytes } from 'node:crypto';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from '../../src/exports/sign-webhook.ts';

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`;

test('the library of Standard Webhooks accepts the signature of any secret', (t) => {
  const secrets = [newSecret(24), newSecret(64), newSecret()];
  const body = JSON.stringify({ text: 'ünïcode \u2028 "quotes"' });
  const headers = signWebhook({ id: 'msg_1', body }, secrets, Date.now());
  for (const secret of secrets) t.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  t.throws(() => new Webhook(newSecret()).verify(body, headers));
  t.throws(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers));
  t.throws(() => new Webhook(secrets[0] ?? '').verify(body, { ...headers, 'webhook-id': 'msg_2' }));
});

test('a message of ten minutes ago is refused by the library, so every try is signed anew', (t) => {
  const secret = newSecret();
  const headers = signWebhook({ id: 'msg_1', body: '{}' }, [secret], Date.now() - 600_000);
  t.throws(() => new Webhook(secret).verify('{}', headers), { message: /too old/ });
});

test('the example of the standard has the signature of the standard', (t) => {
  // https://github.com/standard-webhooks/standard-webhooks, the test vector of its libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signWebhook(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
    [secret],
    1_614_265_330_000,
  );
  t.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
