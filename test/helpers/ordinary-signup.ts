/** A signup as a client of that name sends it: content type and body, byte for byte. */
export interface OrdinarySignup {
  readonly client: string;
  readonly type: string;
  readonly body: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export const ORDINARY_EMAIL = 'jane.doe+news@corp.example';

/** One field of a form as multipart/form-data has it. */
interface Part {
  readonly head: readonly string[];
  readonly value: string;
}

export function form(boundary: string, parts: readonly Part[], { before = '', after = '\r\n' } = {}): string {
  const texts = parts.map(({ head, value }) => `--${boundary}\r\n${head.join('\r\n')}\r\n\r\n${value}\r\n`);
  return `${before}${texts.join('')}--${boundary}--${after}`;
}

export const FIELDS = [
  ['email', ORDINARY_EMAIL],
  ['name', 'Jane Döe'],
  ['password', 'p&q=1;2+'],
] as const;

export function parts(headOf: (name: string, value: string) => readonly string[]): readonly Part[] {
  return FIELDS.map(([name, value]) => ({ head: headOf(name, value), value }));
}

export const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"`;
export const plain = parts((name) => [disposition(name)]);
export const noFile: Part = {
  head: [
    'Content-Disposition: form-data; name="avatar"; filename=""',
    'Content-Type: application/octet-stream',
  ],
  value: '',
};
export const picture: Part = {
  head: [
    'Content-Disposition: form-data; name="avatar"; filename="me & my=1.png"',
    'Content-Type: image/png',
  ],
  value: '\x89PNG\r\n\x1a\n--x\r\n\0&name=;=',
};

/** The name of the picture twice, as apps on phones send it: the second time as RFC 8187 has it. */
export const phonePicture: Part = {
  head: [
    `Content-Disposition: form-data; name="avatar"; filename="Bob's öl.png"; filename*=utf-8''Bob's%20%C3%B6l.png`,
    'Content-Type: image/png',
  ],
  value: picture.value,
};
