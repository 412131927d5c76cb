// Handlers that never look at the method, behind a router that is as lenient as any: formats, lists of procedures, a path
// in the query, and a method in whatever body or query.
import { createServer } from 'node:http';
import { report } from '../report.js';

const ROUTING = ['rest_route', 'pagename', 'q', 'r', 'route', 's', 'url', '_url', '_route_'];

function pathsOf(url) {
  const paths = [url.pathname];
  if (/^\/(?:.*\/)?(?:(?:index|app|main)\.(?:php|cgi))?$/.test(url.pathname)) {
    const query = url.search.slice(1);
    if (query.startsWith('/')) paths.push(query.split('&')[0]);
    for (const name of ROUTING) paths.push(`/${(url.searchParams.get(name) ?? '').replace(/^\//, '')}`);
  }
  return paths.map((path) => decodeURIComponent(path));
}

function isSignup(path) {
  const [, folder, last] = /^(.*\/)([^/]*)\/?$/.exec(path) ?? [];
  return (last ?? '').split(',').some((name) => {
    const procedure = `${folder}${name}`;
    return /^\/(?:signup|join)(?:\.|$)/.test(procedure) || procedure === '/trpc/auth.signup';
  });
}

function fieldsOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const url = new URL(request.url, 'http://app');
    const { email, _method: field } = fieldsOf(body);
    const method = (field ?? url.searchParams.get('_method') ?? request.method).toUpperCase();
    const isOurs = pathsOf(url).some(isSignup);
    // One handler runs for any method, the other for what says it is a POST.
    if (isOurs && (email !== undefined || method === 'POST'))
      response.setHeader('X-App', report(request.headers, email));
    response.writeHead(isOurs ? 201 : 404).end('done');
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
