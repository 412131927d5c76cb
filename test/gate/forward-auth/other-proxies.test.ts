import test from 'ava';
import { decodeJwt } from 'jose';
import { exchange } from '../../http/raw-client.ts';
import { openGateServer } from '../gate-server.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const PROXY = { trusted_proxies: ['127.0.0.1'], forward_auth: TOKEN };
const BODIES = {
  passes: '{"email":"ada@company.example"}',
  isRefused: '{"email":"high@company.example"}',
};

/** https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/forwardauth/, with `forwardBody`. */
const asTraefik = (uri: string, body: string) =>
  [
    `GET /.gatekeeper/check/${TOKEN} HTTP/1.1`,
    'Host: 127.0.0.1:8000',
    'User-Agent: Mozilla/5.0',
    `Content-Length: ${body.length}`,
    'Accept: application/json',
    'Accept-Encoding: gzip, deflate, br',
    'Content-Type: application/json',
    'X-Forwarded-For: 203.0.113.7',
    'X-Forwarded-Host: app.example',
    'X-Forwarded-Method: POST',
    'X-Forwarded-Port: 443',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Server: edge-1',
    `X-Forwarded-Uri: ${uri}`,
    'X-Real-Ip: 203.0.113.7',
    '',
    body,
  ].join('\r\n');

/** https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/ext_authz_filter, with `path_prefix`. */
const asEnvoy = (uri: string, body: string) =>
  [
    `POST /.gatekeeper/check/${TOKEN}${uri} HTTP/1.1`,
    'host: app.example',
    `content-length: ${body.length}`,
    'user-agent: Mozilla/5.0',
    'accept: application/json',
    'content-type: application/json',
    'x-forwarded-for: 6.6.6.6,203.0.113.7',
    'x-forwarded-proto: https',
    'x-envoy-internal: true',
    'x-envoy-auth-partial-body: false',
    'x-request-id: 5b2a1c7e-3d44-4f0a-9d56-0a7d1ad0b1c2',
    '',
    body,
  ].join('\r\n');

for (const [proxy, write] of Object.entries({ Traefik: asTraefik, Envoy: asEnvoy })) {
  test(`a check as ${proxy} writes it: the signup is judged as if it came to the gate`, async (t) => {
    const server = await openGateServer(t, { proxy: PROXY });
    const ask = async (uri: string, body: string) =>
      (await exchange(server.port, write(uri, body), { answers: 1 })).answers[0];
    for (const uri of ['/signup?plan=free', '/Sign%75p;x', '//signup']) {
      const allowed = await ask(uri, BODIES.passes);
      // Envoy takes any other status of 2xx as a refusal.
      t.is(allowed?.status, 200, uri);
      t.like(decodeJwt(allowed?.headers['x-gatekeeper-assertion'] ?? ''), { method: 'POST', path: uri });
      const refused = await ask(uri, BODIES.isRefused);
      t.is(refused?.status, 403, uri);
      t.is(JSON.parse(refused?.body ?? '').code, 'signup_refused');
    }
    const other = await ask('/login', BODIES.isRefused);
    t.is(other?.status, 200);
    t.deepEqual(
      Object.keys(other?.headers ?? {}).filter((name) => name.startsWith('x-gatekeeper')),
      [],
    );
    t.deepEqual([...new Set(server.judged.map(({ ip }) => ip?.text))], ['203.0.113.7']);
    t.is(server.upstream.connections, 0);
  });
}
