import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/mailbox.ts';
import { createPseudonymizer, identifyMailbox } from '../../src/assessment/identity.ts';
import { erase } from '../../src/cli/erase.ts';
import { openRecords } from '../../src/records/open-records.ts';
import { decisionWith, NOON } from '../records/decision-fixture.ts';

const pseudonymize = createPseudonymizer('a secret of the test');

async function prepare(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-erase-'));
  const records = await openRecords({ url: `sqlite:${folder}/gatekeeper.db`, clock: () => NOON });
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
  return { context, said, complaints, record, left };
}

test('every spelling of a mailbox is erased, and nobody else', async (t) => {
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

test('what is no address is the user’s mistake', async (t) => {
  const { context, complaints, said } = await prepare(t);
  for (const text of ['', 'jane', 'a@b', '* OR 1=1', 'a@b@c']) t.is(await erase(text, context), 1, text);
  t.is(said.length, 0);
  t.true(complaints.every((complaint) => complaint === 'That is not an email address.\n'));
});

test('a denied mailbox stays denied under its pseudonym, and how it was typed is forgotten', async (t) => {
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
