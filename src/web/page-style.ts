import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrandColours } from './brand-colours.ts';

/** The inline style of a page for visitors, and the policy that allows this style. */
export interface PageStyle {
  readonly css: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
}

export interface PageStyleOptions {
  /** The file in `style/` that comes after the tokens and the frame. */
  readonly sheet: 'block.css' | 'reference.css' | 'verification.css';
  /** The allowed targets of forms on the page and of redirects that answer them. */
  readonly formAction: string;
}

/** The parts of a site that its style needs. */
export interface StyledSite {
  readonly colours?: BrandColours | null;
  readonly logo?: object | null;
}

/** No script runs and no resource loads; a logo is part of the page. The style is allowed by its hash. */
export function pageStyle(options: PageStyleOptions & StyledSite): PageStyle {
  const { sheet, formAction, colours = null, logo = null } = options;
  const css = [
    withoutLightDark(readSheet('tokens.css')),
    readSheet('page.css'),
    readSheet(sheet),
    ...(colours === null ? [] : [brandStyle(colours)]),
  ].join('');
  const policy = [
    "default-src 'none'",
    ...(logo === null ? [] : ['img-src data:']),
    `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    // A form of the site may be in a frame of the site.
    "frame-ancestors 'self'",
  ].join('; ');
  return { css, policy };
}

function readSheet(name: string): string {
  const text = readFileSync(new URL(`style/${name}`, import.meta.url), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|\s+/g, ' ').trim();
}

/** The site's colour in place of the built-in one. */
function brandStyle({ ground, onGround, light, dark }: BrandColours): string {
  return (
    `:root { --brand: ${ground}; --on-brand: ${onGround}; --accent: ${light}; }` +
    `@media (prefers-color-scheme: dark) { :root { --accent: ${dark}; } }`
  );
}

/** Browsers before 2024 do not support `light-dark()`, so visitors get a media query instead. */
function withoutLightDark(css: string): string {
  const pairs = /(--[\w-]+): light-dark\(([^,]+), ([^)]+)\)/g;
  const dark = [...css.matchAll(pairs)].map(([, name, , value]) => `${name}: ${value};`).join(' ');
  return `${css.replace(pairs, '$1: $2')}@media (prefers-color-scheme: dark) { :root { ${dark} } }`;
}
