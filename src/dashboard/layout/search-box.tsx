import { CsrfField } from '../components/act-form.tsx';

/** The form uses POST, so no URL contains an email address. */
export function SearchBox({ csrfToken }: { readonly csrfToken: string }) {
  return (
    <search class="search">
      <form method="post" action="/search">
        <CsrfField token={csrfToken} />
        <input
          type="search"
          name="q"
          aria-label="Search"
          aria-keyshortcuts="/"
          placeholder="Request id, reference, mailbox, domain, IP, key"
          maxLength={300}
          autocomplete="off"
          spellcheck={false}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
