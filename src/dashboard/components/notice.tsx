import type { ComponentChildren } from 'preact';

/** A message at the top of a page about a success or an error. Screen readers read it at once. */
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

/** Shown for an empty list: what this means, and what to do next. */
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
