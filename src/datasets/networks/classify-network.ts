import type { NetworkClass } from '../datasets.ts';
import { KNOWN_NETWORKS } from './known-networks.ts';

/**
 * Rules for the organisation's name, tried in this order; the first match decides. Most words match only as whole
 * words: "cloud" does not match "McCloud", nor "host" "ghost". An organisation that both connects people and hosts
 * servers gets the class of people. A wrong `hosting` makes a person verify; a wrong `access` only loses one clue of
 * several.
 */
const RULES: readonly (readonly [networkClass: NetworkClass, names: RegExp])[] = [
  // Schools, universities and the research networks that connect them.
  [
    'education',
    /\b(universi\w*|college\w*|schools?|education\w*|academic|academy|polytechnic\w*|politecnic\w*|hochschule|institute of technology|nren|k-?12)\b/,
  ],
  ['vpn', /vpn\b|\b(mullvad|packethub|tefincom|windscribe|cyberghost|torguard|private internet access)\b/],
  // An organisation with both words mainly sells connections: "Example Telecom and Hosting".
  ['access', /\bbroadband\b|^(?=.*(telecom|telekom|fib(er|re|ra)\b|cable|wireless|\bisp\b)).*hosting/],
  // Words that only server hosts use in their names.
  [
    'hosting',
    /\bhost(?!el|etler)\w+|hosting\b|\w{2}host\b|\b(vps|vds|colo|colocation|dedicated servers?|servers|idc|sakura internet|gmo internet)\b|\bdata-? ?cent(er|re)s?\b/,
  ],
  [
    'mobile',
    /\b(mobile|cellular|celular\w*|movil\w*|moviles|movistar|gsm|vodacom|turkcell|docomo|mtn|safaricom)\b/,
  ],
  [
    'access',
    /telecom|telekom|telefon|chinanet|\b(telco|telephone|cable\w*|catv|kabel\w*|broadband|breitband|fib(er|re|ra)\w*|wireless|wi-?fi|wimax|isp|internet|a?dsl|banda (larga|ancha)|provedor\w*|cooperative|stadtwerke|television|tv|vsat|communications|comunicacoes|comunicaciones|china unicom)\b/,
  ],
  // Words that other organisations use too. If no rule above matches, an organisation with such a word hosts servers.
  ['hosting', /\b(?<!st\. )(cloud|cdn|server|hosts?)\b/],
  [
    'business',
    /\b(bank|banque|banco|insurance|hospital|clinic|health|airlines?|airways|motors?|pharma\w*|ministry|department of|government|defen[cs]e|dod|state of|county|city of|province of|headquarters|air force|army|navy|laborator(y|ies)|aeronautics|commission|authority|council|municipal\w*|ministeri\w*|ministere|librar(y|ies)|museum|credit union|securities)\b/,
  ],
];

/**
 * The use of an autonomous system: from its number when the number is known, otherwise from the name of its
 * organisation. Null when both are unknown.
 */
export function classifyNetwork(asn: number, organisation: string): NetworkClass | null {
  const known = KNOWN_NETWORKS.get(asn);
  if (known !== undefined) return known;
  const name = plainText(organisation);
  return RULES.find(([, names]) => names.test(name))?.[0] ?? null;
}

/**
 * The limit of a name. The longest name of the ASN table has 167 characters, but a user's file may contain any text.
 */
const MAX_NAME_LENGTH = 200;

/** Lower case without diacritics, so that one spelling of a rule covers Universität and Universidad. */
function plainText(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
