import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { budgetedMailbox } from '../../src/assessment/budgeted-mailbox.ts';
import { createPseudonymizer, identifyMailbox } from '../../src/assessment/identity.ts';
import { erase } from '../../src/cli/erase.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { decisionWith, NOON } from '../storage/decisions/decision-fixture.ts';

const pseudonymize = createPseudonymizer('a secret of the test');

async function prepare(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-erase-'));
  const records = await openDatabase(`${folder}/gatekeeper.db`, () => NOON);
  t.teardown(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  const said: string[] = [];
  const complaints: string[] = [];
  const context = {
    records,
    pseudonymize,
    write: (text: string) => said.push(text),
    writeError: (text: string) => complaints.push(text),
  };
  const record = async (address: string) => {
    const mailbox = parseMailbox(address);
    if (!mailbox) throw new Error(`${address} is no mailbox`);
    const identity = { ...decisionWith().identity, ...identifyMailbox(mailbox, pseudonymize) };
    await records.decisions.record(decisionWith({ identity }));
  };
  const left = async () => {
    let count = 0;
    for await (const _ of records.decisions.recent(0)) count += 1;
    return count;
  };
  const files = ['', '-wal', '-shm'].map((end) => `${folder}/gatekeeper.db${end}`);
  return { context, said, complaints, record, left, files };
}

test('every spelling of a mailbox is erased, and no other mailbox', async (t) => {
  const { context, said, record, left } = await prepare(t);
  for (const address of ['jane.doe@gmail.com', 'JaneDoe+shop@googlemail.com', 'janedoe@gmail.com']) {
    await record(address);
  }
  await record('jane.doe@example.com');
  t.is(await erase(' Jane.Doe@GMAIL.com ', context), 0);
  t.deepEqual(said, ['Erased 3 decisions about this mailbox.\n']);
  t.is(await left(), 1);
  t.is(await erase('jane.doe@gmail.com', context), 0);
  t.is(said[1], 'Erased 0 decisions about this mailbox.\n');
});

test('an invalid address is an error of the user', async (t) => {
  const { context, complaints, said } = await prepare(t);
  for (const text of ['', 'jane', 'a@b', '* OR 1=1', 'a@b@c']) t.is(await erase(text, context), 1, text);
  t.is(said.length, 0);
  t.true(complaints.every((complaint) => complaint === 'This is not an email address.\n'));
});

test('a denied mailbox stays denied under its pseudonym without its typed text', async (t) => {
  const { context } = await prepare(t);
  const mailbox = parseMailbox('jane.doe@gmail.com');
  if (!mailbox) throw new Error('no mailbox');
  const { mailbox: value } = identifyMailbox(mailbox, pseudonymize);
  const { listEntries } = context.records;
  const entry = { list: 'deny', kind: 'mailbox', value, typed: 'Jane.Doe@gmail.com', note: 'jane' } as const;
  const audit = { at: NOON, actorId: null, actorName: 'a test', subject: 'a mailbox', detail: {} };
  await listEntries.put([{ ...entry, expiresAt: null }], { ...audit, act: 'list.entry_added' });
  t.is(await erase('janedoe+news@googlemail.com', context), 0);
  const [left] = await listEntries.page({ after: null, limit: 1, filter: {} });
  t.like(left, { value, typed: null, note: null });
});

const SPELLINGS = ['jane.doe@gmail.com', 'JaneDoe+shop@googlemail.com', 'janedoe@gmail.com'];
const OTHER = 'someone.else@company.example';
const BUDGETS = { mailbox: 99, origin: 99, site: 999 };

/** Stores the address in every place that can hold it. */
async function leaveTraces({ records }: { records: Storage }, address: string, n: number): Promise<void> {
  const mailbox = parseMailbox(address);
  if (!mailbox) throw new Error('no mailbox');
  const hashes = identifyMailbox(mailbox, pseudonymize);
  const keys = { mailbox: pseudonymize(`mail budget ${budgetedMailbox(mailbox)}`), origin: `origin ${n}` };
  const account = await records.accounts.create({ name: `shop ${n}`, plan: 'pro' });
  const ofApi = { accountId: account.id, keyId: 'k', scope: account.id };
  const plain = { email: address, ip: '203.0.113.9', userAgent: null };
  const decision = decisionWith({ ...ofApi, identity: { ...decisionWith().identity, ...hashes }, plain });
  const answer = { idempotencyKey: `signup of ${address}`, bodySha256: 'b', body: `{"email":"${address}"}` };
  await records.ledger.commit({ ...ofApi, limit: null, decision, answer });
  const refused = { door: 'gate', route: 'web', action: 'block', mode: 'enforce' } as const;
  for (let i = 0; i < 9; i++) {
    const { identity } = decision;
    await records.decisions.record(decisionWith({ ...refused, identity, plain }));
  }
  await records.users.invite({ email: address, role: 'member', plan: 'hobby' });
  const token = { id: `token ${n}`, kind: 'registration', accountId: null, email: address } as const;
  await records.accountTokens.createForMail({ ...token, lifetimeMs: 60_000 }, { keys, budgets: BUDGETS });
  const audit = { at: NOON + n, actorId: null, actorName: address, act: 'account.invited' } as const;
  await records.audit.record({ ...audit, subject: `${address} (1234)`, detail: { for: address, role: 'x' } });
  const noted = { list: 'deny', kind: 'domain', typed: null, expiresAt: null } as const;
  await records.listEntries.put([{ ...noted, value: `bad${n}.example`, note: `because of ${address}.` }], {
    ...audit,
    act: 'list.entry_added',
    subject: 'a domain',
    detail: {},
  });
}

test('no file keeps data of an erased person, and data of others stays', async (t) => {
  const { context, said, complaints, files } = await prepare(t);
  for (const [n, address] of [...SPELLINGS, OTHER].entries()) await leaveTraces(context, address, n);
  const trace = (text: string) =>
    files.filter((file) => existsSync(file) && readFileSync(file).toString('latin1').includes(text));
  const mailbox = parseMailbox('jane.doe@gmail.com');
  if (!mailbox) throw new Error('no mailbox');
  const traces = [
    ...SPELLINGS,
    ...SPELLINGS.map((address) => address.split('@')[0] ?? ''),
    identifyMailbox(mailbox, pseudonymize).mailbox,
    pseudonymize(`mail budget ${budgetedMailbox(mailbox)}`),
    ...SPELLINGS.flatMap((address) => {
      const read = parseMailbox(address);
      return read ? identifyMailbox(read, pseudonymize).spelling : [];
    }),
  ];
  for (const text of traces) t.not(trace(text).length, 0, text);
  const kept = trace(OTHER).length;

  t.is(await erase('j.a.n.e.doe+x@gmail.com', context), 0, complaints.join());
  t.regex(said[0] ?? '', /^Erased \d+ decisions about this mailbox\.\n$/);
  t.true(complaints.some((line) => line.includes('account of this mailbox was closed')));
  for (const text of traces) t.deepEqual(trace(text), [], text);
  t.is(trace(OTHER).length > 0, kept > 0);
  t.truthy(await context.records.users.findByEmail(OTHER));
  const [audit] = await context.records.audit.page({ before: null, limit: 1 });
  t.is(audit?.actorName, OTHER);
  const entries = await context.records.listEntries.page({ after: null, limit: 9, filter: {} });
  t.is(entries.filter(({ note }) => note === 'because of (erased).').length, 3);
  t.is(await erase('jane.doe@gmail.com', context), 0);
  t.is(said[1], 'Erased 0 decisions about this mailbox.\n');
});

test('a list entry about the mailbox is reported, and the last operator stays', async (t) => {
  const { context, complaints } = await prepare(t);
  const { users, accountTokens, listEntries } = context.records;
  const set = { id: 'set-up', kind: 'set-up', accountId: null, email: null, lifetimeMs: 60_000 } as const;
  await accountTokens.create(set);
  const email = 'jane@company.example';
  await accountTokens.makeFirstOperator({ id: 'set-up', password: 'hash', email, plan: 'pro' });
  const mailbox = parseMailbox(email);
  if (!mailbox) throw new Error('no mailbox');
  const { mailbox: value } = identifyMailbox(mailbox, pseudonymize);
  const audit = { at: NOON, actorId: null, actorName: 'a test', subject: 'a mailbox', detail: {} };
  const entry = { list: 'deny', kind: 'mailbox', value, typed: email, note: null, expiresAt: null } as const;
  await listEntries.put([entry], { ...audit, act: 'list.entry_added' });
  t.is(await erase(email, context), 1);
  t.true(complaints.some((line) => line.startsWith('1 list entry about this mailbox remains')));
  t.true(complaints.some((line) => line.includes('last operator')));
  t.truthy(await users.findByEmail(email));
});
