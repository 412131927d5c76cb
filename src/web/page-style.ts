import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The inline style of a page for visitors, and the policy that allows this style. */
export interface PageStyle {
  readonly css: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
}

export interface PageStyleOptions {
  /** The file in `style/` that follows the tokens and the frame. */
  readonly sheet: 'block.css' | 'reference.css' | 'verification.css';
  /** The allowed targets of forms on the page and of redirects that answer them. */
  readonly formAction: string;
}

/** No script runs and no resource loads. The style is allowed by its hash. */
export function pageStyle({ sheet, formAction }: PageStyleOptions): PageStyle {
  const css = `${withoutLightDark(readSheet('tokens.css'))}${readSheet('page.css')}${readSheet(sheet)}`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
  return { css, policy };
}

function readSheet(name: string): string {
  const text = readFileSync(new URL(`style/${name}`, import.meta.url), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|\s+/g, ' ').trim();
}

/** Browsers before 2024 do not support `light-dark()`, so visitors get a media query instead. */
function withoutLightDark(css: string): string {
  const pairs = /(--[\w-]+): light-dark\(([^,]+), ([^)]+)\)/g;
  const dark = [...css.matchAll(pairs)].map(([, name, , value]) => `${name}: ${value};`).join(' ');
  return `${css.replace(pairs, '$1: $2')}@media (prefers-color-scheme: dark) { :root { ${dark} } }`;
}
