import type { ComponentChildren } from 'preact';
import type { Viewer } from '../accounts/viewer.ts';
import { CsrfField } from '../components/act-form.tsx';
import type { StaticFiles } from '../static-files.ts';
import { NAVIGATION } from './navigation.ts';

/** The frame of every page. */
export interface LayoutProps {
  readonly title: string;
  /** Path of the request without its query; marks the current page in the navigation. */
  readonly path: string;
  readonly viewer: Viewer | null;
  readonly csrfToken: string;
  /** The theme that the user chose; null: the theme of the system. */
  readonly theme: 'light' | 'dark' | null;
  readonly urlOf: StaticFiles['urlOf'];
  /** Names of the static files of scripts that only this page needs. */
  readonly scripts?: readonly string[];
  readonly children: ComponentChildren;
}

export function Layout({
  title,
  path,
  viewer,
  csrfToken,
  theme,
  urlOf,
  scripts = [],
  children,
}: LayoutProps) {
  return (
    <html lang="en" data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} – Gatekeeper`}</title>
        <link rel="icon" href={urlOf('icon.svg')} />
        <link rel="stylesheet" href={urlOf('uPlot.min.css')} />
        <link rel="stylesheet" href={urlOf('tokens.css')} />
        <link rel="stylesheet" href={urlOf('style.css')} />
        {['dashboard.js', ...scripts].map((name) => (
          <script key={name} src={urlOf(name)} defer />
        ))}
      </head>
      <body class={viewer ? 'with-navigation' : 'alone'}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <a class="brand" href="/">
            <img src={urlOf('icon.svg')} alt="" width="24" height="24" /> Gatekeeper
          </a>
          {viewer && <Navigation viewer={viewer} path={path} />}
          <div class="corner">
            <button
              type="button"
              class="quiet"
              data-act="switch-theme"
              aria-label="Switch between light and dark"
              hidden
            >
              ◐
            </button>
            {viewer && <ViewerMenu viewer={viewer} csrfToken={csrfToken} path={path} />}
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}

function Navigation({ viewer, path }: { readonly viewer: Viewer; readonly path: string }) {
  return (
    <nav aria-label="Pages">
      <ul>
        {NAVIGATION.filter(({ operatorsOnly }) => !operatorsOnly || viewer.role === 'operator').map(
          ({ href, label }) => (
            <li key={href}>
              <a href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

function ViewerMenu({
  viewer,
  csrfToken,
  path,
}: Pick<LayoutProps, 'csrfToken' | 'path'> & { readonly viewer: Viewer }) {
  return (
    <>
      <a class="viewer" href="/account" aria-current={isWithin(path, '/account') ? 'page' : undefined}>
        {viewer.name}
      </a>
      <form method="post" action="/sign-out">
        <CsrfField token={csrfToken} />
        <button type="submit" class="quiet">
          Sign out
        </button>
      </form>
    </>
  );
}

function isWithin(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}
