import {
  type CodePageError,
  type CodePageFacts,
  codePage,
  linkPage,
  messagePage,
  type PagePlace,
  tooManyMailsPage,
} from '../../../src/verification/pages/verify-pages.ts';

const facts: CodePageFacts = { domain: 'example.com', minutesLeft: 29, mail: 'sent', resendInSeconds: 42 };
const code =
  (changes: Partial<CodePageFacts>, error: CodePageError | null = null) =>
  (place: PagePlace) =>
    codePage(place, { ...facts, ...changes }, error);

/** Every page in every state. */
export const PAGES: Readonly<Record<string, (place: PagePlace) => string>> = {
  sent: code({}),
  queued: code({ mail: 'queued' }),
  delayed: code({ mail: 'delayed', resendInSeconds: 0 }),
  failed: code({ mail: 'failed', resendInSeconds: 0 }),
  'no-more-mails': code({ resendInSeconds: null }),
  'long-domain': code({ domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com` }),
  wrong: code({}, { kind: 'wrong', triesLeft: 3 }),
  malformed: code({}, { kind: 'malformed' }),
  'code-expired': code({ resendInSeconds: 0 }, { kind: 'code-expired' }),
  'app-away': code({}, { kind: 'unreachable' }),
  'over-budget': code({}, { kind: 'too-many-mails', waitMinutes: 17 }),
  link: (place) => linkPage(place, 29, null),
  'link-app-away': (place) => linkPage(place, 29, 'unreachable'),
  closed: (place) => messagePage(place, 'closed'),
  locked: (place) => messagePage(place, 'locked'),
  unanswered: (place) => messagePage(place, 'unanswered'),
  'cross-site': (place) => messagePage(place, 'crossSite'),
  'too-many-mails': (place) => tooManyMailsPage(place, 60),
};
