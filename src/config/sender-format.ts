import { hasControls } from './url-formats.ts';

/** An address, or a name and an address in angle brackets. */
export const SENDER_FORMAT = {
  expected: 'a sender such as "Signup <no-reply@example.com>"',
  accepts: isSender,
} as const;

/** Mail programs read a comma, a colon or parentheses in an address as more than one address. */
function isSender(text: string): boolean {
  const [, address = text] = /^[^<>]*<([^<>]*)>$/.exec(text) ?? [];
  return /^[^<>@\s,;:()\\]+@[^<>@\s,;()\\]+$/.test(address) && !hasControls(text);
}
