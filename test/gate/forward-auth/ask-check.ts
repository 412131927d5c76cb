import type { ExecutionContext } from 'ava';
import { exchange } from '../../http/raw-client.ts';
import { type GateServer, type GateServerOptions, openGateServer } from '../gate-server.ts';

export const TOKEN = '0123456789abcdef0123456789abcdef';
export const ASK = `/.gatekeeper/check/${TOKEN}`;
const TRUSTED = { trusted_proxies: ['127.0.0.1'], forward_auth: TOKEN };
export const FORM = 'application/x-www-form-urlencoded';
export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

export function openChecks(t: ExecutionContext, options: GateServerOptions = {}): Promise<GateServer> {
  return openGateServer(t, { ...options, proxy: { ...TRUSTED, ...options.proxy } });
}

/** As nginx and Envoy ask: the original target behind the token, with the original method and body. */
export function ask({ url }: GateServer, target: string, question: Question = {}): Promise<Response> {
  const { method = 'POST', headers = {}, body = 'email=ada%40company.example' } = question;
  return fetch(`${url}${ASK}${target}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': FORM, ...headers },
    body: method === 'GET' ? null : body,
  });
}

/** As Traefik asks: a GET with the original body, and the original request in header fields. */
export async function askByHeaders(
  { port }: GateServer,
  fields: readonly string[],
  body = 'email=ada%40company.example',
) {
  const head = [
    `GET ${ASK} HTTP/1.1`,
    'Host: gate.internal:8000',
    `Content-Type: ${FORM}`,
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
  ];
  const { answers } = await exchange(port, `${[...head, ...fields].join('\r\n')}\r\n\r\n${body}`, {
    answers: 1,
  });
  return answers[0] ?? { status: 0, headers: {}, body: '' };
}

/** The fields of a proxy for a signup at this target. */
export const signup = (uri: string) => [
  `X-Forwarded-Method: POST`,
  `X-Forwarded-Uri: ${uri}`,
  'X-Forwarded-Host: app.example',
];
