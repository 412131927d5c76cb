import { type ObservedCounts, WINDOWS_MS, type WindowCounts } from './counters.ts';
import { hashText, type TextHash } from './hash-text.ts';

/** Counts distinct members under many keys over the sliding windows, in a fixed amount of memory. */
export interface DistinctTable {
  /** Records the member under the key, and then returns the counts of the key. */
  observe(key: string, member: string, now: number): WindowCounts;
  /** Counts the member too, but does not change an existing member. `pendingAt` shows that a member was added. */
  observeProvisionally(key: string, member: string, now: number): ObservedCounts;
  /** Removes the member if it is still the member that was added at that time. */
  takeBack(key: string, member: string, pendingAt: number): void;
}

export interface DistinctTableOptions {
  /** The number of keys, rounded up to a power of two. Each key costs 52 bytes. */
  readonly maxKeys: number;
  /** Counts are exact below this number and do not exceed it. Each observation reads it again. */
  readonly membersPerKey: () => number;
  readonly seed: TextHash;
  /** The hash of a member. All tables of the same attempts use the same function. */
  readonly hashMember: (member: string) => number;
}

/** Keys that share a bucket. With eight, a table half full of hot keys evicts one of them in 50,000 buckets. */
const WAYS = 8;
/** The members that fit in the table, as a multiple of its keys. Most keys of a day have one or two members. */
const MEMBERS_PER_SLOT = 2;
/** The coldest of so many keys is evicted when all members are used. They are searched in so many slots. */
const SAMPLED = { keys: 64, slots: 512 } as const;
const NONE = 0;
const NOWHERE = -1;
/** A slot holds the key's hash, its latest node (NONE: empty), the number of members, and the last time in seconds. */
const SLOT_WORDS = 5;
const LOW = 0;
const HIGH = 1;
const HEAD = 2;
const SIZE = 3;
const SEEN = 4;
/** The positions of a node's member and of its next node, in words. The time is before them. */
const NODE_WORDS = 4;
const MEMBER = 2;
const NEXT = 3;
/** The stored time of a pending member is earlier by this amount. Times of confirmed members are whole milliseconds. */
const PENDING_MS = 0.5;
/** Slow requests are observed late. A larger difference means that the clock was set back. */
const LATE_MS = 60_000;

/**
 * A set-associative table over typed arrays. A key is a 64-bit hash in one of the eight slots of its bucket. Its
 * members are 32-bit hashes in a list, latest first, so that one walk counts all windows and removes old members.
 *
 * The table evicts the key with the fewest members, and among equals the oldest key. So a flood of new keys evicts its
 * own keys. A hot key is evicted only when its bucket has seven hotter keys. Two members of one key collide once in
 * 2^32 pairs: at 100 members that is an error of one in a million keys.
 */
export function createDistinctTable(options: DistinctTableOptions): DistinctTable {
  const { maxKeys, membersPerKey, seed, hashMember } = options;
  const buckets = 2 ** Math.max(1, Math.ceil(Math.log2(maxKeys / WAYS)));
  const slots = buckets * WAYS;
  const nodes = slots * MEMBERS_PER_SLOT + 1;
  if (!(membersPerKey() >= 1 && membersPerKey() <= slots)) {
    const range = `1 to ${slots} in a table of ${slots} keys`;
    throw new RangeError(`membersPerKey must be ${range}, not ${membersPerKey()}`);
  }
  const keys = new Uint32Array(slots * SLOT_WORDS);
  // A node is 16 bytes side by side, one cache line: the time, the member, and the next node.
  const pool = new ArrayBuffer(nodes * 16);
  const times = new Float64Array(pool);
  const words = new Uint32Array(pool);
  let firstFree = NONE;
  /** The nodes from this number on were never used, so their memory pages cost nothing yet. */
  let firstUntouched = 1;
  let hand = 0;
  /** The node of the member in the last walk, and the node before it. */
  let own = NONE;
  let beforeOwn = NONE;
  /** The node before the oldest member that a full key must evict. NOWHERE when the key is not full. */
  let beforeOldest = NOWHERE;
  const keyHash: TextHash = { high: 0, low: 0 };

  function observe(key: string, member: string, now: number): WindowCounts {
    const slot = slotOf(hashText(key, seed, keyHash), now);
    const counts = count(slot, hashMember(member), now);
    if (own !== NONE) unlink(slot, own, beforeOwn);
    else if (beforeOldest !== NOWHERE) cutAfter(slot, beforeOldest);
    insertFirst(slot, hashMember(member), own === NONE ? takeNode(slot, now) : own, now);
    return counts;
  }

  function observeProvisionally(key: string, member: string, now: number): ObservedCounts {
    const slot = slotOf(hashText(key, seed, keyHash), now);
    const counts = count(slot, hashMember(member), now);
    // A full key accepts no pending member, because an attempt that is refused later must not evict a member.
    if (own !== NONE || beforeOldest !== NOWHERE) return counts;
    const pendingAt = now - PENDING_MS;
    insertFirst(slot, hashMember(member), takeNode(slot, now), pendingAt);
    // The windows are named one by one: a spread costs more than the walk.
    const { per_minute, per_10_minutes, per_hour, per_day } = counts;
    return { per_minute, per_10_minutes, per_hour, per_day, pendingAt };
  }

  function takeBack(key: string, member: string, pendingAt: number): void {
    const slot = findSlot(hashText(key, seed, keyHash));
    let before = NONE;
    let node = slot === NOWHERE ? NONE : (keys[slot + HEAD] ?? NONE);
    while (node !== NONE && words[node * NODE_WORDS + MEMBER] !== hashMember(member)) {
      before = node;
      node = words[node * NODE_WORDS + NEXT] ?? NONE;
    }
    if (node === NONE || times[node * 2] !== pendingAt) return;
    unlink(slot, node, before);
    words[node * NODE_WORDS + NEXT] = NONE;
    freeFrom(node);
    keys[slot + SIZE] = Math.max(0, (keys[slot + SIZE] ?? 0) - 1);
  }

  /** The slot of the key, or NOWHERE. The number of a slot is the index of its first word. */
  function findSlot(hash: TextHash): number {
    const first = bucketOf(hash);
    for (let slot = first; slot < first + WAYS * SLOT_WORDS; slot += SLOT_WORDS) {
      const isKey = keys[slot + LOW] === hash.low && keys[slot + HIGH] === hash.high;
      if (isKey && keys[slot + HEAD] !== NONE) return slot;
    }
    return NOWHERE;
  }

  const bucketOf = ({ low }: TextHash): number => (low & (buckets - 1)) * WAYS * SLOT_WORDS;

  /** The slot of the key, or a slot that was emptied for it. */
  function slotOf(hash: TextHash, now: number): number {
    const known = findSlot(hash);
    if (known !== NOWHERE) return known;
    let slot = bucketOf(hash);
    const end = slot + WAYS * SLOT_WORDS;
    for (let other = slot + SLOT_WORDS; other < end; other += SLOT_WORDS) {
      if (isColder(other, slot, now)) slot = other;
    }
    cutAfter(slot, NONE);
    keys[slot + LOW] = hash.low;
    keys[slot + HIGH] = hash.high;
    return slot;
  }

  function isColder(slot: number, other: number, now: number): boolean {
    const size = liveSize(slot, now);
    const otherSize = liveSize(other, now);
    return size < otherSize || (size === otherSize && (keys[slot + SEEN] ?? 0) < (keys[other + SEEN] ?? 0));
  }

  /** The number of members of the key. 0 when the slot is empty, or when its latest member has left all windows. */
  function liveSize(slot: number, now: number): number {
    const isOver = now - (keys[slot + SEEN] ?? 0) * 1000 >= WINDOWS_MS.per_day;
    return keys[slot + HEAD] === NONE || isOver ? 0 : (keys[slot + SIZE] ?? 0);
  }

  /**
   * Walks through the members once: counts them, including this one, and removes old ones. Sets `own` to the node of
   * this member, `beforeOwn` to the node before it, and `beforeOldest` to the node before the one to evict.
   */
  function count(slot: number, member: number, now: number): WindowCounts {
    let minute = 1;
    let tenMinutes = 1;
    let hour = 1;
    let day = 1;
    own = NONE;
    beforeOwn = NONE;
    beforeOldest = NOWHERE;
    let last = NONE;
    let node = keys[slot + HEAD] ?? NONE;
    const most = membersPerKey();
    while (node !== NONE) {
      // After the clock was set back, members with a future time count as seen now. Otherwise they would stay forever.
      if ((times[node * 2] ?? 0) > now + LATE_MS) times[node * 2] = now;
      const age = now - (times[node * 2] ?? 0);
      if (age >= WINDOWS_MS.per_day) {
        cutAfter(slot, last);
        break;
      }
      if (words[node * NODE_WORDS + MEMBER] === member) {
        own = node;
        beforeOwn = last;
      } else if (day === most) {
        beforeOldest = last;
      } else {
        day++;
        if (age < WINDOWS_MS.per_hour) hour++;
        if (age < WINDOWS_MS.per_10_minutes) tenMinutes++;
        if (age < WINDOWS_MS.per_minute) minute++;
      }
      last = node;
      node = words[node * NODE_WORDS + NEXT] ?? NONE;
    }
    keys[slot + SIZE] = day;
    keys[slot + SEEN] = now / 1000;
    return { per_minute: minute, per_10_minutes: tenMinutes, per_hour: hour, per_day: day };
  }

  function unlink(slot: number, node: number, before: number): void {
    const next = words[node * NODE_WORDS + NEXT] ?? NONE;
    if (before === NONE) keys[slot + HEAD] = next;
    else words[before * NODE_WORDS + NEXT] = next;
  }

  function insertFirst(slot: number, member: number, node: number, time: number): void {
    times[node * 2] = time;
    words[node * NODE_WORDS + MEMBER] = member;
    words[node * NODE_WORDS + NEXT] = keys[slot + HEAD] ?? NONE;
    keys[slot + HEAD] = node;
  }

  function cutAfter(slot: number, last: number): void {
    const first = last === NONE ? keys[slot + HEAD] : words[last * NODE_WORDS + NEXT];
    if (last === NONE) keys[slot + HEAD] = NONE;
    else words[last * NODE_WORDS + NEXT] = NONE;
    freeFrom(first ?? NONE);
  }

  function freeFrom(first: number): void {
    for (let node = first; node !== NONE; ) {
      const next = words[node * NODE_WORDS + NEXT] ?? NONE;
      words[node * NODE_WORDS + NEXT] = firstFree;
      firstFree = node;
      node = next;
    }
  }

  function takeNode(forSlot: number, now: number): number {
    if (firstFree === NONE && firstUntouched < nodes) return firstUntouched++;
    if (firstFree === NONE) releaseColdest(forSlot, now);
    const node = firstFree;
    firstFree = words[node * NODE_WORDS + NEXT] ?? NONE;
    return node;
  }

  /**
   * Evicts the coldest of the next keys, not of the next slots: a long flood would empty a part of the table with few new
   * keys down to its hot keys. No key holds half of all members (`membersPerKey`), so there is always another key.
   */
  function releaseColdest(exceptSlot: number, now: number): void {
    let coldest = -1;
    for (let found = 0, looked = 0; found < SAMPLED.keys && (!found || looked < SAMPLED.slots); looked++) {
      hand = (hand + SLOT_WORDS) % keys.length;
      if (hand === exceptSlot || keys[hand + HEAD] === NONE) continue;
      if (found++ === 0 || isColder(hand, coldest, now)) coldest = hand;
    }
    cutAfter(coldest, NONE);
  }

  return { observe, observeProvisionally, takeBack };
}
