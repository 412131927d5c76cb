// Generated from data/tables/reserved-domains.yaml by scripts/generate-tables.ts. Edit that file, then run: npm run tables
export const RESERVED_DOMAINS: ReadonlySet<string> = new Set([
  'test', 'example', 'invalid', 'localhost', 'example.com', 'example.net', 'example.org', 'local', 'onion',
  'arpa', 'alt', 'internal',
]);
