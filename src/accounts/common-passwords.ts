let common: Promise<ReadonlySet<string>> | null = null;

/**
 * Whether a password is one of the 49,000 most common passwords. Letter case is ignored. Attackers guess these
 * passwords first.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  // The list is loaded when the first new password is checked, because most processes never need it.
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return (await common).has(password.toLowerCase());
}
