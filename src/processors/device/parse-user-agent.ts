import { isbotMatch } from 'isbot';
import { UAParser } from 'ua-parser-js';

/** What the libraries recognise in a user agent. Null where they recognise nothing. */
export interface ParsedUserAgent {
  /** `Chrome`, `Samsung Internet`, `Instagram` … */
  readonly browser: string | null;
  readonly version: string | null;
  /** `Windows`, `Mac OS`, `iOS`, `Android` … */
  readonly system: string | null;
  /** The part that gives a crawler, library or other program away. Whatever the sender wrote: never show it as it is. */
  readonly botMatch: string | null;
}

/**
 * The one place that knows the user agent libraries. Only browser and system are asked for: all of ua-parser-js costs
 * 37 µs, these two 14 µs. It looks at the first 500 characters, so its cost is bounded.
 */
export function parseUserAgent(text: string): ParsedUserAgent {
  const parser = new UAParser(text);
  const { name, version } = parser.getBrowser();
  return {
    browser: name ?? null,
    version: version ?? null,
    system: parser.getOS().name ?? null,
    botMatch: isbotMatch(text),
  };
}
