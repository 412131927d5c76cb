import type { PageTexts } from './texts.ts';

export const en: PageTexts = {
  codeTitle: 'Check your mail',
  sentTo:
    'To finish your sign-up, enter the six digits that were mailed to your address at {domain}, or open the link in that mail.',
  mailQueued: 'The mail is on its way.',
  mailDelayed: 'The mail is taking longer than usual. We keep trying to send it.',
  mailFailed: 'The mail could not be sent. If your address is right, try again.',
  timeLeft: 'You have {minutes} min left.',
  codeLabel: 'Code from the mail',
  codeHint: 'Six digits',
  confirm: 'Confirm',
  errorTitle: 'That did not work',
  malformedCode: 'Enter the six digits from the mail.',
  wrongCode: 'This code is not right. Tries left: {tries}.',
  codeExpired: 'This code has run out. Open the link in the mail, or have a new mail sent.',
  noMailTitle: 'No mail?',
  noMail:
    'Look among the unwanted mails too. If {domain} is not right, go back to {site} and sign up again. A new mail brings a new code; the old one then stops working.',
  resend: 'Send a new mail',
  resendWait: 'A new mail can be sent in {seconds} s.',
  resendNever: 'No further mail can be sent for this sign-up.',
  tooManyMails: 'Too many mails have been sent. Try again in {minutes} min.',
  linkTitle: 'Confirm your sign-up',
  linkText: 'Somebody is signing up at {site} with this email address. If that is you, confirm it here.',
  linkWarning: 'If it is not you, close this page: nothing will happen.',
  lockedTitle: 'Too many wrong codes',
  lockedText: 'To be safe, this sign-up was closed. You can go back to {site} and sign up again.',
  closedTitle: 'This page is no longer valid',
  closedText:
    'If your sign-up was confirmed, all is done. Otherwise the time ran out, or the link is not complete: go back to {site} and sign up again.',
  unreachable: '{site} does not answer right now. Your sign-up is kept. Please try again in a moment.',
  unansweredTitle: 'Your address is confirmed',
  unansweredText:
    'But {site} gave no answer, so we do not know whether your sign-up is complete. Try to sign in. If that does not work, sign up again: no new mail will be needed.',
  crossSiteTitle: 'This came from another site',
  crossSiteText:
    'The form was sent from a page that is not ours, so nothing was done. Open the link in the mail, or the page on which you signed up.',
  tooManyMailsTitle: 'Please wait a moment',
  toSite: 'Go to {site}',
};
