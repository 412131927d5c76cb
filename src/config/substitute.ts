import { mapScalars } from './map-scalars.ts';
import { shorten, toPointer } from './pointer.ts';
import { reasonOf, remedyOf, type TextFile } from './read-text-file.ts';

export interface PlaceholderSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Throws when the file cannot be read. */
  readonly readSecret: (path: string) => TextFile;
}

export interface Substituted {
  readonly value: unknown;
  /** Places whose text came from a placeholder, wholly or partly. */
  readonly changed: ReadonlySet<string>;
  /** Places whose value came from a file. Never print these values, whatever their setting. */
  readonly fromFiles: ReadonlySet<string>;
  readonly issues: readonly {
    readonly pointer: string;
    readonly message: string;
    readonly hint: string | null;
  }[];
  readonly warnings: readonly { readonly pointer: string; readonly message: string }[];
}

/** The longest value from a file. A longer file is the wrong file. */
const MAX_SECRET_LENGTH = 65_536;
const PLACEHOLDER = /\$\$\{|\$\{([^}]*)\}?/g;

/**
 * Replaces `${NAME}` and `${file:/path}` in every string of a document, except in keys; `$${` is a plain `${`.
 * Placeholders in inserted text are not replaced. A line end at the end of a file is removed, because editors add it.
 */
export function substitute(document: unknown, { env, readSecret }: PlaceholderSources): Substituted {
  const changed = new Set<string>();
  const fromFiles = new Set<string>();
  const issues: Substituted['issues'][number][] = [];
  const warnings: Substituted['warnings'][number][] = [];

  const fromFile = (path: string, pointer: string): string => {
    fromFiles.add(pointer);
    try {
      const { text, openToOthers } = readSecret(path);
      if (text.length > MAX_SECRET_LENGTH) throw new Error(`larger than ${MAX_SECRET_LENGTH / 1_024} KB`);
      if (openToOthers) {
        const message = `${shorten(path)} can be read by every user of this machine; chmod 640 or 600 it`;
        warnings.push({ pointer, message });
      }
      return text.replace(/\r?\n$/, '');
    } catch (error) {
      const message = `cannot read the file ${shorten(path)}: ${reasonOf(error)}`;
      const hint = remedyOf(error) ?? 'create it, or allow this user to read it';
      issues.push({ pointer, message, hint });
      return '';
    }
  };
  const fromEnv = (name: string, pointer: string): string => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) {
      issues.push({
        pointer,
        message: `the environment variable ${name} is not set`,
        hint: `set ${name}, or remove \${${name}}`,
      });
    }
    return value ?? '';
  };
  const fill = (text: string, pointer: string): string =>
    text.replace(PLACEHOLDER, (placeholder, inner: string | undefined) => {
      if (inner === undefined) return '${';
      const closed = placeholder.endsWith('}');
      if (closed && inner.startsWith('file:') && inner.length > 5) return fromFile(inner.slice(5), pointer);
      if (closed && /^[A-Za-z_]\w*$/.test(inner)) return fromEnv(inner, pointer);
      issues.push({
        pointer,
        // The text is not quoted, because it may be a part of a secret.
        message: 'text that begins with ${ is not a placeholder',
        hint: `write \${NAME} or \${file:/path}, or $\${ for a plain \${`,
      });
      return '';
    });
  const value = mapScalars(undefined, document, (scalar, steps) => {
    if (typeof scalar !== 'string') return scalar;
    const pointer = toPointer(steps);
    if (isShellVariable(scalar, env)) {
      const message = `a name after $ without braces is plain text; write \${NAME} for an environment variable`;
      warnings.push({ pointer, message });
    }
    if (!scalar.includes('${')) return scalar;
    changed.add(pointer);
    return fill(scalar, pointer);
  });
  return { value, changed, fromFiles, issues, warnings };
}

/** `$NAME`, as a shell writes it. Inside a longer text, which may be a password, only when there is such a variable. */
function isShellVariable(text: string, env: PlaceholderSources['env']): boolean {
  if (/^\$[A-Z_][A-Z\d_]*$/.test(text)) return true;
  return [...text.matchAll(/\$([A-Z_][A-Z\d_]*)/g)].some(([, name = '']) => Object.hasOwn(env, name));
}
