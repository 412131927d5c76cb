import { gzipSync } from 'node:zlib';
import test from 'ava';
import { FeedError } from '../../src/datasets/feed-error.ts';
import { type FetchFeedOptions, fetchFeed } from '../../src/datasets/fetch-feed.ts';
import { serveFeed } from '../helpers/feed-server.ts';

const options: FetchFeedOptions = { validators: null, signal: new AbortController().signal };

test('a feed is fetched with its validators, and they are sent the next time', async (t) => {
  const { origin, requests } = await serveFeed(t, (request, response) => {
    if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
    else
      response
        .writeHead(200, { etag: '"v1"', 'last-modified': 'Sat, 21 Nov 2026 03:00:00 GMT' })
        .end('a.com');
  });
  const first = await fetchFeed(`${origin}/list`, options);
  t.deepEqual(first, {
    state: 'fetched',
    body: 'a.com',
    etag: '"v1"',
    lastModified: 'Sat, 21 Nov 2026 03:00:00 GMT',
  });
  const validators = { etag: '"v1"', lastModified: 'Sat, 21 Nov 2026 03:00:00 GMT' };
  t.deepEqual(await fetchFeed(`${origin}/list`, { ...options, validators }), { state: 'unchanged' });
  t.is(requests[1]?.headers['if-modified-since'], validators.lastModified);
});

test('redirects are followed, five and no more', async (t) => {
  const { origin } = await serveFeed(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('a.com');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  t.is((await fetchFeed(`${origin}/5`, options)).state, 'fetched');
  await t.throwsAsync(fetchFeed(`${origin}/6`, options), {
    instanceOf: FeedError,
    message: /more than 5 times/,
  });
});

test('user and password of the url go to its own origin, and to no other it redirects to', async (t) => {
  const other = await serveFeed(t, (_, response) => response.end('a.com'));
  const { origin, requests } = await serveFeed(t, (_, response) =>
    response.writeHead(302, { location: `${other.origin}/list` }).end(),
  );
  await fetchFeed(origin.replace('://', '://me:p%40ss@'), options);
  t.is(requests[0]?.headers.authorization, `Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  t.is(other.requests[0]?.headers.authorization, undefined);
});

test('a body larger than the bound is refused, compressed or endless', async (t) => {
  const { origin } = await serveFeed(t, (request, response) => {
    if (request.url === '/bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2_000_000, 'a')));
      return;
    }
    const write = () => {
      while (!response.destroyed && response.write('a'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  });
  for (const path of ['/bomb', '/endless']) {
    await t.throwsAsync(fetchFeed(origin + path, { ...options, maxBytes: 1_000_000 }), {
      instanceOf: FeedError,
      message: 'It is larger than 1000000 bytes.',
    });
  }
});

test('a fetch from a server without an answer, or with an incomplete one, ends after the time limit', async (t) => {
  const { origin } = await serveFeed(t, (request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'content-length': '100' }).write('a.com');
  });
  for (const path of ['/silent', '/half']) {
    await t.throwsAsync(fetchFeed(origin + path, { ...options, timeoutMs: 100 }), {
      instanceOf: FeedError,
      // Which of the two bounds is seen first depends on how busy the machine is.
      message: /^It did not arrive within 100 ms\.$|HEADERS_TIMEOUT|BODY_TIMEOUT/,
    });
  }
});

test('a download that breaks off is no feed', async (t) => {
  const { origin } = await serveFeed(t, (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('a.com\n', () => response.destroy());
  });
  await t.throwsAsync(fetchFeed(origin, options), { instanceOf: FeedError, message: /could not be fetched/ });
});

test('a failure is described in a few words', async (t) => {
  const { origin } = await serveFeed(t, (request, response) => {
    if (request.url === '/ftp') response.writeHead(301, { location: 'ftp://192.0.2.1/list' }).end();
    else response.writeHead(request.url === '/304' ? 304 : 404).end();
  });
  const failures: [url: string, message: string][] = [
    [`${origin}/missing`, 'The server answered 404.'],
    [`${origin}/304`, 'The server answered 304.'],
    [`${origin}/ftp`, 'It redirects to ftp:. Such redirects are not followed.'],
    ['http://127.0.0.1:1/list', 'It could not be fetched: bad port.'],
  ];
  for (const [url, message] of failures) await t.throwsAsync(fetchFeed(url, options), { message }, url);
});

test('a stopped fetch reports that it was stopped', async (t) => {
  const controller = new AbortController();
  const { origin } = await serveFeed(t, () => controller.abort());
  await t.throwsAsync(fetchFeed(origin, { ...options, signal: controller.signal }), {
    message: 'It was stopped.',
  });
});
