import type { DifferentialCase } from './differential-case.ts';

const BODY = `email=${encodeURIComponent('bad@burner.example')}&name=x`;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=X';

/** Types of which one framework or another takes the body for a form: left out, blank, or near to one. */
const TYPES: readonly (string | null)[] = [
  ...[null, '', ' ', ';', '; charset=utf-8', ',', '*/*', FORM, `${FORM} `, `${FORM},text/plain`],
  ...[`text/plain,${FORM}`, 'application/x-url-encoded', 'x-www-urlencoded', MULTIPART],
  ...['multipart/mixed; boundary=X', 'multipart/related; boundary=X', 'MULTIPART/MIXED; boundary=X'],
  ...['multipart/alternative; boundary=X', 'multipart/x; boundary=X', 'text/plain', 'text/html'],
  ...['application/octet-stream', 'image/png', 'application/xml', 'application/yaml', 'text/javascript'],
];

/** Spellings of `_method`, some of which are that field to PHP or to Rack. */
const NAMES = [
  ...['_method', '_METHOD', '[_method]', '[_method', '_method]', ']_method', '_method[x]', '_method%00'],
  ...[
    '_method%00x',
    '%20_method',
    '%5F%6Dethod',
    '+_method',
    '_method+',
    '%5B_method%5D',
    '.method',
    '[method',
  ],
];

const VALUES = [
  'put',
  '%20PUT',
  'PUT%20',
  '%50UT',
  'PUT%00',
  'PUT%0a',
  'PUT,GET',
  'Put;x',
  '"PUT"',
  'PUT%C2%A0',
];

function multipart(...fields: readonly (readonly [name: string, value: string])[]): string {
  const parts = fields.map(
    ([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--X--\r\n`;
}

/** POSTs that a framework may take for the PUT that is gated, by a field of a body that is hardly a form. */
export function oddFormCases(): readonly DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  const add = (type: string | null, body: string) =>
    cases.push({
      id: `POST /account as ${type}: ${body.slice(0, 80)}`,
      method: 'POST',
      target: '/account',
      headers: type === null ? [] : [['Content-Type', type]],
      body: Buffer.from(body),
    });
  for (const type of TYPES) {
    add(type, `_method=PUT&${BODY}`);
    add(type, multipart(['_method', 'PUT'], ['email', 'bad@burner.example']));
  }
  for (const name of NAMES) {
    add(FORM, `${name}=PUT&${BODY}`);
    add(null, `${BODY}&${name}=PUT`);
    add(MULTIPART, multipart([decodeURIComponent(name), 'PUT'], ['email', 'bad@burner.example']));
  }
  for (const value of VALUES) add(FORM, `_method=${value}&${BODY}`);
  return cases;
}
