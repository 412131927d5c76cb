import { nullable, record, section, text } from './schema-types.ts';

export const siteSchema = section(
  'The look and the words of the block page, the verification pages and their mails.',
  {
    name: nullable(
      text('Name of the site in texts and above them.', 'site-name'),
      'the host of `proxy.public_url`',
    ),
    logo: nullable(
      text(
        'A PNG, JPEG, GIF, WebP or SVG file of at most 32 KB. Mails show PNG, JPEG and GIF, and the name instead of others.',
        'file',
      ),
      'the name alone',
    ),
    colour: nullable(text('Colour of buttons and links.', 'colour'), 'blue'),
    contact: nullable(
      text('Where visitors reach you: an email address, or the URL of a page.', 'contact'),
      'no link to it',
    ),
    texts: record(
      'Your own texts by language, then by name. docs/verification.md lists the names.',
      record(
        'The texts of one language.',
        text('A text. Words in braces are filled in.', 'line'),
        'text-name',
      ),
      'language',
    ),
  },
);
