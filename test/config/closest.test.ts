import test from 'ava';
import { closest } from '../../src/config/closest.ts';

test('the closest word corrects a typing mistake; a different word has no match', (t) => {
  const words = ['methods', 'mode', 'name', 'path', 'public_url', 'on_low'];
  const meant: Readonly<Record<string, string | null>> = {
    metods: 'methods',
    method: 'methods',
    METHODS: 'methods',
    'public-url': 'public_url',
    publicurl: 'public_url',
    nmae: 'name',
    mdoe: 'mode',
    onlow: 'on_low',
    upstream: null,
    x: null,
    '': null,
    ['m'.repeat(1_000_000)]: null,
  };
  for (const [word, expected] of Object.entries(meant))
    t.is(closest(word, words), expected, word.slice(0, 20));
  t.is(closest('anything', []), null);
});
