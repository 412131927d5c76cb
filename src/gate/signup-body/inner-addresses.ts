/** An address between characters that no address has without quotes. The wide and small forms of `@` count too. */
const INNER_ADDRESS =
  /(?<![^\s"'<>,;:()[\]\\@\uff20\ufe6b])[^\s"'<>,;:()[\]\\@\uff20\ufe6b]+[@\uff20\ufe6b][^\s"'<>,;:()[\]\\@\uff20\ufe6b]+/g;
/** A longer email is no mailbox, and is judged as an invalid one. */
const MAX_CHARACTERS = 254;
const NO_ADDRESSES: readonly string[] = [];

/**
 * The addresses that other readers find inside the local part of an email: `a@b.example` in
 * `"a@b.example x"@corp.example`. Older versions of nodemailer send mails there, and apps that split an email at the
 * first at sign store that domain.
 */
export function innerAddresses(email: string): readonly string[] {
  if (email.length > MAX_CHARACTERS) return NO_ADDRESSES;
  const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  return localPart.replaceAll('\\', '').match(INNER_ADDRESS) ?? NO_ADDRESSES;
}
