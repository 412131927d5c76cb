/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'broken';
  readonly message: string;
  /** The line of YAML or the command that solves the problem. Null when there is no problem. */
  readonly remedy: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message, remedy: null };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, state: 'warning', message, remedy };
}

export function broken(check: string, message: string, remedy: string): Finding {
  return { check, state: 'broken', message, remedy };
}

/** The code of a system error, or its message. */
export function codeOf(error: unknown): string {
  const { code, cause, message } = error as { code?: unknown; cause?: { code?: unknown }; message?: string };
  return String(code ?? cause?.code ?? message ?? error);
}

/** What to do when a connection failed because of the certificate of the other side. Null: it failed for another reason. */
export function certificateRemedy(code: string, setting: string): string | null {
  if (/CERT_HAS_EXPIRED/.test(code)) return 'renew its certificate';
  if (!/CERT|SIGNATURE|ISSUER/.test(code)) return null;
  return `use the host name of its certificate in ${setting}; for your own authority, start Gatekeeper with NODE_EXTRA_CA_CERTS=/path/to/ca.pem`;
}
