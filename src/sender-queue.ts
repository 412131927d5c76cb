/** What waits, by sender. Senders take turns: one item of each, then the next item of each. */
export interface SenderQueue<T> {
  /** The number of items. */
  readonly size: number;
  /** The number of senders with items. */
  readonly senders: number;
  /** The number of items of this sender. */
  countOf(sender: string): number;
  /** The number of items of the sender with most of them. */
  most(): number;
  add(sender: string, item: T): void;
  /** Adds an item that was taken too early: it comes first in the turn of its sender. */
  addAgain(sender: string, item: T): void;
  /** Removes and returns the item whose turn is next. */
  next(): T | undefined;
  /** Removes and returns the newest item of the sender with most of them. */
  removeNewestOfMost(): T | undefined;
}

/** The queue is not bounded: its caller must limit the number of items. */
export function createSenderQueue<T>(): SenderQueue<T> {
  /** The sender whose turn is next comes first. */
  const queues = new Map<string, T[]>();
  /** Goes on behind the senders that it has moved to the end. A new one would search through their old places. */
  let turns = queues.entries();
  let size = 0;

  function queueOf(sender: string): T[] {
    const present = queues.get(sender);
    if (present) return present;
    const queue: T[] = [];
    queues.set(sender, queue);
    return queue;
  }

  function longest(): readonly [sender: string, queue: T[]] {
    let found: readonly [string, T[]] = ['', []];
    for (const entry of queues) if (entry[1].length > found[1].length) found = entry;
    return found;
  }

  function nextTurn(): IteratorResult<[string, T[]]> {
    const turn = turns.next();
    if (!turn.done) return turn;
    turns = queues.entries();
    return turns.next();
  }

  return {
    get size() {
      return size;
    },
    get senders() {
      return queues.size;
    },
    countOf: (sender) => queues.get(sender)?.length ?? 0,
    most: () => longest()[1].length,
    add(sender, item) {
      queueOf(sender).push(item);
      size++;
    },
    addAgain(sender, item) {
      queueOf(sender).unshift(item);
      size++;
    },
    next() {
      const turn = nextTurn();
      if (turn.done) return undefined;
      const [sender, queue] = turn.value;
      queues.delete(sender);
      const item = queue.shift();
      if (queue.length > 0) queues.set(sender, queue);
      size--;
      return item;
    },
    removeNewestOfMost() {
      const [sender, queue] = longest();
      const item = queue.pop();
      if (item === undefined) return undefined;
      if (queue.length === 0) queues.delete(sender);
      size--;
      return item;
    },
  };
}
