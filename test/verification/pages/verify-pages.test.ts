import test from 'ava';
import fc from 'fast-check';
import { codePage } from '../../../src/verification/pages/code-page.tsx';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { UNNAMED_SITE } from '../../../src/web/site.ts';
import { PAGES } from './every-page.ts';

const PLACE = { language: 'en', site: UNNAMED_SITE, publicUrl: 'https://app.example' };

for (const language of LANGUAGES) {
  test(`no page in ${language} shows an unfilled placeholder, runs a script, or loads anything`, (t) => {
    for (const [name, render] of Object.entries(PAGES)) {
      const page = render({ ...PLACE, language }).html;
      const body = page.replace(/<style>[\s\S]*?<\/style>/, '');
      t.notRegex(body, /\{\w+\}/, name);
      t.notRegex(page, /<script|<img|<link|@import|url\(|\son\w+=|\sstyle=/i, name);
      t.regex(page, new RegExp(`^<!doctype html>\\n<html lang="${language}">`), name);
      t.is(page.match(/<h1>/g)?.length, 1, name);
    }
  });
}

test('without their style sheet, as text browsers show them, no words of the pages run together', (t) => {
  for (const [name, render] of Object.entries(PAGES))
    t.notRegex(
      render(PLACE).html,
      /<\/(?:a|code|label|span|strong|time)><(?:a|code|input|label|span|strong)\b/,
      name,
    );
});

test('any domain is shown as text', (t) => {
  const facts = {
    minutesLeft: 1,
    mail: 'sent',
    resendInSeconds: 0,
    reference: null,
    suggestion: null,
  } as const;
  const tagsOf = (domain: string) => codePage(PLACE, { ...facts, domain }, null).html.match(/<[^>]*>/g);
  const expected = tagsOf('example.com');
  fc.assert(fc.property(fc.string(), (domain) => t.deepEqual(tagsOf(domain), expected)));
});

test('any suggestion is shown as text, with the button and the link around it', (t) => {
  const facts = { minutesLeft: 1, mail: 'sent', resendInSeconds: 0, reference: null } as const;
  const pageWith = (suggestion: string) =>
    codePage(PLACE, { ...facts, domain: 'gmial.com', suggestion }, null).html;
  const expected = pageWith('jane@gmail.com').match(/<[^>]*>/g);
  t.regex(pageWith('jane@gmail.com'), /Use <bdi>jane@gmail\.com<\/bdi> instead/);
  fc.assert(
    fc.property(fc.string(), (suggestion) => t.deepEqual(pageWith(suggestion).match(/<[^>]*>/g), expected)),
  );
});
