const MINUTE_MS = 60_000;

interface Props {
  readonly at: number;
  /** Shows only hours and minutes, beside a time that shows the day. */
  readonly brief?: boolean;
  /** Shows an exact time in place of a distance; `minute` leaves out the seconds. */
  readonly exact?: boolean | 'minute';
}

/** A time in UTC. The script of the page shows it as `5 minutes ago`, and on hover in the viewer's zone and in UTC. */
export function Time({ at, brief = false, exact = false }: Props) {
  const iso = new Date(at).toISOString();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return (
    <time
      datetime={iso}
      title={utc}
      data-brief={brief ? '' : undefined}
      data-exact={exact === 'minute' ? exact : exact ? '' : undefined}
    >
      {brief ? iso.slice(11, 16) : exact === 'minute' ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : utc}
    </time>
  );
}

/** From the first to the last time; one time when both are in the same minute, since the script would show the same words twice. */
export function TimeSpan({ from, to }: { readonly from: number; readonly to: number }) {
  if (to - from < MINUTE_MS) return <Time at={to} />;
  return (
    <>
      <Time at={from} /> to <Time at={to} />
    </>
  );
}
