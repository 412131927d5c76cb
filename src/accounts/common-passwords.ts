let common: Promise<ReadonlySet<string>> | null = null;

/** Whether a password is one of the 49,000 that people choose most often, in capitals or not. Guessing starts with them. */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded with the first new password: most starts need no list.
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return (await common).has(password.toLowerCase());
}
