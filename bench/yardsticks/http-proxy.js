// http-proxy alone, as its README shows it, with a keep-alive agent. The second argument is the upstream's port.
import { Agent, createServer } from 'node:http';
import httpProxy from 'http-proxy';

const proxy = httpProxy.createProxyServer({
  target: `http://127.0.0.1:${process.argv[3]}`,
  agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  xfwd: true,
});
proxy.on('error', (_error, _request, response) => {
  response.writeHead?.(502);
  response.end();
});

const server = createServer((request, response) => proxy.web(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
