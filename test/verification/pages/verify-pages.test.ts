import test from 'ava';
import fc from 'fast-check';
import { codePage } from '../../../src/verification/pages/code-page.tsx';
import { PAGE_TEXTS } from '../../../src/verification/pages/page-texts.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { PAGES } from './every-page.ts';

const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

for (const language of LANGUAGES) {
  test(`the texts in ${language} say all that the English ones do, with the same values in them`, (t) => {
    for (const [name, text] of Object.entries(PAGE_TEXTS.en)) {
      const translated = PAGE_TEXTS[language][name as keyof typeof PAGE_TEXTS.en];
      t.deepEqual([...new Set(placesIn(translated))], [...new Set(placesIn(text))], name);
      if (language !== 'en') t.not(translated, text, name);
    }
  });

  test(`no page in ${language} shows a place that was not filled, runs a script, or loads anything`, (t) => {
    for (const [name, render] of Object.entries(PAGES)) {
      const page = render({ language, publicUrl: 'https://app.example' });
      const body = page.replace(/<style>[\s\S]*?<\/style>/, '');
      t.notRegex(body, /\{\w+\}/, name);
      t.notRegex(page, /<script|<img|<link|@import|url\(|\son\w+=|\sstyle=/i, name);
      t.regex(page, new RegExp(`^<!doctype html>\\n<html lang="${language}">`), name);
      t.is(page.match(/<h1>/g)?.length, 1, name);
    }
  });
}

test('a domain stays text, whatever is in it', (t) => {
  const facts = { minutesLeft: 1, mail: 'sent', resendInSeconds: 0 } as const;
  const tagsOf = (domain: string) =>
    codePage({ language: 'en', publicUrl: 'https://app.example' }, { ...facts, domain }, null).match(
      /<[^>]*>/g,
    );
  const expected = tagsOf('example.com');
  fc.assert(fc.property(fc.string(), (domain) => t.deepEqual(tagsOf(domain), expected)));
});
