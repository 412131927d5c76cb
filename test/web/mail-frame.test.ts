import test from 'ava';
import { html } from '../../src/web/html.ts';
import { mailButton, mailFrame } from '../../src/web/mail-frame.ts';

test('a mail names its language and its subject, and loads nothing', (t) => {
  const text = mailFrame({ language: 'de', subject: 'A <b> & "c"', content: html`<p>${'<i>'}</p>` });
  t.regex(text, /^<!DOCTYPE html>\n<html lang="de">/);
  t.true(text.includes('<title>A &lt;b&gt; &amp; &quot;c&quot;</title>'));
  t.true(text.includes('<p>&lt;i&gt;</p>'));
  t.notRegex(text, /<(?:img|link|script|style)|src=|url\(/);
});

test('a link is a button and text, and cannot end its attribute', (t) => {
  const { html: button } = mailButton('https://app.example/"><img src=x>', 'Confirm');
  t.is(button.match(/href="https:\/\/app\.example\/&quot;&gt;&lt;img src=x&gt;"/g)?.length, 2);
  t.true(button.includes('>Confirm</a>'));
});
