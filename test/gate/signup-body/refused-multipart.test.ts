import test from 'ava';
import { type Case, MULTIPART, part, read } from './read-sent-body.ts';

const REFUSED: readonly Case[] = [
  [
    'a part that holds a form',
    `${part('email', 'a@b.co')}${part('x', '&email=a@b.co\n,c@d.co')}--X--`,
    { type: MULTIPART },
    400,
  ],
  [
    'a part whose type has the name',
    `${part('email', 'a@b.co')}${part('x', 'c@d.co').replace('\r\n\r\n', '\r\nContent-Type: text/plain; name="email"\r\n\r\n')}--X--`,
    { type: MULTIPART },
    400,
  ],
  ...['multipart/mixed', 'text/plain; x=multipart', 'application/x-multipart'].map((type): Case => {
    const inner = part('email', 'c@d.co').replace('--X', '--Y');
    const outer = part('f', `${inner}--Y--`).replace(
      '\r\n\r\n',
      `\r\nContent-Type: ${type}; boundary=Y\r\n\r\n`,
    );
    return [
      `a part with parts: ${type}`,
      `${part('email', 'a@b.co')}${outer}--X--`,
      { type: MULTIPART },
      400,
    ];
  }),
  ['a part twice', `${part('email', 'a@b.co')}${part('email', 'c@d.co')}--X--`, { type: MULTIPART }, 400],
  [
    'a part as file, named as in RFC 8187',
    `--X\r\nContent-Disposition: form-data; filename*=utf-8''x's; name="email"\r\n\r\na@b.co\r\n--X--`,
    { type: MULTIPART },
    400,
  ],
  [
    'a name inside the name of a file',
    `${part('email', 'a@b.co')}--X\r\nContent-Disposition: form-data; name="f"; filename*=utf-8''name=email\r\n\r\nc@d.co\r\n--X--`,
    { type: MULTIPART },
    400,
  ],
  [
    'a part as file',
    '--X\r\nContent-Disposition: form-data; name="email"; filename="x"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a part with two names',
    '--X\r\nContent-Disposition: form-data; name="x"; name="email"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a name in single quotes',
    "--X\r\nContent-Disposition: form-data; name='email'\r\n\r\na@b.co\r\n--X--",
    { type: MULTIPART },
    400,
  ],
  [
    'an extended name',
    "--X\r\nContent-Disposition: form-data; name*=utf-8''email\r\n\r\na@b.co\r\n--X--",
    { type: MULTIPART },
    400,
  ],
  [
    'an escaped name',
    '--X\r\nContent-Disposition: form-data; name="em\\ail"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a percent name',
    '--X\r\nContent-Disposition: form-data; name="%65mail"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  ['bare line feeds', `${part('email', 'a@b.co').replaceAll('\r', '')}--X--`, { type: MULTIPART }, 400],
  ['a preamble', `hello\r\n${part('email', 'a@b.co')}--X--`, { type: MULTIPART }, 400],
  ['an epilogue', `${part('email', 'a@b.co')}--X--\r\nmore`, { type: MULTIPART }, 400],
  ['no last boundary', part('email', 'a@b.co'), { type: MULTIPART }, 400],
  [
    'a boundary behind a bare line feed',
    `${part('x', 'y\n--X\r\nContent-Disposition: form-data; name="email"\r\n\r\nz')}--X--`,
    { type: MULTIPART },
    400,
  ],
  ['a boundary that goes on', `${part('x', 'y\r\n--Xy\r\nz')}--X--`, { type: MULTIPART }, 400],
  [
    'two boundaries',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary=X; boundary=Y' },
    415,
  ],
  [
    'a continued boundary',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary*0=X' },
    415,
  ],
  [
    'a base64 part',
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Transfer-Encoding: base64\r\n\r\nYUBiLmNv\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a UTF-16 part',
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: text/plain; charset=utf-16\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a folded part header',
    '--X\r\nContent-Disposition: form-data;\r\n name="email"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'two boundaries, one in another name',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; xboundary=Y; boundary=X' },
    415,
  ],
  [
    'two boundaries, one in a value',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary="boundary=X"' },
    415,
  ],
  [
    'a boundary that is no token',
    `${part('email', 'a@b.co')}--X--`.replaceAll('--X', '--X/Y'),
    { type: 'multipart/form-data; boundary=X/Y' },
    415,
  ],
  [
    'a boundary with a comma',
    `${part('email', 'a@b.co')}--X--`.replaceAll('--X', '--X,Y'),
    { type: 'multipart/form-data; boundary="X,Y"' },
    415,
  ],
  [
    'a boundary with an escape',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary="\\X"' },
    415,
  ],
  [
    'a name within the name of a file',
    '--X\r\nContent-Disposition: form-data; name="x"; filename="\\"; name=\\"email"\r\n\r\nc@d.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a name with a quote',
    '--X\r\nContent-Disposition: form-data; name="x\\""\r\n\r\nc@d.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a part in UTF-8 that says Latin-1',
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n\u00e9@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
];

for (const [what, body, sent, status] of REFUSED) {
  test(`${what} is refused with ${status}`, async (t) => {
    t.deepEqual(await read(body, sent), status);
  });
}
