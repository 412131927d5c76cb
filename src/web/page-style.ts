import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The style of a page for visitors, to be put into it, and the policy under which that style applies. */
export interface PageStyle {
  readonly css: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
}

export interface PageStyleOptions {
  /** A file of `style/`, after the tokens and the frame. */
  readonly sheet: 'block.css' | 'verification.css';
  /** Where forms of the page and the redirects that answer them may lead. */
  readonly formAction: string;
}

/** Nothing runs and nothing is loaded; the style counts by its hash. */
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

/** Visitors have browsers of before 2024, which know no `light-dark()`: they get a media query instead. */
function withoutLightDark(css: string): string {
  const pairs = /(--[\w-]+): light-dark\(([^,]+), ([^)]+)\)/g;
  const dark = [...css.matchAll(pairs)].map(([, name, , value]) => `${name}: ${value};`).join(' ');
  return `${css.replace(pairs, '$1: $2')}@media (prefers-color-scheme: dark) { :root { ${dark} } }`;
}
