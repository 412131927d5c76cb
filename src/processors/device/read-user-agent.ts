import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Finding } from '../../assessment/processor.ts';
import type { ClassificationCode } from '../../assessment/reasons.ts';
import type { DeviceDatasets } from '../../datasets/datasets.ts';
import { type ClaimedBrowser, readClaimedBrowser } from './claimed-browser.ts';
import { contradictionIn } from './contradictions.ts';
import { type ParsedUserAgent, parseUserAgent } from './parse-user-agent.ts';
import { STANDARD_BROWSERS } from './programs.generated.ts';
import { isMobileApplication, programIn } from './programs.ts';
import { type ClaimedRelease, findRelease } from './release-age.ts';

/** The result for one user agent. It does not depend on the time, so it can be cached. */
export interface UserAgentReading {
  readonly classification: Extract<ClassificationCode, 'standard_browser' | 'mobile_app' | 'unusual_browser'>;
  /** `Chrome 157 on Windows`. */
  readonly evidence: string | null;
  readonly fields: EvidenceFields;
  /** At most one finding: a program, or a contradiction. */
  readonly findings: readonly Finding[];
  /** Null when the age proves nothing: the version is missing, or the sender is a program. */
  readonly release: ClaimedRelease | null;
  readonly claimed: ClaimedBrowser;
}

/** The names are those of ua-parser-js. */
const COMMON_BROWSERS: ReadonlySet<string> = new Set(STANDARD_BROWSERS);

/** Web views and applications that name themselves. Android marks a web view with `; wv`. */
const IN_APP =
  /; wv\)|\[?FB(?:AN|AV|_IAB)\b|\bInstagram\b|\bMicroMessenger\/|\bSnapchat|\bTwitter for\b|\bPinterest\b|\bGSA\/|\bLine\/|\bKAKAOTALK\b|\bNAVER\(|\bmusical_ly|\bBytedanceWebview|\bLinkedInApp\b|\bWebViewApp\b|\bGoogleWv\/|\bViber\b|\bTelegram\b|\bbaiduboxapp\b|\bAlipayClient\/|\bExoPlayer/i;

/** The form in which applications for iPhone and Android name the device: `Shop/3.1 (iPhone; iOS 17.1; Scale/3.00)`. */
const APP_HOST =
  /^(?!Mozilla\/)[\w.&: -]{1,60}\/[\w.-]+ \((?:[^()]*[;,] ?)?(?:iPhone|iPad|iOS|Linux; ?(?:U; ?)?Android|Android)\b/i;

/** Reads a user agent once: its kind, whether a program sends it, whether it is possible, and its release date. */
export function readUserAgent(text: string, device: DeviceDatasets): UserAgentReading {
  const parsed = parseUserAgent(text);
  const claimed = readClaimedBrowser(text);
  const program = programIn(text, parsed.botMatch);
  if (program) {
    return {
      classification: 'unusual_browser',
      evidence: null,
      fields: {},
      findings: [program],
      release: null,
      claimed,
    };
  }
  const classification = classify(text, parsed, claimed);
  const fields = claimedFields(parsed, claimed);
  const contradiction = contradictionIn(text, claimed);
  const release = findRelease(text, claimed, device);
  const malformed =
    contradiction ?? (release === 'never_released' ? 'a version that was never released' : null);
  return {
    classification,
    evidence: describe(fields),
    fields,
    findings: malformed === null ? [] : [{ code: 'malformed_user_agent', evidence: malformed }],
    release: release === 'never_released' || malformed !== null ? null : release,
    claimed,
  };
}

function classify(
  text: string,
  { browser }: ParsedUserAgent,
  { engine, platform }: ClaimedBrowser,
): UserAgentReading['classification'] {
  if (isMobileApplication(text) || IN_APP.test(text) || APP_HOST.test(text)) return 'mobile_app';
  // A web view on iOS sends neither Safari's version nor its name.
  if (platform === 'ios' && engine === 'webkit' && !/\bSafari\//.test(text)) return 'mobile_app';
  if (engine === null || /\bElectron\//.test(text)) return 'unusual_browser';
  return browser !== null && COMMON_BROWSERS.has(browser) ? 'standard_browser' : 'unusual_browser';
}

function claimedFields(
  { browser, version, system }: ParsedUserAgent,
  { engine, major }: ClaimedBrowser,
): EvidenceFields {
  if (browser === null) return {};
  if (engine === null) return { browser };
  const number = version === null ? major : Number.parseInt(version, 10);
  return {
    browser,
    ...(number !== null && !Number.isNaN(number) && { version: number }),
    ...(system !== null && { system }),
  };
}

/** `Chrome 157 on Windows`, with the known parts only. */
function describe({ browser, version, system }: EvidenceFields): string | null {
  if (browser === undefined) return null;
  const name = version === undefined ? browser : `${browser} ${version}`;
  return system === undefined ? name : `${name} on ${system}`;
}
