/** The sender of mails, with its name apart: a mail program shows the name as it is. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * Reads `Signup <no-reply@example.com>` or an address alone; the configuration checked the form. The name is all text
 * before the bracket, with or without quotes around it. Nodemailer would read a comma, a colon or parentheses in it as
 * syntax of a list, a group or a comment.
 */
export function readSender(text: string): Sender {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
  return { name: withoutQuotes(name.trim()), address };
}

function withoutQuotes(name: string): string {
  const [, quoted] = /^"(.*)"$/.exec(name) ?? [];
  return quoted === undefined ? name : quoted.replace(/\\(.)/g, '$1');
}
