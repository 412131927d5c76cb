import type { FindingCode } from '../../assessment/reasons.ts';

/** A user agent that no person sits behind, and what gave it away. */
export interface Program {
  readonly code: Extract<FindingCode, 'automation_tool' | 'headless_browser' | 'known_crawler'>;
  readonly evidence: string;
}

/** Browsers that a program drives, and test frameworks that say so. `Phantom/` is a wallet, `PhantomJS` is not. */
const HEADLESS =
  /\b(HeadlessChrome|HeadlessShell|PhantomJS|SlimerJS|CasperJS|Puppeteer|Playwright|Selenium|WebDriver|Cypress|jsdom|HtmlUnit|Zombie\.js|Nightmare|wkhtmltopdf|wkhtmltoimage|Splash|Headless)\b/i;

/**
 * Libraries, command-line clients, API clients and load or attack tools. The names are spelled as the programs send them
 * by default; where a name is an ordinary word it must stand at the beginning or before a slash.
 */
const TOOLS = new RegExp(
  [
    '^(curl|libcurl|Wget2?|aria2|HTTPie|xh|fetch|Ruby|Java|Python|Perl|PHP|Deno|Bun|node|got|hey|wrk|siege|k6|ab|Paw|AHC|Dispatch|gRPC-[a-z]+|grpc-[a-z-]+)(?=[/ ]|$)',
    '\\b(python-requests|python-urllib[0-9]?|python-httpx|aiohttp|httpx|urllib[23]?|pycurl|Scrapy|mechanize|MechanicalSoup)\\b',
    '\\b(Go-http-client|go-resty|fasthttp|colly|reqwest|hyper|ureq|libwww-perl|LWP::Simple|WWW-Mechanize|HTTP::Tiny)\\b',
    '\\b(node-fetch|node-superagent|axios|undici|needle|superagent|unirest(?:-[a-z]+)?)\\b',
    '\\b(Apache-HttpClient|Apache-HttpAsyncClient|Jakarta Commons-HttpClient|Java-http-client|ReactorNetty|HTTPClient)\\b',
    '\\b(GuzzleHttp|Guzzle|Symfony HttpClient|Symfony BrowserKit|Faraday|Typhoeus|rest-client|RestSharp|PEAR HTTP_Request2?|Zend_Http_Client)\\b',
    '\\b((?:Windows)?PowerShell|WinHttp|Microsoft URL Control|EventMachine|lftp|hackney|Mojolicious)\\b',
    '\\b(PostmanRuntime|insomnia|Hoppscotch|Thunder Client|bruno-runtime|RapidAPI)\\b',
    '\\b(Apache-JMeter|ApacheBench|Locust|Gatling|Artillery|autocannon|vegeta|bombardier)\\b',
    '\\b(sqlmap|nikto|zgrab|masscan|Nmap|Nuclei|WPScan|gobuster|dirbuster|ffuf|feroxbuster|Acunetix|Nessus|OpenVAS|hydra)\\b',
  ].join('|'),
  'i',
);

/** Words that programs use of themselves and people's browsers do not. */
const CRAWLER_WORD =
  /bot\b|bots\b|bot[/_-]|crawl|spider|slurp|archiv|monitor|checker|validator|preview|feed/i;

/** Frameworks that mobile applications speak with: their default user agents are bare names, like those of tools. */
const APP_FRAMEWORK = /\b(?:okhttp\/|CFNetwork\/|Dalvik\/|Alamofire\/|Dart\/\d)/i;

/**
 * Tells programs from people: by the table of tools first, because it says more, then by the crawler library.
 *
 * @param botMatch What the crawler library found, null when nothing.
 */
export function programIn(text: string, botMatch: string | null): Program | null {
  const headless = HEADLESS.exec(text)?.[0];
  if (headless !== undefined) return { code: 'headless_browser', evidence: headless };
  const crawls = CRAWLER_WORD.test(text);
  if (!crawls && isMobileApplication(text)) return null;
  const tool = TOOLS.exec(text)?.[0];
  if (tool !== undefined && !crawls) return { code: 'automation_tool', evidence: tool.trim() };
  if (botMatch === null) return null;
  if (!crawls && /^[\w.-]+(?:\/[\w.-]+)?$/.test(text)) {
    return { code: 'automation_tool', evidence: 'a bare name, as libraries send it' };
  }
  return { code: 'known_crawler', evidence: crawlerName(text) };
}

/** Whether a mobile application sent it: not a browser, but a person's all the same. */
export function isMobileApplication(text: string): boolean {
  return APP_FRAMEWORK.test(text);
}

/** The product token that names the crawler; never more of a text that the sender chose. */
function crawlerName(text: string): string {
  // Bounded, because an unbounded run of letters before the word would be searched once from each of them.
  const name = /\b[A-Za-z][\w-]{0,30}(?:bot|crawler|spider|slurp)\b/i.exec(text)?.[0];
  return name ?? 'spelled as crawlers spell it';
}
