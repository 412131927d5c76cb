// The app behind the proxies: bare Node, so that it costs as little as can be.
import { createServer } from 'node:http';

const small = Buffer.from('{"hello":"world"}');
const tenKilobytes = Buffer.alloc(10_240, 'a');
const STREAM_BYTES = 100_000_000;
const piece = Buffer.alloc(65_536, 'b');

function answer(response, body) {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

/** As much as is taken, and no more: what piles up on the way is the proxy's. */
function stream(response) {
  response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': STREAM_BYTES });
  let left = STREAM_BYTES;
  const send = () => {
    while (left > 0) {
      const next = piece.subarray(0, Math.min(piece.length, left));
      left -= next.length;
      if (!response.write(next)) {
        response.once('drain', send);
        return;
      }
    }
    response.end();
  };
  send();
}

const server = createServer((request, response) => {
  if (request.url === '/stream') {
    stream(response);
    return;
  }
  const body = request.url === '/10k' ? tenKilobytes : small;
  request.resume().on('end', () => answer(response, body));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
