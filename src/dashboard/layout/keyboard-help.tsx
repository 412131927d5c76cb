const SHORTCUTS: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['/'], 'Search'],
  [['j', 'k'], 'Next row, previous row'],
  [['Enter'], 'Open the row'],
  [['?'], 'Show these shortcuts'],
  [['Esc'], 'Close'],
];

/** Opened by a script. A user of speech input or of a switch can turn the shortcuts off (WCAG 2.1.4). */
export function KeyboardHelp() {
  return (
    <dialog id="keyboard-help" aria-labelledby="keyboard-help-title">
      <h2 id="keyboard-help-title">Keyboard shortcuts</h2>
      <dl>
        {SHORTCUTS.map(([keys, effect]) => (
          <>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </>
        ))}
      </dl>
      <label class="choice">
        <input type="checkbox" data-shortcuts checked /> Use shortcuts in this browser
      </label>
      <form method="dialog">
        <button type="submit" class="second">
          Close
        </button>
      </form>
    </dialog>
  );
}
