import test from 'ava';
import { startVerification, submitJson, type TestVerification, wrongCode } from './verification-server.ts';

/** As on several nodes: the next requests read the signup, and then another node acts on it, before they change it. */
function afterTheirReading(
  { records: { heldSignups } }: TestVerification,
  requests: number,
  act: () => Promise<unknown> = async () => {},
): void {
  const { find } = heldSignups;
  const readers: (() => void)[] = [];
  Object.assign(heldSignups, {
    async find(...of: Parameters<typeof find>) {
      const found = await find(...of);
      if (readers.length === requests) return found;
      await new Promise<void>((resolve) => {
        if (readers.push(resolve) === requests) void act().then(() => readers.map((goOn) => goOn()));
      });
      return found;
    },
  });
}

test('of ten wrong codes at once, each after the fifth hears that the signup is locked', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail();
  afterTheirReading(server, 10);
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      const response = await submitJson(server, path, { code: wrongCode(code, i + 1) });
      const problem = (await response.json()) as { readonly code: string; readonly tries_left: number };
      return `${response.status} ${problem.code}, ${problem.tries_left} left`;
    }),
  );
  const wrong = [4, 3, 2, 1].map((left) => `403 wrong_code, ${left} left`);
  t.deepEqual(answers.sort(), [...Array(6).fill('403 verification_locked, 0 left'), ...wrong].sort());
});

for (const [title, status, end] of [
  ['is locked', 403, 'tryCode'],
  ['is confirmed', 410, 'claim'],
] as const) {
  test(`the link, a report and a new mail get ${status} when the signup ${title} meanwhile`, async (t) => {
    const server = await startVerification(t);
    const { path, linkPath, requestId } = await server.holdAndMail();
    server.now += 2 * 60_000;
    const { heldSignups } = server.records;
    const confirmed = { requestId, now: server.now, passTokenSha256: null };
    afterTheirReading(server, 3, () => heldSignups[end]({ ...confirmed, codeHash: 'wrong', maxTries: 1 }));
    const answers = await Promise.all([
      submitJson(server, linkPath, {}),
      submitJson(server, linkPath, { action: 'report' }),
      submitJson(server, path, { action: 'resend' }),
    ]);
    t.deepEqual(
      answers.map((answer) => answer.status),
      [status, status, status],
    );
    t.is(server.replays.length, 0);
  });
}
