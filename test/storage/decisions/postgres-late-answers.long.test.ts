import { aggregateAll, countAll } from '../rollups/rollup-fixture.ts';
import { answerOf, decisionWith, entryOf, NOON } from './decision-fixture.ts';
import { openNodes, pick, reopen, rowsOf, testPostgres } from './postgres-nodes.ts';

testPostgres(
  'an answer that waited too long is an error and counts nothing, a decision of the gate stays',
  async (t) => {
    for (const fault of ['refuse', 'silent'] as const) {
      const nodes = await openNodes(t, 1, 2);
      const { storage, proxy } = pick(nodes, 0);
      const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
      await storage.ledger.commit(entryOf(account));
      await proxy.set(fault);
      const late = entryOf(account);
      const ofGate = decisionWith({ door: 'gate', route: 'web' });
      const recording = storage.decisions.record(ofGate);
      await t.throwsAsync(storage.ledger.commit(late), { name: 'StorageBusyError' }, fault);
      await proxy.set('pass');
      t.is(await recording, ofGate.requestId);
      const after = await reopen(t, nodes);
      t.is(await after.decisions.find(late.decision.requestId, account.id), null);
      t.is((await after.quotas.usage(account.id, NOON)).used, 1);
      t.is((await rowsOf(after)).size, 2);
      t.is(storage.ledger.queueLength(), 0);
    }
  },
);

testPostgres(
  'what was written after its caller got an error is taken back with all its counts',
  async (t) => {
    const nodes = await openNodes(t, 2);
    const [{ storage, proxy }, other] = [pick(nodes, 0), pick(nodes, 1)];
    const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
    await storage.ledger.commit(entryOf(account));
    // The server writes it, and its answer comes too late.
    proxy.delay(60_000);
    const late = entryOf(account, {}, { answer: answerOf('late') });
    await t.throwsAsync(storage.ledger.commit(late), { name: 'StorageBusyError' });
    t.is((await other.storage.quotas.usage(account.id, NOON)).used, 2);
    proxy.delay(0);
    const next = entryOf(account);
    t.like(await storage.ledger.commit(next), { granted: true });
    await storage.ledger.commit(entryOf(account));
    t.is(await other.storage.ledger.findAnswer(account.id, 'late', NOON), null);
    t.is(await other.storage.decisions.find(late.decision.requestId, account.id), null);
    t.is((await other.storage.quotas.usage(account.id, NOON)).used, 3);
    await aggregateAll(other.storage);
    t.is(await countAll(other.storage), 3);
  },
);

testPostgres(
  'what was written after its caller got an error stays, when the caller has repeated its request and has the answer',
  async (t) => {
    const nodes = await openNodes(t, 2);
    const [{ storage, proxy }, other] = [pick(nodes, 0), pick(nodes, 1)];
    const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
    await storage.ledger.commit(entryOf(account));
    proxy.delay(60_000);
    const late = entryOf(account, {}, { answer: answerOf('repeated') });
    const alone = entryOf(account, {}, { answer: answerOf('alone') });
    const given = [late, alone].map((entry) =>
      t.throwsAsync(storage.ledger.commit(entry), { name: 'StorageBusyError' }),
    );
    await Promise.all(given);
    const { requestId } = late.decision;
    for (let repeats = 0; repeats < 2; repeats++)
      t.like(await other.storage.ledger.findAnswer(account.id, 'repeated', NOON), { requestId });
    proxy.delay(0);
    await storage.ledger.commit(entryOf(account));
    await storage.ledger.commit(entryOf(account));
    t.like(await other.storage.ledger.findAnswer(account.id, 'repeated', NOON), { requestId });
    t.truthy(await other.storage.decisions.find(requestId, account.id));
    t.is(await other.storage.decisions.find(alone.decision.requestId, account.id), null);
    t.is((await other.storage.quotas.usage(account.id, NOON)).used, 4);
    await aggregateAll(other.storage);
    t.is(await countAll(other.storage), 4);
  },
);
