import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { spawnServe } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { exchange } from '../http/raw-client.ts';

const MALFORMED: Readonly<Record<string, string>> = {
  'two lengths of the body': 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
  'an encoding after chunked': 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'a control character in a header': 'X-Name: a\u0001b\r\nContent-Length: 0\r\n\r\n',
  'a bare line feed': 'Content-Length: 0\n\r\n',
};

test('malformed requests are refused also when NODE_OPTIONS asks for the lenient parser', async (t) => {
  const folder = temporaryFolder(t);
  const config = 'api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\n';
  await writeFile(join(folder, 'gatekeeper.yaml'), config);
  const running = await spawnServe(t, folder, ['serve'], { NODE_OPTIONS: '--insecure-http-parser' });
  const port = Number(new URL(running.url).port);
  for (const [what, rest] of Object.entries(MALFORMED)) {
    const { answers, end } = await exchange(port, `POST /score-signup HTTP/1.1\r\nHost: x\r\n${rest}`);
    t.is(answers[0]?.status, 400, what);
    t.is(end, 'closed', what);
  }
});
