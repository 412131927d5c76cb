import type { Viewer } from '../accounts/viewer.ts';
import { CsrfField } from '../components/act-form.tsx';

interface Props {
  readonly viewer: Viewer;
  readonly csrfToken: string;
  readonly path: string;
}

export function ViewerMenu({ viewer, csrfToken, path }: Props) {
  return (
    <details class="menu">
      <summary>{viewer.name}</summary>
      <div>
        <a href="/account" aria-current={isWithin(path, '/account') ? 'page' : undefined}>
          Your account
        </a>
        <ThemeButton />
        <button type="button" class="quiet" data-act="show-keyboard-help" hidden>
          Keyboard shortcuts <kbd>?</kbd>
        </button>
        <form method="post" action="/sign-out">
          <CsrfField token={csrfToken} />
          <button type="submit" class="quiet">
            Sign out
          </button>
        </form>
      </div>
    </details>
  );
}

export function ThemeButton() {
  return (
    <button type="button" class="quiet" data-act="switch-theme" hidden>
      Light or dark
    </button>
  );
}

export function isWithin(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}
