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

/** Whether a connection failed because the certificate of the other side is not trusted, has expired or is for another name. */
export function isAboutCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER/.test(code);
}
