/** Which rows of the evaluation need a set: named when the set is missing. */
export const ROWS_OF_SETS: Readonly<Record<string, readonly string[]>> = {
  'disposable-domains-live.txt': [
    'disposable-domains-live',
    'name model',
    'probability of throwaway domains',
  ],
  'university-domains.txt': ['university-domains', 'name model', 'probability of throwaway domains'],
  'us-government-domains.txt': ['us-government-domains', 'name model', 'probability of throwaway domains'],
  'top-domains.txt': ['top-domains', 'name model', 'probability of throwaway domains'],
  'tor-exits.txt': ['tor-exits'],
  'cloud-ranges.txt': ['cloud-ranges'],
  'crawler-user-agents.txt': ['crawler-user-agents'],
  'browser-user-agents.yml': ['browser-user-agents'],
  'vpn-addresses.txt': ['addresses of a VPN service'],
  'hosting-asns.txt': ['networks of a public list of data centres'],
};

/** One sentence about a set that is missing. */
export function whyNotMeasured(file: string): string {
  const rows = ROWS_OF_SETS[file]?.join(', ') ?? 'its rows';
  return `${rows}: ${file} is not in ../shared/data, and --fetch has not downloaded it`;
}

/** Whether a row needs one of these files. */
export function needsOneOf(files: readonly string[], row: string): boolean {
  return files.some((file) => ROWS_OF_SETS[file]?.some((name) => row.startsWith(name)) ?? false);
}
