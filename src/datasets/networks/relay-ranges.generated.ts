// Generated from data/tables/relay-ranges.yaml by scripts/generate-tables.ts. Edit that file, then run: npm run tables
export const RELAY_RANGES: readonly string[] = [
  '104.28.0.0/14', '2606:54c0::/30', '2a09:bac0::/29', '140.248.0.0/18', '146.75.128.0/17', '2a04:4e41::/32',
];
