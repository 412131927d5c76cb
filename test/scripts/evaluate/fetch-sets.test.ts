import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fetchSets } from '../../../scripts/evaluate/fetch-sets.ts';
import { isFetched } from '../../../scripts/evaluate/public-data.ts';
import { parseCatalogue, readCatalogue } from '../../../scripts/evaluate/set-catalogue.ts';
import { contentOf, hashOf } from '../../../scripts/evaluate/set-content.ts';
import { freePort } from '../../helpers/free-port.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const LINES = '# a comment\nb.example\na.example\n\nb.example\n';
/** `printf 'a.example\nb.example\n' | sha256sum` */
const SHA256 = '8fb9a6ebbf9e0b506b9478b431e6e9dcd34fc2153daea407fc818280551cfed5';

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A catalogue of one set whose address is on that server. */
function catalogueOf(base: string, { sha256 = SHA256, paths = 'list.txt' } = {}) {
  return parseCatalogue(`
base: ${base}
sets:
  some-domains.txt:
    repository: publisher/list
    commit: 0123abc
    paths: [${paths}]
    format: lines
    sha256: "${sha256}"
    licence: MIT
    what: For this test.
`);
}

const options = (folder: string) => ({ folder, pauseMs: 1, timeoutMs: 20_000 });

test('a set is fetched from the address of its commit, checked and kept', async (t) => {
  const asked: (string | undefined)[] = [];
  const base = await serve(t, ({ url }, response) => {
    asked.push(url);
    response.end(LINES);
  });
  const folder = temporaryFolder(t);
  const sets = catalogueOf(base);
  t.deepEqual(await fetchSets(sets, options(folder)), [{ file: 'some-domains.txt', failure: null }]);
  t.deepEqual(asked, ['/publisher/list/0123abc/list.txt']);
  t.is(readFileSync(join(folder, 'some-domains.txt'), 'utf8'), 'b.example\na.example\n');
  t.true(sets.every((set) => isFetched(set, folder)));
  t.false(
    catalogueOf(base, { sha256: '0'.repeat(64) }).every((set) => isFetched(set, folder)),
    'renewed',
  );
});

test('a wrong checksum keeps nothing and names the one that was found', async (t) => {
  const base = await serve(t, (_, response) => response.end(`${LINES}c.example\n`));
  const folder = temporaryFolder(t);
  const [fetched] = await fetchSets(catalogueOf(base), options(folder));
  t.regex(fetched?.failure ?? '', /has the SHA-256 [0-9a-f]{64}, the catalogue says 8fb9a6eb/);
  t.deepEqual(readdirSync(folder), []);
});

test('a truncated file is no file, with and without a length', async (t) => {
  for (const headers of [{ 'content-length': '1000' }, {}]) {
    let requests = 0;
    const base = await serve(t, (_, response) => {
      requests++;
      response.writeHead(200, headers).write('b.example\n', () => response.destroy());
    });
    const folder = temporaryFolder(t);
    const [fetched] = await fetchSets(catalogueOf(base), options(folder));
    t.regex(fetched?.failure ?? '', /list\.txt: the answer breaks off, 3 times$/);
    t.is(requests, 3, 'it is tried again');
    t.deepEqual(readdirSync(folder), []);
  }
});

test('redirects are followed to the end, but not for ever', async (t) => {
  const base = await serve(t, ({ url = '' }, response) => {
    const left = Number(/left=(\d+)/.exec(url)?.[1] ?? 5);
    if (url.includes('loop')) response.writeHead(302, { location: url }).end();
    else if (left > 0) response.writeHead(302, { location: `/moved?left=${left - 1}` }).end('moved');
    else response.end(LINES);
  });
  const folder = temporaryFolder(t);
  t.is((await fetchSets(catalogueOf(base), options(folder)))[0]?.failure, null);
  const [loop] = await fetchSets(catalogueOf(base, { paths: 'loop.txt' }), options(folder));
  t.regex(loop?.failure ?? '', /redirects more than 5 times/);
});

test('a server that fails is asked again, one that has no such file is not', async (t) => {
  let requests = 0;
  const base = await serve(t, ({ url = '' }, response) => {
    requests++;
    if (url.includes('missing')) response.writeHead(404).end();
    else if (requests < 3) response.writeHead(503).end();
    else response.end(LINES);
  });
  const folder = temporaryFolder(t);
  t.is((await fetchSets(catalogueOf(base), options(folder)))[0]?.failure, null);
  requests = 0;
  const [missing] = await fetchSets(catalogueOf(base, { paths: 'missing.txt' }), options(folder));
  t.regex(missing?.failure ?? '', /answers 404$/);
  t.is(requests, 1);
});

test('a server that is too slow, and a redirect to nowhere, are named with their address', async (t) => {
  const base = await serve(t, ({ url = '' }, response) => {
    if (url.includes('slow')) response.writeHead(200).write('a.example\n');
    else if (url.includes('odd')) response.writeHead(302, { location: 'http://[' }).end();
    else response.writeHead(302).end();
  });
  const folder = temporaryFolder(t);
  for (const [paths, failure] of [
    ['slow.txt', /slow\.txt: no complete answer in time, 3 times$/],
    ['odd.txt', /odd\.txt redirects to an invalid address$/],
    ['nowhere.txt', /nowhere\.txt redirects to no address$/],
  ] as const) {
    const [fetched] = await fetchSets(catalogueOf(base, { paths }), { folder, pauseMs: 1, timeoutMs: 300 });
    t.regex(fetched?.failure ?? '', failure);
  }
  t.deepEqual(readdirSync(folder), []);
});

test('a web page, an endless file and bytes that are no text are refused', async (t) => {
  const base = await serve(t, ({ url = '' }, response) => {
    if (url.includes('page')) response.end('<html>Sign in</html>');
    else if (url.includes('binary')) response.end(Buffer.from([0xff, 0xfe, 0x80]));
    else {
      const timer = setInterval(() => response.write('x'.repeat(4_096)), 1);
      response.on('close', () => clearInterval(timer));
    }
  });
  const folder = temporaryFolder(t);
  for (const paths of ['page.txt', 'binary.txt', 'endless.txt']) {
    const sets = catalogueOf(base, { paths });
    const [fetched] = await fetchSets(sets, { ...options(folder), maxBytes: 65_536 });
    t.is(typeof fetched?.failure, 'string', paths);
  }
  t.deepEqual(readdirSync(folder), []);
});

test('without a network each set says so, and the others go on', async (t) => {
  const gone = await serve(t, () => {});
  const folder = temporaryFolder(t);
  const here = await serve(t, (_, response) => response.end(LINES));
  const addresses = ['http://sets.invalid', `http://127.0.0.1:${await freePort()}`, here];
  const fetched = await fetchSets(
    addresses.flatMap((address) => catalogueOf(address)),
    options(folder),
  );
  t.regex(
    fetched[0]?.failure ?? '',
    /sets\.invalid\/.*: the name of the server is not found; is there a network\?, 3 times$/,
  );
  t.regex(fetched[1]?.failure ?? '', /list\.txt: the server refuses the connection, 3 times$/);
  t.is(fetched[2]?.failure, null);
  const [silent] = await fetchSets(catalogueOf(gone), { folder, pauseMs: 1, timeoutMs: 100 });
  t.regex(silent?.failure ?? '', /list\.txt: no complete answer in time, 3 times$/);
});

test('each format gives its items', (t) => {
  const json = JSON.stringify([{ domains: ['a.edu', 'b.edu'] }, { domains: 'c.edu' }, { name: 'none' }]);
  t.is(contentOf({ format: 'json', at: 'domains' }, [json]), 'a.edu\nb.edu\nc.edu\n');
  const csv = 'Domain name,Type\nA.GOV,City\nb.gov,County\n';
  t.is(contentOf({ format: 'csv', at: 1 }, [csv]), 'a.gov\nb.gov\n');
  const exits = 'Fingerprint, IpAddr, Port\nAB, 192.0.2.1, 9001\nAB, 2001:db8::1, 9001\n';
  t.is(contentOf({ format: 'csv', at: 2 }, [exits]), '192.0.2.1\n2001:db8::1\n');
  t.is(contentOf({ format: 'lines', at: null }, ['a\n', 'b']), 'a\nb\n');
  const networks = 'AS64500 # Example Hosting\nAS64501  # Zone 1#2\n# AS64502\nAS64500\n';
  t.is(contentOf({ format: 'lines', at: null }, [networks]), 'AS64500\nAS64501\n');
  t.is(contentOf({ format: 'text', at: null }, ['a: [1]\n']), 'a: [1]\n');
  t.throws(() => contentOf({ format: 'json', at: 'domains' }, ['{"a": 1}']));
});

test('a mistake in the catalogue is named', (t) => {
  t.throws(() => catalogueOf('ftp://example.net'), { message: /base/ });
  t.throws(() => catalogueOf('https://example.net', { sha256: 'short' }), {
    message: /some-domains.txt: sha256/,
  });
});

test('the catalogue names every set that is beside the checkout, with the hash that it has', (t) => {
  const sets = readCatalogue();
  t.is(sets.length, 10);
  for (const set of sets) {
    const path = join(import.meta.dirname, '../../../../shared/data', set.file);
    if (existsSync(path)) t.is(hashOf(set, readFileSync(path, 'utf8')), set.sha256, set.file);
    else t.log(`${set.file} is not beside the checkout`);
  }
});
