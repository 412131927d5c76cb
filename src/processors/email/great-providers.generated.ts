// Generated from data/tables/great-providers.yaml by scripts/generate-tables.ts. Edit that file, then run: npm run tables
export const GREAT_PROVIDERS: readonly {
  readonly name: string;
  readonly isOneCompany: boolean;
  readonly suffixes: readonly string[];
}[] = [
  { name: 'gmail', isOneCompany: true, suffixes: [
      'com',
    ] },
  { name: 'yahoo', isOneCompany: true, suffixes: [
      'com', 'co.uk', 'fr', 'de', 'it', 'es', 'ca', 'com.br', 'co.in', 'in', 'co.jp', 'com.mx', 'com.ar',
      'com.au', 'co.id', 'com.ph', 'com.sg', 'com.tw', 'com.vn', 'com.hk', 'co.nz', 'co.za', 'ie', 'gr', 'ro',
      'se', 'pl',
    ] },
  { name: 'hotmail', isOneCompany: true, suffixes: [
      'com', 'co.uk', 'fr', 'it', 'de', 'es', 'be', 'nl', 'se', 'dk', 'no', 'fi', 'ca', 'ch', 'com.br',
      'com.ar', 'com.mx', 'com.tr', 'co.jp', 'gr',
    ] },
  { name: 'outlook', isOneCompany: true, suffixes: [
      'com', 'fr', 'de', 'es', 'it', 'pt', 'be', 'dk', 'cz', 'ie', 'in', 'jp', 'com.br', 'com.au', 'com.ar',
      'com.tr',
    ] },
  { name: 'icloud', isOneCompany: true, suffixes: [
      'com',
    ] },
  { name: 'googlemail', isOneCompany: true, suffixes: [
      'com',
    ] },
  { name: 'protonmail', isOneCompany: true, suffixes: [
      'com', 'ch',
    ] },
  { name: '126', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: '163', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'aol', isOneCompany: false, suffixes: [
      'com', 'de', 'co.uk', 'fr', 'it', 'es',
    ] },
  { name: 'live', isOneCompany: false, suffixes: [
      'com', 'co.uk', 'fr', 'nl', 'it', 'de', 'be', 'ca', 'com.au', 'com.mx', 'dk', 'no', 'se', 'cn',
    ] },
  { name: 'msn', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'gmx', isOneCompany: false, suffixes: [
      'de', 'net', 'at', 'ch', 'com', 'fr',
    ] },
  { name: 'ymail', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'rocketmail', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'me', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'mac', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'proton', isOneCompany: false, suffixes: [
      'me',
    ] },
  { name: 'qq', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'naver', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'web', isOneCompany: false, suffixes: [
      'de',
    ] },
  { name: 't-online', isOneCompany: false, suffixes: [
      'de',
    ] },
  { name: 'freenet', isOneCompany: false, suffixes: [
      'de',
    ] },
  { name: 'mail', isOneCompany: false, suffixes: [
      'ru', 'com',
    ] },
  { name: 'yandex', isOneCompany: false, suffixes: [
      'ru', 'com', 'by', 'kz', 'ua',
    ] },
  { name: 'rambler', isOneCompany: false, suffixes: [
      'ru',
    ] },
  { name: 'orange', isOneCompany: false, suffixes: [
      'fr',
    ] },
  { name: 'free', isOneCompany: false, suffixes: [
      'fr',
    ] },
  { name: 'wanadoo', isOneCompany: false, suffixes: [
      'fr',
    ] },
  { name: 'laposte', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'sfr', isOneCompany: false, suffixes: [
      'fr',
    ] },
  { name: 'libero', isOneCompany: false, suffixes: [
      'it',
    ] },
  { name: 'virgilio', isOneCompany: false, suffixes: [
      'it',
    ] },
  { name: 'tiscali', isOneCompany: false, suffixes: [
      'it', 'co.uk',
    ] },
  { name: 'comcast', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'verizon', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'att', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'sbcglobal', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'bellsouth', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'cox', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'charter', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'earthlink', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'optonline', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'btinternet', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'bigpond', isOneCompany: false, suffixes: [
      'com', 'net.au',
    ] },
  { name: 'optusnet', isOneCompany: false, suffixes: [
      'com.au',
    ] },
  { name: 'sympatico', isOneCompany: false, suffixes: [
      'ca',
    ] },
  { name: 'rogers', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'shaw', isOneCompany: false, suffixes: [
      'ca',
    ] },
  { name: 'telus', isOneCompany: false, suffixes: [
      'net',
    ] },
  { name: 'xtra', isOneCompany: false, suffixes: [
      'co.nz',
    ] },
  { name: 'uol', isOneCompany: false, suffixes: [
      'com.br',
    ] },
  { name: 'bol', isOneCompany: false, suffixes: [
      'com.br',
    ] },
  { name: 'terra', isOneCompany: false, suffixes: [
      'com.br',
    ] },
  { name: 'rediffmail', isOneCompany: false, suffixes: [
      'com',
    ] },
  { name: 'zoho', isOneCompany: false, suffixes: [
      'com', 'eu', 'in',
    ] },
  { name: 'fastmail', isOneCompany: false, suffixes: [
      'com', 'fm',
    ] },
  { name: 'seznam', isOneCompany: false, suffixes: [
      'cz',
    ] },
  { name: 'interia', isOneCompany: false, suffixes: [
      'pl',
    ] },
];
