/** The texts of pages and mails in one language. `{site}` is `site.name`, or else the host of `proxy.public_url`. */
export interface Translation {
  readonly blockPage: BlockPageTexts;
  readonly unreadPage: UnreadPageTexts;
  readonly verificationPages: VerificationPageTexts;
  readonly verificationMail: VerificationMailTexts;
  readonly accountMails: AccountMailTexts;
}

/** Mails of the dashboard to its users. `{site}` is the host of `dashboard.public_url`. `site.texts` does not change them. */
export interface AccountMailTexts {
  readonly accountSubject: string;
  readonly registration: string;
  readonly invitation: string;
  readonly setUpButton: string;
  readonly alreadyRegistered: string;
  readonly signInButton: string;
  readonly passwordSubject: string;
  readonly passwordReset: string;
  readonly passwordButton: string;
  readonly emailSubject: string;
  readonly emailChange: string;
  readonly emailButton: string;
  readonly emailChangedSubject: string;
  readonly emailChanged: string;
  readonly twoFactorRemovedSubject: string;
  readonly twoFactorRemoved: string;
  /** The time for which the link of the mail works. */
  readonly linkHours: string;
  readonly linkDays: string;
  readonly linkMinutes: string;
  readonly ignore: string;
  readonly ignoreInvitation: string;
  readonly nothingChanged: string;
  readonly tellOperator: string;
}

/**
 * The text is polite, since legitimate users see the page too. It does not give the reason, since attackers see the
 * page too.
 */
export interface BlockPageTexts {
  readonly title: string;
  readonly heading: string;
  readonly whatHappened: string;
  readonly whatToDo: string;
  /** The text before the request id. */
  readonly reference: string;
  /** The text of the link to `site.contact`. */
  readonly contact: string;
  /** The text of the link to the start page. */
  readonly back: string;
}

export interface UnreadPageTexts {
  readonly heading: string;
  readonly whatHappened: UnreadTexts;
  readonly whatToDo: UnreadTexts;
}

/** One text for each reason: too large, readable in more than one way, too slow, or too many requests at the moment. */
export interface UnreadTexts {
  readonly tooLarge: string;
  readonly unclear: string;
  readonly tooSlow: string;
  readonly busy: string;
}

/** `{domain}` is the domain of the mailbox. */
export interface VerificationPageTexts {
  readonly codeTitle: string;
  readonly sentTo: string;
  /** The state of a mail that the server has not accepted yet. */
  readonly mailQueued: string;
  readonly mailDelayed: string;
  readonly mailFailed: string;
  readonly timeLeft: string;
  /** The text above a button with the address that the sender probably meant. */
  readonly suggestionTitle: string;
  readonly suggestionText: string;
  /** The button. `{address}` is the suggested address. */
  readonly useSuggestion: string;
  readonly keepAddress: string;
  readonly suggestionImpossible: string;
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
  /** The text in place of the name of a browser. */
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

/** Mails contain no text that a sender typed. */
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
