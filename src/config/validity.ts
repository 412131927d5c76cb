/** Answers what a check may rely on while other parts of the document are wrong. */
export interface Validity {
  /** Nothing is wrong at, above or below a place. */
  isSound(pointer: string): boolean;
  /** Nothing is wrong at or above a place: it has its shape, whatever is wrong inside. */
  isShaped(pointer: string): boolean;
}

/** @param unsound JSON Pointers of the mistakes of the shape; those found by checks afterwards do not count. */
export function createValidity(unsound: ReadonlySet<string>): Validity {
  const wrong = new Set(unsound);
  const wrongBelow = new Set([...unsound].flatMap((pointer) => [...parentsOf(pointer)]));
  const isShaped = (pointer: string) =>
    !wrong.has(pointer) && ![...parentsOf(pointer)].some((p) => wrong.has(p));
  return { isShaped, isSound: (pointer) => !wrongBelow.has(pointer) && isShaped(pointer) };
}

function* parentsOf(pointer: string): Generator<string> {
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    yield pointer.slice(0, end);
    if (end === 0) return;
  }
}
