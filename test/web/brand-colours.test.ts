import test from 'ava';
import { colord, extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import fc from 'fast-check';
import { brandColours } from '../../src/web/brand-colours.ts';

extend([a11y]);

test('any colour gives buttons that can be read at 4.5:1 and links at 7:1, in light and in dark', (t) => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, (r, g, b) => {
      const { ground, onGround, light, dark } = brandColours(colord({ r, g, b }).toHex());
      t.is(ground, colord({ r, g, b }).toHex());
      t.true(colord(onGround).contrast(ground) >= 4.5);
      for (const surface of ['#ffffff', '#f6f7f9', '#eef1f5']) t.true(colord(light).contrast(surface) >= 7);
      for (const surface of ['#1c2027', '#14171c', '#262b34']) t.true(colord(dark).contrast(surface) >= 7);
    }),
  );
});

test('a colour that can be read stays as it is', (t) => {
  t.is(brandColours('#036').light, '#003366');
  t.is(brandColours('#ffcc00').dark, '#ffcc00');
  t.is(brandColours('#ffcc00').onGround, '#000000');
});
