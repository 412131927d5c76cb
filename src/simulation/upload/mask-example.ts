import { parseMailbox } from '../../addresses/email-address.ts';
import { parseIpAddress } from '../../addresses/ip-address.ts';
import { parseSignupTime } from '../signup-time.ts';

const HIDDEN = '•••';
const LONGEST = 40;
/** Short words, such as a label, identify no person. */
const SHORT = /^(true|false|yes|no|t|f|y|n|[01]|fraud|legitimate)$/i;

/** Masks a value of a file. A reader recognises the kind of the value, but not a person. */
export function maskExample(value: string): string {
  const text = value.trim();
  if (text === '' || SHORT.test(text)) return text;
  if (/^\d+(\.\d+)?$/.test(text)) return `${text.slice(0, 4)}${HIDDEN}`;
  if (parseSignupTime(text) !== null) return text.slice(0, LONGEST);
  if (parseMailbox(text)) {
    return `${text.slice(0, 1)}${HIDDEN}${text.slice(text.lastIndexOf('@'))}`.slice(0, LONGEST);
  }
  if (parseIpAddress(text)) return `${/^[^.:]*[.:]+[^.:]*[.:]?/.exec(text)?.[0] ?? ''}${HIDDEN}`;
  const [product] = /^[A-Za-z]{3,20}\/\d{1,3}/.exec(text) ?? [];
  return `${product === undefined ? text.slice(0, 2) : `${product} `}${HIDDEN}`;
}
