import test from 'ava';
import { BodyAbortedError } from '../../src/http/read-body.ts';
import { readWebBody } from '../../src/library/read-web-body.ts';

const LIMITS = { limitBytes: 10, timeoutMs: 60_000, minBytesPerSecond: 1 };

/** A stream of these pieces that stays open, and its controller. */
function openStream(...pieces: readonly string[]) {
  let control: ReadableStreamDefaultController<Uint8Array> | null = null;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      control = controller;
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
    },
  });
  return { stream, control: control as unknown as ReadableStreamDefaultController<Uint8Array> };
}

test('a body up to the limit is read, and the original stays readable', async (t) => {
  const { stream, control } = openStream('12345', '67890');
  const [copy, original] = stream.tee();
  control.close();
  t.is((await readWebBody(copy, LIMITS)).toString(), '1234567890');
  t.is(await new Response(original).text(), '1234567890');
});

test('a body over the limit is refused while it arrives', async (t) => {
  const [copy, original] = openStream('12345', '678901').stream.tee();
  await t.throwsAsync(readWebBody(copy, LIMITS), { message: /at most 10 bytes/ });
  t.is((await original.getReader().read()).value?.length, 5);
});

test('a body that does not arrive in time is refused', async (t) => {
  const [copy] = openStream('12345').stream.tee();
  await t.throwsAsync(readWebBody(copy, { ...LIMITS, timeoutMs: 20 }), { message: /did not arrive in time/ });
});

test('a sender that disconnects ends the body', async (t) => {
  const { stream, control } = openStream('12345');
  const [copy] = stream.tee();
  const body = readWebBody(copy, LIMITS);
  control.error(new Error('aborted'));
  await t.throwsAsync(body, { instanceOf: BodyAbortedError });
});
