/** An id with a button that copies it. Without scripts the id is selected by hand. `id` is unique on its page. */
export function CopyableId(props: { readonly id: string; readonly text: string; readonly name: string }) {
  return (
    <span class="copyable">
      <code id={props.id}>{props.text}</code>{' '}
      <button
        type="button"
        class="quiet small"
        data-act="copy"
        data-from={props.id}
        aria-label={`Copy the ${props.name}`}
        hidden
      >
        Copy
      </button>
    </span>
  );
}
