import { nullable, record, section, text } from './schema-types.ts';

export const siteSchema = section(
  'The look and the words of the block page, the verification pages and their mails.',
  {
    name: nullable(
      text('Name of the site, shown in texts and as the title above them.', 'site-name'),
      'the host of `proxy.public_url`',
    ),
    logo: nullable(
      text(
        'A PNG, JPEG, GIF, WebP or SVG file of at most 32 KB. Mails show PNG, JPEG and GIF. For other formats, mails show the name of the site.',
        'file',
      ),
      'only the name is shown',
    ),
    colour: nullable(text('Colour of buttons and links.', 'colour'), 'blue'),
    contact: nullable(
      text('Where visitors reach you: an email address, or the URL of a page.', 'contact'),
      'pages and mails have no link for questions',
    ),
    texts: record(
      'Your own texts, grouped by language and then by name. docs/verification.md lists the names.',
      record(
        'The texts of one language.',
        text('A text. Values replace the words in braces.', 'line'),
        'text-name',
      ),
      'language',
    ),
  },
);
