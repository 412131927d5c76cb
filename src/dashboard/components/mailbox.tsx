/** A mailbox that breaks before its domain where the line is too short. */
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
