import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { FindingCode } from '../../assessment/reasons.ts';
import {
  HEADLESS,
  SMALL_BROWSERS,
  TOOLS_ANYWHERE,
  TOOLS_AT_THE_START,
  TOOLS_BEFORE_A_SLASH,
} from './programs.generated.ts';

/** A user agent of a program instead of a person, and the evidence. */
export interface Program {
  readonly code: Extract<
    FindingCode,
    'automation_tool' | 'headless_browser' | 'known_crawler' | 'malformed_user_agent'
  >;
  readonly evidence: string;
  readonly fields?: EvidenceFields;
}

/**
 * Browsers that a program controls, and test frameworks that name themselves. The names are those of
 * `data/tables/programs.yaml`.
 */
const DRIVEN_BROWSER = new RegExp(`\\b(?:${alternatives(HEADLESS)})\\b`, 'i');

/**
 * Libraries, command-line clients, API clients and load or attack tools, in the default spelling of their user agent.
 */
const TOOL = new RegExp(
  [
    `^(?:${alternatives(TOOLS_AT_THE_START)})(?=[/ ]|$)`,
    `\\b(?:${alternatives(TOOLS_ANYWHERE)})\\b`,
    `\\b(?:${alternatives(TOOLS_BEFORE_A_SLASH)})(?=/)`,
  ].join('|'),
  'i',
);

/** Browsers of people whose names the crawler library does not know. */
const SMALL_BROWSER = new RegExp(`\\b(?:${alternatives(SMALL_BROWSERS)})\\b`, 'i');

/** Words that programs use for themselves and browsers do not. */
const CRAWLER_WORD =
  /bot\b|bots\b|bot[/_-]|crawl|spider|slurp|archiv|monitor|checker|validator|preview|feed/i;

/** HTTP frameworks of applications and games: their default user agents are bare names, like those of tools. */
const APP_FRAMEWORK =
  /\b(?:okhttp\/|CFNetwork\/|Dalvik\/|Alamofire\/|Dart\/\d|UnityPlayer\/\d|GodotEngine\/\d)/i;

/**
 * Distinguishes programs from people: first by the table of tools, which has more detail, then by the crawler library.
 * @param botMatch The match of the crawler library; null when it found no match.
 */
export function programIn(text: string, botMatch: string | null): Program | null {
  const headless = DRIVEN_BROWSER.exec(text)?.[0];
  if (headless !== undefined) return named('headless_browser', headless);
  const crawls = CRAWLER_WORD.test(text);
  if (!crawls && isMobileApplication(text)) return null;
  const tool = TOOL.exec(text)?.[0];
  if (tool !== undefined && !crawls) return named('automation_tool', tool.trim());
  if (botMatch === null || (!crawls && SMALL_BROWSER.test(text))) return null;
  if (!crawls && /^[\w.-]+\/[\w.-]+$/.test(text)) {
    return { code: 'automation_tool', evidence: 'a bare name, as libraries send it' };
  }
  if (!crawls && !text.includes('/')) return { code: 'malformed_user_agent', evidence: 'names no product' };
  const crawler = crawlerName(text);
  return crawler === null
    ? { code: 'known_crawler', evidence: 'spelled as crawlers spell it' }
    : named('known_crawler', crawler);
}

/** Whether a mobile application sent the user agent. It is not a browser, but a person uses it. */
export function isMobileApplication(text: string): boolean {
  return APP_FRAMEWORK.test(text);
}

function named(code: Program['code'], program: string): Program {
  return { code, evidence: program, fields: { program } };
}

/**
 * The product token that names the crawler; null when it is missing. No other part of the sender's text is returned.
 */
function crawlerName(text: string): string | null {
  // The length is bounded, because a search for an unbounded run of letters would start again at each letter.
  return /\b[A-Za-z][\w-]{0,30}(?:bot|crawler|spider|slurp)\b/i.exec(text)?.[0] ?? null;
}

/** Names as one pattern; their `*` is bounded, because the text is the sender's. */
function alternatives(names: readonly string[]): string {
  return names
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\*', '[a-z-]{1,20}'))
    .join('|');
}
