import { resolve } from 'node:path';
import { hasControls } from './url-formats.ts';

/** The shortest secret: Standard Webhooks requires 24 to 64 bytes. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** The texts in the settings of the decision log and of webhooks. */
export const EXPORT_FORMATS = {
  'log-target': {
    expected: 'stdout, or the path of a file',
    accepts: (text: string) => text.trim().length > 0 && !hasControls(text),
    read: (text: string, folder: string): string => (text === 'stdout' ? text : resolve(folder, text)),
  },
  'webhook-secret': {
    expected: 'whsec_ and 24 to 64 random bytes in base64',
    accepts: (text: string) => {
      const bytes = bytesOfWebhookSecret(text)?.length ?? 0;
      return bytes >= MIN_SECRET_BYTES && bytes <= MAX_SECRET_BYTES;
    },
    advise: () => 'make one with: echo "whsec_$(openssl rand -base64 32)"',
  },
} as const;

/** The key in a secret of Standard Webhooks; null for any other text. */
export function bytesOfWebhookSecret(text: string): Buffer | null {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (base64 === undefined || base64.length % 4 !== 0) return null;
  return Buffer.from(base64, 'base64');
}
