import { parseMailbox } from '../addresses/email-address.ts';
import { didYouMean } from './advise-text.ts';
import { hasControls, isWebUrl } from './url-formats.ts';

/** The formats for the settings of the site. */
export const SITE_FORMATS = {
  'site-name': {
    expected: 'a name of up to 60 characters, without braces, control characters or outer spaces',
    accepts: (text: string) =>
      text.length > 0 &&
      text.length <= 60 &&
      text.trim() === text &&
      !hasControls(text) &&
      !/[{}]/.test(text),
  },
  colour: {
    expected: 'a colour such as "#0b5cad" or "#06c", in quotes',
    accepts: (text: string) => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text),
    advise: (text: string) => {
      const hex = /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) ? `#${text}` : null;
      return hex === null ? null : didYouMean(hex);
    },
    pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
  },
  contact: {
    expected: 'an email address, or an absolute http or https URL',
    accepts: (text: string) => isWebUrl(text) || (parseMailbox(text) !== null && !/[<>]/.test(text)),
  },
  language: {
    expected: 'the code of a language such as en or de',
    accepts: (text: string) => /^[a-z]{2,3}$/.test(text),
  },
  'text-name': {
    expected: 'the name of a text such as blockPage.heading',
    accepts: (text: string) => /^[A-Za-z]+(?:\.[A-Za-z]+)+$/.test(text),
  },
} as const;
