/** What pages and mails say in one language. `{site}` is the host of `proxy.public_url`. */
export interface Translation {
  readonly blockPage: BlockPageTexts;
  readonly unreadPage: UnreadPageTexts;
  readonly verificationPages: VerificationPageTexts;
  readonly verificationMail: VerificationMailTexts;
}

/** Kind, because the page hits the wrong people too; without a reason, because it hits the right ones. */
export interface BlockPageTexts {
  readonly title: string;
  readonly heading: string;
  readonly whatHappened: string;
  readonly whatToDo: string;
  /** Before the request id. */
  readonly reference: string;
  /** The text of the link to the start page. */
  readonly back: string;
}

export interface UnreadPageTexts {
  readonly heading: string;
  readonly whatHappened: UnreadTexts;
  readonly whatToDo: UnreadTexts;
}

/** By what was wrong with a form: it was too large, or could be read in more than one way. */
export interface UnreadTexts {
  readonly tooLarge: string;
  readonly unclear: string;
}

/** `{domain}` is that of the mailbox. */
export interface VerificationPageTexts {
  readonly codeTitle: string;
  readonly sentTo: string;
  /** While a mail has not been taken by the server. */
  readonly mailQueued: string;
  readonly mailDelayed: string;
  readonly mailFailed: string;
  readonly timeLeft: string;
  readonly codeLabel: string;
  readonly codeHint: string;
  readonly confirm: string;
  readonly errorTitle: string;
  readonly malformedCode: string;
  readonly wrongCode: string;
  readonly codeExpired: string;
  readonly noMailTitle: string;
  readonly noMail: string;
  readonly resend: string;
  readonly resendWait: string;
  readonly resendNever: string;
  readonly tooManyMails: string;
  readonly linkTitle: string;
  readonly linkText: string;
  readonly sentAt: string;
  readonly sentWith: string;
  readonly sentFrom: string;
  /** `{browser}` and `{system}` are names. */
  readonly browserOnSystem: string;
  /** In place of a browser. */
  readonly program: string;
  readonly unknown: string;
  readonly reportTitle: string;
  readonly reportText: string;
  readonly report: string;
  readonly reportedTitle: string;
  readonly reportedText: string;
  readonly lockedTitle: string;
  readonly lockedText: string;
  readonly closedTitle: string;
  readonly closedText: string;
  readonly unreachable: string;
  readonly unansweredTitle: string;
  readonly unansweredText: string;
  readonly crossSiteTitle: string;
  readonly crossSiteText: string;
  readonly tooManyMailsTitle: string;
  readonly noRoomTitle: string;
  readonly noRoom: string;
  readonly toSite: string;
}

/** No text that a sender typed has a place in a mail. */
export interface VerificationMailTexts {
  readonly subject: string;
  readonly intro: string;
  readonly code: string;
  readonly codeMinutes: string;
  readonly link: string;
  readonly linkMinutes: string;
  readonly button: string;
  readonly ignore: string;
}
