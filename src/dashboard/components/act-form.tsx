import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../accounts/csrf.ts';

export function CsrfField({ token }: { readonly token: string }) {
  return <input type="hidden" name={CSRF_FIELD} value={token} />;
}

/** A posted form with the CSRF token. */
export function ActForm(props: {
  readonly action: string;
  readonly csrfToken: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <form method="post" action={props.action} class={props.class}>
      <CsrfField token={props.csrfToken} />
      {props.children}
    </form>
  );
}
