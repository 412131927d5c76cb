/**
 * Domains written down by hand, because no package names them or the packages name them wrongly. Each list says why.
 */

/** Forwarding services that hide the mailbox for privacy. Real people use them; the package lists none. */
export const RELAYS: readonly string[] = [
  // Apple Hide My Email, Firefox Relay, DuckDuckGo Email Protection.
  ...['privaterelay.appleid.com', 'mozmail.com', 'relay.firefox.com', 'duck.com'],
  // SimpleLogin (Proton) and Proton Pass: simplelogin.io/docs, "Domains".
  ...['simplelogin.com', 'simplelogin.co', 'simplelogin.io', 'simplelogin.fr', 'simplelogin.email'],
  ...['slmail.me', 'slmails.com', 'silomails.com', 'aleeas.com', 'dralias.com', '8alias.com', '8shield.net'],
  ...['passinbox.com', 'passmail.com', 'passmail.net', 'passfwd.com'],
  // addy.io, formerly AnonAddy: addy.io/faq, "Which domains".
  ...['addy.io', 'anonaddy.com', 'anonaddy.me', 'addymail.com', '4wrd.cc', 'mailer.me'],
  // Cloaked, IronVest (Blur), Firefox Relay's older name, StartMail, Fastmail masked email uses fastmail.com itself.
  ...[
    'cloaked.id',
    'myclkd.com',
    'clkdmail.com',
    'ironvest.com',
    'opayq.com',
    'emailn.de',
    'use.startmail.com',
  ],
];

/**
 * Suffixes on the private part of the public suffix list that sell their names for money like a registry does
 * (CentralNic and the like). Burners sit there as they sit under `.xyz`; that is no reason to doubt everybody else.
 */
export const PAID_SUFFIXES: readonly string[] = [
  ...[
    'com.de',
    'com.se',
    'co.com',
    'it.com',
    'uk.com',
    'uk.net',
    'us.com',
    'us.org',
    'eu.com',
    'de.com',
    'gb.net',
  ],
  ...[
    'gr.com',
    'ru.com',
    'sa.com',
    'se.net',
    'za.com',
    'za.net',
    'jpn.com',
    'jp.net',
    'br.com',
    'cn.com',
    'hu.net',
  ],
  ...[
    'mex.com',
    'ae.org',
    'in.net',
    'co.nl',
    'co.no',
    'co.pl',
    'com.ru',
    'msk.ru',
    'spb.ru',
    'nov.su',
    'biz.ua',
  ],
  ...['co.ua', 'africa.com', 'radio.am', 'radio.fm'],
];

/** Companies under whose names strangers get addresses that are no burners: none of them is a host of such. */
export const NOT_HOSTS: readonly string[] = ['craigslist.org'];

/** First names, places and years in the list of role accounts that people have as mailboxes of their own. */
export const NOT_ROLES: readonly string[] = [
  ...[
    'alexa',
    'alla',
    'gardner',
    'paris',
    'berlin',
    'chicago',
    'boston',
    'denver',
    'sydney',
    'montreal',
    'singapore',
  ],
  ...['stockholm', 'india', 'china', 'france', 'europe', 'angels', 'ladies', 'women', 'football', 'random'],
  ...[
    '123',
    '2015',
    '2016',
    '2017',
    '2018',
    '2019',
    '2020',
    '2021',
    '2022',
    '2023',
    '2024',
    '2025',
    '2026',
    '2027',
  ],
  ...['2028', '2029', '2030'],
  // Two letters are as often initials as a department.
  ...[
    'bd',
    'ca',
    'cm',
    'cs',
    'gm',
    'hi',
    'la',
    'lt',
    'md',
    'mt',
    'ny',
    'pd',
    'rh',
    'se',
    'sf',
    'ta',
    'uk',
    'us',
    'ux',
  ],
];

/** When somebody last went through these lists. */
export const WRITTEN_ON = '2026-11-21';
