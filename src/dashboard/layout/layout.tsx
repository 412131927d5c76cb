import type { ComponentChildren } from 'preact';
import type { Viewer } from '../accounts/viewer.ts';
import type { StaticFiles } from '../static-files.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { isShownTo, NAVIGATION } from './navigation.ts';
import { SearchBox } from './search-box.tsx';
import { isWithin, ThemeButton, ViewerMenu } from './viewer-menu.tsx';

/** The frame of every page. */
export interface LayoutProps {
  readonly title: string;
  /** Path of the request without its query; marks the current page in the navigation. */
  readonly path: string;
  readonly viewer: Viewer | null;
  readonly csrfToken: string;
  /** The time of the server: the clock of the browser may be wrong. */
  readonly now: number;
  /** The theme that the user chose; null: the theme of the system. */
  readonly theme: 'light' | 'dark' | null;
  readonly urlOf: StaticFiles['urlOf'];
  /** Names of the static files of scripts that only this page needs. */
  readonly scripts?: readonly string[];
  readonly children: ComponentChildren;
}

/** Their order matters: a rule may override one of a file before it. */
const STYLES = [
  'uPlot.min.css',
  'tokens.css',
  'elements.css',
  'forms.css',
  'messages-and-figures.css',
  'decisions.css',
  'filters-and-outcomes.css',
  'tables.css',
  'frame.css',
  'account.css',
  'simulator.css',
];

export function Layout({
  title,
  path,
  viewer,
  csrfToken,
  now,
  theme,
  urlOf,
  scripts = [],
  children,
}: LayoutProps) {
  return (
    <html lang="en" data-theme={theme ?? undefined} data-now={now}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} – Gatekeeper`}</title>
        <link rel="icon" href={urlOf('icon.svg')} />
        {STYLES.map((name) => (
          <link key={name} rel="stylesheet" href={urlOf(name)} />
        ))}
        {['dashboard.js', 'keep-typed.js', ...(viewer ? ['keyboard.js'] : []), ...scripts].map((name) => (
          <script key={name} src={urlOf(name)} defer />
        ))}
      </head>
      <body class={viewer ? 'with-navigation' : 'alone'}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <a class="brand" href="/">
            <img src={urlOf('icon.svg')} alt="Start page" width="24" height="24" /> <span>Gatekeeper</span>
          </a>
          {viewer && <SearchBox csrfToken={csrfToken} />}
          <div class="corner">
            {viewer ? <ViewerMenu viewer={viewer} csrfToken={csrfToken} path={path} /> : <ThemeButton />}
          </div>
        </header>
        {viewer && <Navigation viewer={viewer} path={path} />}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        {viewer && <KeyboardHelp />}
      </body>
    </html>
  );
}

function Navigation({ viewer, path }: { readonly viewer: Viewer; readonly path: string }) {
  return (
    <nav class="places" aria-label="Pages">
      <ul>
        {NAVIGATION.filter((page) => isShownTo(viewer.role, page)).map(({ href, label }) => (
          <li key={href}>
            <a href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
