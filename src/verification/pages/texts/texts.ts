/** What the pages say. `{site}` is the host of `proxy.public_url`, `{domain}` that of the mailbox. */
export interface PageTexts {
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
