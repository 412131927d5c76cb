interface Props {
  readonly at: number;
  /** Hours and minutes alone, beside a time that has the day. */
  readonly brief?: boolean;
}

/** A moment. Written in UTC; the page's script turns it into the viewer's zone and keeps UTC for hovering. */
export function Time({ at, brief = false }: Props) {
  const iso = new Date(at).toISOString();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return (
    <time datetime={iso} title={utc} data-brief={brief ? '' : undefined}>
      {brief ? iso.slice(11, 16) : utc}
    </time>
  );
}
