import type { ComponentChildren } from 'preact';

/** What was done, or went wrong, at the top of a page. Screen readers say it at once. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'done' | 'error' | 'warning';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** Where there is nothing yet: what that means, and what to do next. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
