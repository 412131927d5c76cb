import test from 'ava';
import { drive } from '../../bench/drive.ts';
import { isInstalled, openPeer, PEERS } from '../../bench/peers.ts';
import { GET_10_KB, GET_SMALL, POST_64_KB } from '../../bench/requests.ts';
import { openUpstream } from '../../bench/workshop.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('every peer is configured with its own address and the address of the app', (t) => {
  for (const peer of PEERS) {
    const text = peer.configure({ listen: 4711, upstream: 4712 });
    t.regex(text, /127\.0\.0\.1:4711/, peer.name);
    t.regex(text, /127\.0\.0\.1:4712/, peer.name);
  }
});

// The benchmark itself reports the missing ones.
for (const peer of PEERS.filter(isInstalled)) {
  test(`${peer.name} starts with our configuration and passes everything through`, async (t) => {
    const upstream = await openUpstream();
    t.teardown(() => upstream.stop());
    const server = await openPeer(peer, temporaryFolder(t), upstream.port);
    t.teardown(() => server.stop());
    const requests = [GET_SMALL, GET_10_KB, POST_64_KB];
    const { statuses } = await drive({ port: server.port, requests, count: 300, connections: 8 });
    t.deepEqual(statuses, { 200: 300 });
  });
}
