import test from 'ava';
import { XmlText } from '../../../src/gate/signup-body/xml-text.ts';
import { mayBeSignup } from './look-at-pieces.ts';

const XML = 'application/xml';

const HIDING: readonly (readonly [what: string, value: string])[] = [
  ['nothing', 'register'],
  ['a reference', 'r&#101;gister'],
  ['references', '&#114;&#101;&#103;&#105;&#115;&#116;&#101;&#114;'],
  ['a reference in hex', 'r&#x65;gister'],
  ['a reference in hex with zeros', 're&#x67;&#x69;s&#x074;er'],
  ['a reference with zeros', 'r&#0000000000101;gister'],
  ['a comment', 're<!-- x -->gister'],
  ['a comment with marks in it', 're<!-- <?x <![CDATA[ > -->gister'],
  ['a long comment', `re<!-- ${'x'.repeat(5_000)} -->gister`],
  ['an instruction', 're<?x y="<!--"?>gister'],
  ['CDATA', 're<![CDATA[gister]]>'],
  ['CDATA of each letter', [...'register'].map((letter) => `<![CDATA[${letter}]]>`).join('')],
  ['an empty CDATA with a bracket', 're<![CDATA[]]>gister'],
  ['everything', '<!--a-->r<?b?>&#101;<![CDATA[g]]>&#x69;<!----><![CDATA[ster]]>'],
];

for (const [what, value] of HIDING) {
  test(`a value in XML behind ${what} may fulfil a condition`, (t) => {
    const body = `<?xml version="1.0"?>\n<a><!-- a --><x><![CDATA[<!-- ]] <?]]></x><action>${value}</action></a>`;
    for (const type of ['application/xml', 'text/xml; charset=utf-8', 'application/x.y+xml', 'text/plain'])
      t.true(mayBeSignup(body, { type }), type);
    for (let pieceSize = 1; pieceSize <= 60; pieceSize++)
      t.true(mayBeSignup(body, { type: XML, pieceSize }), `${pieceSize}`);
  });
}

test('a value in an entity may fulfil a condition', (t) => {
  const body = '<!DOCTYPE a [<!ENTITY e "reg">]><a><action>&e;ister</action></a>';
  for (let pieceSize = 1; pieceSize <= body.length; pieceSize++)
    t.true(mayBeSignup(body, { type: XML, pieceSize }), `${pieceSize}`);
  t.true(
    mayBeSignup(`<action>${'&#'}${'0'.repeat(3_000)}114;egister</action>`, { type: XML, pieceSize: 50 }),
  );
});

test('XML without the words of the condition passes', (t) => {
  for (const body of [
    '<a>&lt;&#99;&gt;</a>',
    '<action><!-- x --><![CDATA[log in]]></action>',
    '<action>re<b/>gister</action>',
    '<a><!-- never ends',
    '<a>&#99999999;&#x110000;&#0;&#;</a>',
  ])
    for (const pieceSize of [1, 7, 1_000]) t.false(mayBeSignup(body, { type: XML, pieceSize }), body);
});

test('a picture with entities passes', (t) => {
  t.false(mayBeSignup('<!DOCTYPE svg [<!ENTITY e "x">]><svg>&e;</svg>', { type: 'image/svg+xml' }));
});

test('a body that is not XML is read as it is', (t) => {
  for (const type of ['text/plain', 'application/json'])
    t.false(mayBeSignup('{"action":"r&#101;gister"}', { type }), type);
});

test('reading many marks takes linear time', (t) => {
  const timeOf = (body: string) => {
    const began = performance.now();
    new XmlText().write(body);
    return performance.now() - began;
  };
  for (const mark of ['<!--', '<?', '<![CDATA[', '<![CDATA[]]>', '<!---->', '&#', '&#0', '&', '<', '<!['])
    t.true(timeOf(mark.repeat(1_000_000 / mark.length)) < 1_000, mark);
});
