import type { Language } from '../web/languages.ts';

/** A request as it came, to be sent on later. */
export interface HeldMessage {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  /** Name and value in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** One signup that waits for its sender to verify: all that is needed to send it on as if it came from them now. */
export interface HeldSignup {
  readonly requestId: string;
  readonly message: HeldMessage;
  /** Where the mails go: the address as it was typed. */
  readonly recipient: string;
  /** Of the mails. */
  readonly language: Language;
  /** In the link of every mail for this signup. */
  readonly linkToken: string;
  /** What the gate needs for the replay, kept as it was given: the client's address, the score, the route. */
  readonly context: HeldContext;
}

export type HeldContext = { readonly [name: string]: HeldValue };
type HeldValue = string | number | boolean | null | readonly HeldValue[] | HeldContext;

/** A head in JSON, its length before it, and the body's bytes behind it. */
export function encodeHeldSignup({ message: { body, ...message }, ...rest }: HeldSignup): Buffer {
  const head = Buffer.from(JSON.stringify({ ...rest, message }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}

/** What comes out of the seal is what went in: it was authenticated, so its shape is not checked again. */
export function decodeHeldSignup(bytes: Buffer): HeldSignup {
  const end = 4 + bytes.readUInt32BE(0);
  const head = JSON.parse(bytes.toString('utf8', 4, end)) as Omit<HeldSignup, 'message'> & {
    readonly message: Omit<HeldMessage, 'body'>;
  };
  return { ...head, message: { ...head.message, body: bytes.subarray(end) } };
}
