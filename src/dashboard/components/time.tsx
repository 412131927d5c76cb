interface Props {
  readonly at: number;
  /** Hours and minutes only, beside a time that shows the day. */
  readonly brief?: boolean;
}

/** A time in UTC. The script of the page shows it in the time zone of the viewer, and in UTC on hover. */
export function Time({ at, brief = false }: Props) {
  const iso = new Date(at).toISOString();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return (
    <time datetime={iso} title={utc} data-brief={brief ? '' : undefined}>
      {brief ? iso.slice(11, 16) : utc}
    </time>
  );
}
