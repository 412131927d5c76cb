import type { Language } from '../web/languages.ts';

/** An unchanged request, to be sent to the app later. */
export interface HeldMessage {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  /** The header fields, unchanged: name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** One signup that waits for verification, with all that is needed to send it to the app later. */
export interface HeldSignup {
  readonly requestId: string;
  readonly message: HeldMessage;
  /** The recipient of the mails: the email address as typed. */
  readonly recipient: string;
  /** The language of the mails for this signup. */
  readonly language: Language;
  /** The token in the link of every mail for this signup. */
  readonly linkToken: string;
  /** Data of the gate for the replay, unchanged: the client's address, the score, the route. */
  readonly context: HeldContext;
}

export type HeldContext = { readonly [name: string]: HeldValue };
type HeldValue = string | number | boolean | null | readonly HeldValue[] | HeldContext;

/** The length of the head, the head in JSON, then the bytes of the body. */
export function encodeHeldSignup({ message: { body, ...message }, ...rest }: HeldSignup): Buffer {
  const head = Buffer.from(JSON.stringify({ ...rest, message }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}

/** The opened content is authenticated, so its shape is not checked again. */
export function decodeHeldSignup(bytes: Buffer): HeldSignup {
  const end = 4 + bytes.readUInt32BE(0);
  const head = JSON.parse(bytes.toString('utf8', 4, end)) as Omit<HeldSignup, 'message'> & {
    readonly message: Omit<HeldMessage, 'body'>;
  };
  return { ...head, message: { ...head.message, body: bytes.subarray(end) } };
}
