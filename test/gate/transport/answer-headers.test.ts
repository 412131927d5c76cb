import test from 'ava';
import { answerHeaders, cleanReason } from '../../../src/gate/transport/header-fields.ts';

const raw = (...texts: string[]) => texts.map((text) => Buffer.from(text, 'latin1'));

test('an answer keeps its fields in case, order and repetition, and names the proxy', (t) => {
  const sent = ['SET-Cookie', 'a=1', 'X-b', 'caf\u00e9', 'set-cookie', 'b=2', 'Content-Length', '12'];
  t.deepEqual(answerHeaders(raw(...sent), 200), { headers: [...sent, 'Via', '1.1 gatekeeper'], length: 12 });
});

test('fields for the hop behind the gate are not forwarded', (t) => {
  const answer = answerHeaders(
    raw(
      ...[
        'Connection',
        'close, X-Hop, Set-Cookie',
        'X-Hop',
        '1',
        'Keep-Alive',
        'timeout=77',
        'Set-Cookie',
        'a=1',
      ],
      ...[
        'Proxy-Authenticate',
        'Basic',
        'Trailer',
        'X-Sum',
        'Transfer-Encoding',
        'chunked',
        'Upgrade',
        'h2c',
        'TE',
        'x',
      ],
    ),
    200,
  );
  t.deepEqual(answer?.headers, ['Set-Cookie', 'a=1', 'Via', '1.1 gatekeeper']);
  t.is(answer?.length, null);
});

test('a body in a transfer coding that was not undone is not passed on', (t) => {
  t.is(answerHeaders(raw('Transfer-Encoding', 'gzip, chunked'), 200), null);
  t.is(answerHeaders(raw('Transfer-Encoding', 'identity'), 200), null);
  t.not(answerHeaders(raw('Transfer-Encoding', 'Chunked'), 200), null);
});

test('204 carries no length', (t) => {
  t.deepEqual(answerHeaders(raw('Content-Length', '0'), 204)?.headers, ['Via', '1.1 gatekeeper']);
});

test('a reason phrase is reduced to the characters that every reader accepts', (t) => {
  t.is(cleanReason('Fine\u0000 and\r\n d\u00e4ndy\u007f'), 'Fine and dndy');
});
