import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Language } from './languages.ts';
import type { Page } from './own-reply.ts';
import { nameOfSite, type Site } from './site.ts';

export interface PageContent {
  readonly language: Language;
  readonly site: Site;
  /** `proxy.public_url`; null when the page belongs to no public site. */
  readonly publicUrl: string | null;
  readonly title: string;
  /** An error, shown before the title in the browser's tab. */
  readonly error?: string | null;
  readonly content: ComponentChildren;
}

/** A whole page. Preact escapes all text, so the style must not contain `<`, `&` or `"`. */
export function renderPage({ language, site, publicUrl, title, error = null, content }: PageContent): Page {
  // Forms may lead to any site, since browsers also apply this policy to the redirect in the app's answer.
  const { css, policy } = site.styleOf({ sheet: 'verification.css', formAction: "'self' https: http:" });
  const html = `<!doctype html>\n${renderToString(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{error === null ? title : `${error} – ${title}`}</title>
        <style>{css}</style>
      </head>
      <body>
        <main>
          <SiteHead site={site} publicUrl={publicUrl} />
          {content}
        </main>
      </body>
    </html>,
  )}\n`;
  return { html, policy };
}

/** The logo, or else the name. A site without a logo and a name has no head. */
function SiteHead({ site, publicUrl }: Pick<PageContent, 'site' | 'publicUrl'>) {
  const { name, logo } = site;
  if (logo === null) return name === null ? null : <p class="site">{name}</p>;
  return (
    <p class="site">
      <img class={logo.knowsDark ? undefined : 'plate'} src={logo.url} alt={nameOfSite(site, publicUrl)} />
    </p>
  );
}
