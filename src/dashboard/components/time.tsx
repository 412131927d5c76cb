/** A moment. Written in UTC; the page's script turns it into the viewer's zone and keeps UTC for hovering. */
export function Time({ at }: { readonly at: number }) {
  const iso = new Date(at).toISOString();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return (
    <time datetime={iso} title={utc}>
      {utc}
    </time>
  );
}
