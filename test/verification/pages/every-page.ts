import {
  type CodePageError,
  type CodePageFacts,
  codePage,
} from '../../../src/verification/pages/code-page.tsx';
import { type LinkPageFacts, linkPage } from '../../../src/verification/pages/link-page.tsx';
import { messagePage, noRoomPage, tooManyMailsPage } from '../../../src/verification/pages/message-page.tsx';
import { offerPage } from '../../../src/verification/pages/offer-page.tsx';
import type { PagePlace } from '../../../src/verification/pages/page-parts.tsx';
import type { Page } from '../../../src/web/own-reply.ts';

const facts: CodePageFacts = {
  ...{
    domain: 'example.com',
    suggestion: null,
    minutesLeft: 29,
    mail: 'sent',
    resendInSeconds: 42,
    reference: 'MZJ10273',
  },
};
const code =
  (changes: Partial<CodePageFacts>, error: CodePageError | null = null) =>
  (place: PagePlace) =>
    codePage(place, { ...facts, ...changes }, error);

const offer = { domain: 'gmial.com', suggestion: 'jane@gmail.com' };
const sent: LinkPageFacts = {
  minutesLeft: 26,
  reference: 'MZJ10273',
  createdAt: Date.UTC(2026, 10, 21, 12),
  now: Date.UTC(2026, 10, 21, 12, 3),
  sender: { browser: 'Firefox', system: 'Windows', country: 'DE' },
};

/** Every page in every state. */
export const PAGES: Readonly<Record<string, (place: PagePlace) => Page>> = {
  sent: code({}),
  queued: code({ mail: 'queued' }),
  delayed: code({ mail: 'delayed', resendInSeconds: 0 }),
  failed: code({ mail: 'failed', resendInSeconds: 0 }),
  'no-more-mails': code({ resendInSeconds: null }),
  'long-domain': code({ domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com` }),
  suggestion: code({ domain: 'gmial.com', suggestion: 'jane+shop@gmail.com' }),
  'long-suggestion': code({ domain: 'gmial.com', suggestion: `${'a'.repeat(64)}@protonmail.com` }),
  'international-suggestion': code({ domain: 'gmial.com', suggestion: 'يوحنا.佐藤@gmail.com' }),
  offer: (place) => offerPage(place, { ...offer, error: null }),
  'offer-app-away': (place) => offerPage(place, { ...offer, error: 'unreachable' }),
  'offer-impossible': (place) => offerPage(place, { ...offer, suggestion: null, error: 'impossible' }),
  'suggestion-impossible': code({}, { kind: 'impossible' }),
  wrong: code({}, { kind: 'wrong', triesLeft: 3 }),
  malformed: code({}, { kind: 'malformed' }),
  'code-expired': code({ resendInSeconds: 0 }, { kind: 'code-expired' }),
  'app-away': code({}, { kind: 'unreachable' }),
  'over-budget': code({}, { kind: 'too-many-mails', waitMinutes: 17 }),
  link: (place) => linkPage(place, sent, null),
  'link-of-a-program': (place) =>
    linkPage(place, { ...sent, sender: { browser: 'program', system: null, country: null } }, null),
  'link-of-nothing-known': (place) =>
    linkPage(place, { ...sent, sender: { browser: null, system: null, country: 'ZZ' } }, null),
  'link-app-away': (place) => linkPage(place, sent, 'unreachable'),
  closed: (place) => messagePage(place, 'closed'),
  locked: (place) => messagePage(place, 'locked'),
  reported: (place) => messagePage(place, 'reported'),
  unanswered: (place) => messagePage(place, 'unanswered'),
  'cross-site': (place) => messagePage(place, 'crossSite'),
  'too-many-mails': (place) => tooManyMailsPage(place, 60),
  'no-room': (place) => noRoomPage(place, 1),
};
