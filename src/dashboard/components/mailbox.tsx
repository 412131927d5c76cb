import { Fragment } from 'preact';

/** A mailbox. When the line is too short, it breaks before the domain. */
export function Mailbox({ text }: { readonly text: string }) {
  const at = text.lastIndexOf('@');
  if (at <= 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}

/** A domain. When the line is too short, it breaks before a dot. */
export function Domain({ text }: { readonly text: string }) {
  const [first, ...others] = text.split('.');
  return (
    <>
      {first}
      {others.map((label, i) => (
        <Fragment key={i}>
          <wbr />.{label}
        </Fragment>
      ))}
    </>
  );
}
