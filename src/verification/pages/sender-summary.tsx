import { PROGRAM } from '../../processors/device/describe-browser.ts';
import type { SenderFacts } from '../../storage/held-signups/held-signup-store.ts';
import { fillText } from '../../web/fill-text.ts';
import type { Language } from '../../web/languages.ts';
import type { VerificationPageTexts } from '../../web/translation.ts';

/** The time, browser and country of a signup. */
export interface SignupFacts {
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number;
  readonly now: number;
  readonly sender: SenderFacts;
}

interface SenderSummaryProps {
  readonly texts: VerificationPageTexts;
  readonly language: Language;
  readonly facts: SignupFacts;
}

/** Helps the owner of a mailbox to recognise a signup that is not theirs. */
export function SenderSummary({ texts, language, facts: { createdAt, now, sender } }: SenderSummaryProps) {
  // In UTC, since the page has no script that knows the reader's time zone.
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(createdAt);
  const time = new Date(createdAt).toISOString();
  return (
    <dl>
      <dt>{texts.sentAt}</dt>
      <dd>
        <time
          datetime={time}
        >{`${agoIn(language, now - createdAt)} (${date}, ${time.slice(11, 16)} UTC)`}</time>
      </dd>
      <dt>{texts.sentWith}</dt>
      <dd>{browserText(texts, sender)}</dd>
      <dt>{texts.sentFrom}</dt>
      <dd>{countryName(language, sender.country) ?? texts.unknown}</dd>
    </dl>
  );
}

function agoIn(language: Language, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return new Intl.RelativeTimeFormat(language).format(-minutes, 'minute');
}

function browserText(texts: VerificationPageTexts, { browser, system }: SenderFacts): string {
  if (browser === PROGRAM) return texts.program;
  if (browser === null) return system ?? texts.unknown;
  return system === null ? browser : fillText(texts.browserOnSystem, { browser, system });
}

/** Null when the code is not a country: data sets also use codes such as `EU`, `AP` and `ZZ`. */
function countryName(language: Language, country: string | null): string | null {
  if (country === null || !/^[A-Z]{2}$/.test(country) || country === 'ZZ') return null;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? null;
}
