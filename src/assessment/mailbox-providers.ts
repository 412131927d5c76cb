/** How one provider reads local parts. A rule stands here only when the provider itself documents it. */
export interface MailboxProvider {
  /** The domain that its aliases are folded into; null where each domain has mailboxes of its own. */
  readonly foldsInto: string | null;
  /** Characters of a local part that the provider skips over. */
  readonly ignored: RegExp | null;
  /** What starts a tag that the provider skips. */
  readonly tagSeparator: '+' | '-';
  /** Whether `tag@name.domain` reaches `name@domain`. */
  readonly takesSubdomains: boolean;
}

const plusTags: MailboxProvider = {
  foldsInto: null,
  ignored: null,
  tagSeparator: '+',
  takesSubdomains: false,
};

/** support.google.com/mail answers 7436150 (dots do not matter) and 10313 (googlemail.com is gmail.com). */
const gmail: MailboxProvider = { ...plusTags, foldsInto: 'gmail.com', ignored: /\./g };
/** support.microsoft.com "Add or remove an email alias in Outlook.com": `+` tags. Every domain has its own names. */
const outlook: MailboxProvider = plusTags;
/** fastmail.help 360060591053, "Plus addressing and subdomain addressing". */
const fastmail: MailboxProvider = { ...plusTags, takesSubdomains: true };
/** proton.me/support "Addresses and aliases"; Proton's clients compare names without `.`, `_` and `-`. */
const proton: MailboxProvider = { ...plusTags, foldsInto: 'proton.me', ignored: /[._-]/g };
/** support.apple.com 102540: me.com and mac.com are the same mailbox; iCloud Mail delivers `+` tags. */
const icloud: MailboxProvider = { ...plusTags, foldsInto: 'icloud.com' };
/** help.yahoo.com SLN28338, disposable addresses: a base name, `-`, a keyword. Names have no hyphen otherwise. */
const yahoo: MailboxProvider = { ...plusTags, tagSeparator: '-' };

const names = (second: string, suffixes: string) =>
  suffixes.split(' ').map((suffix) => `${second}.${suffix}`);

const DOMAINS: readonly (readonly [MailboxProvider, readonly string[]])[] = [
  [gmail, ['gmail.com', 'googlemail.com']],
  [
    outlook,
    [
      'msn.com',
      'passport.com',
      'windowslive.com',
      ...names(
        'outlook',
        'com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk co.id co.il co.nz co.th com.ar com.au com.br com.gr com.pe com.tr com.vn',
      ),
      ...names(
        'hotmail',
        'com be ca cl co.id co.il co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.hk com.mx com.tr com.tw com.vn de dk es fi fr gr hu it lt lv my nl no ph rs se sg sk',
      ),
      ...names(
        'live',
        'com at be ca cl cn co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg de dk fi fr hk ie in it jp nl no ru se',
      ),
    ],
  ],
  [
    fastmail,
    [...names('fastmail', 'com fm cn co.uk com.au de es im in jp mx net nl org se to tw uk us'), 'sent.com'],
  ],
  [proton, ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me']],
  [icloud, ['icloud.com', 'me.com', 'mac.com']],
  [
    yahoo,
    [
      'ymail.com',
      'rocketmail.com',
      ...names(
        'yahoo',
        'com ca co.id co.in co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ve com.vn de dk es fi fr gr ie in it nl no pl ro se',
      ),
    ],
  ],
];

/** Providers by the exact domain of their mailboxes. Yahoo Japan is another company with rules of its own: not here. */
export const MAILBOX_PROVIDERS: ReadonlyMap<string, MailboxProvider> = new Map(
  DOMAINS.flatMap(([provider, domains]) => domains.map((domain) => [domain, provider] as const)),
);
