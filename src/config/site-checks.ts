import { didYouMean } from './advise-text.ts';
import type { CheckContext } from './checks.ts';
import { closest } from './closest.ts';
import { shorten, toPointer } from './pointer.ts';

/** Checks the operator's own texts: the languages exist, the names exist, and each placeholder can be filled. */
export function checkSite(context: CheckContext): void {
  const { document, knownNames, isValid, isShaped, issue } = context;
  if (!isShaped('/site/texts')) return;
  const names = new Map(knownNames.texts.map(({ name, placeholders }) => [name, placeholders]));
  for (const [language, texts] of Object.entries(document.site.texts)) {
    const group = `/site/texts${toPointer([language])}`;
    if (!isShaped(group)) continue;
    if (!knownNames.languages.includes(language)) {
      const list = knownNames.languages.join(', ');
      issue(group, `the language "${shorten(language)}" does not exist`, `languages are ${list}`, 'key');
      continue;
    }
    for (const [name, text] of Object.entries(texts ?? {})) {
      const place = `${group}${toPointer([name])}`;
      if (!isValid(place)) continue;
      const placeholders = names.get(name);
      if (placeholders === undefined) {
        issue(
          place,
          `the text "${shorten(name)}" does not exist`,
          adviseName(name, [...names.keys()]),
          'key',
        );
        continue;
      }
      const allowed = [...new Set(['{site}', ...placeholders.split(' ').filter(Boolean)])];
      const wrong = text.match(/\{\w*\}/g)?.find((placeholder) => !allowed.includes(placeholder));
      if (wrong !== undefined)
        issue(
          place,
          `the placeholder ${shorten(wrong)} does not exist here`,
          `allowed are ${allowed.join(', ')}`,
        );
    }
  }
}

function adviseName(name: string, names: readonly string[]): string {
  const near = closest(name, names);
  return near === null ? 'docs/verification.md lists the names' : didYouMean(near);
}
