/** A name and its value, in a text of any notation. */
export type NamedText = readonly [name: string, value: string];

/** Of each kind. More would cost too much time. */
const MAX_FIELDS = 50;

/**
 * What is between a name and its value: `name:`, `"name":`, `\"name\":`, `name =`, `<name>`, or `</name><value><string>` as
 * in XML-RPC and property lists.
 */
const SEPARATOR =
  '\\\\{0,8}["\']?\\s{0,20}(?:</[\\w:]{1,30}>\\s{0,20}(?:<[\\w:]{1,30}>\\s{0,20}){1,2}|[:=>])\\s{0,20}\\\\{0,8}["\']?';
/** Sought at an `@`. */
const MAILBOX = new RegExp(
  `(?<=([\\w.-]{1,50})${SEPARATOR}([^\\s@<>"'\\\\=:;,()]{1,64}))@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}`,
  'y',
);
const PASSWORD = /pass|pwd|secret|kennwort|contrase|senha|parol|wachtwoord/gi;
/** Sought at the beginning of the word. */
const PASSWORD_WITH_VALUE = new RegExp(`[\\w.-]{1,50}${SEPARATOR}[^\\s"'<\\\\&]`, 'y');

/** Whether a field is named like one for a password or another secret. */
export function namesPassword(name: string): boolean {
  return name.search(PASSWORD) !== -1;
}

/**
 * The mailboxes and passwords of a text, each with the name before it: in XML, YAML, TOML, a GraphQL document, JSON that is
 * cut off or has comments, the JSON of a part in `multipart/mixed`. It knows no notation, so it also finds names in prose.
 * @param text At most 16 KB.
 */
export function* fieldsInText(text: string): Generator<NamedText> {
  let at = text.indexOf('@');
  if (at === -1) return;
  for (let count = 0; at !== -1 && count < MAX_FIELDS; count++) {
    MAILBOX.lastIndex = at;
    const [domain = '', name = '', localPart = ''] = MAILBOX.exec(text) ?? [];
    if (name !== '') yield [name, localPart + domain];
    at = text.indexOf('@', at + 1);
  }
  let count = 0;
  for (const { index } of text.matchAll(PASSWORD)) {
    PASSWORD_WITH_VALUE.lastIndex = index;
    if (PASSWORD_WITH_VALUE.test(text)) yield ['password', '…'];
    if (++count === MAX_FIELDS) return;
  }
}
