import type { ComponentChildren } from 'preact';

/** A figure or a word with a definition that appears on hover and on focus. `id` is unique on its page. */
export function Defined(props: {
  readonly id: string;
  readonly definition: string;
  readonly children: ComponentChildren;
}) {
  const tip = `${props.id}-definition`;
  return (
    <span class="defined">
      <button type="button" class="term" aria-describedby={tip}>
        {props.children}
      </button>
      <span role="tooltip" id={tip}>
        {props.definition}
      </span>
    </span>
  );
}

/** One large figure with its name. */
export function Figure(props: {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly definition: string;
}) {
  return (
    <div class="figure">
      <Defined id={props.id} definition={props.definition}>
        {props.name}
      </Defined>
      <strong>{props.value}</strong>
    </div>
  );
}
