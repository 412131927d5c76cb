import { tagOfKey } from './key-names.ts';
import type { RedisArgument } from './redis-connection.ts';
import type { Script } from './scripts.ts';
import type { SharedCall, SharedCalls } from './shared-calls.ts';

/** The part of one attempt in a call. */
export interface CallPart {
  readonly script: Script;
  /** The first arguments. Parts with other values are in other calls. */
  readonly head: readonly RedisArgument[];
  /** At least one. In a cluster, all have one tag. */
  readonly keys: readonly string[];
  /** For each key the same number of characters. The last argument of the call has the texts of all parts. */
  readonly text: string;
}

export interface GroupedCall {
  /** The call with the parts of several attempts. It has one deadline, and fails for all of them. */
  readonly call: SharedCall;
  /** The index of the part's first key in the call. */
  readonly firstKey: number;
}

/** Combines the parts of several attempts into one call. */
export interface CallGroups {
  add(part: CallPart): GroupedCall;
}

export interface CallGroupsOptions {
  readonly calls: SharedCalls;
  readonly isCluster: boolean;
  /** When open groups are sent: `setImmediate`, or `process.nextTick`, which is sooner. */
  readonly sendAt: (send: () => void) => void;
}

/** The most keys of a call: 18 attempts. The server is busy for about a millisecond with them. */
const MOST_KEYS = 128;
/** The limit of open groups. In a cluster, each tag has its own group. */
const MOST_OPEN = 1_000;

interface OpenGroup {
  readonly script: Script;
  readonly head: readonly RedisArgument[];
  readonly keys: string[];
  readonly texts: string[];
  readonly call: SharedCall;
  readonly send: () => void;
}

/**
 * A call costs the node and the server more than the keys in it, so attempts of the same moment share one. The script
 * handles the keys in order: the counts are those of separate calls in this order. A part that does not fit sends the
 * open group first, so that the parts of one server keep their order.
 */
export function createCallGroups({ calls, isCluster, sendAt }: CallGroupsOptions): CallGroups {
  const open = new Map<string, OpenGroup>();

  function sendAll(): void {
    const groups = [...open.values()];
    open.clear();
    for (const group of groups) group.send();
  }

  function openGroup({ script, head }: CallPart): OpenGroup {
    const keys: string[] = [];
    const texts: string[] = [];
    let send = () => {};
    const sent = new Promise<SharedCall>((resolve) => {
      send = () => resolve(calls.run(script, keys, [...head, texts.join('')]));
    });
    const call = { answer: sent.then(({ answer }) => answer), inTime: sent.then(({ inTime }) => inTime) };
    // Some attempts wait for only one of the two promises.
    call.answer.catch(() => {});
    call.inTime.catch(() => {});
    return { script, head, keys, texts, call, send };
  }

  return {
    add(part) {
      const tag = isCluster ? tagOfKey(part.keys[0] ?? '') : '';
      let group = open.get(tag);
      if (group && !fits(group, part)) {
        open.delete(tag);
        group.send();
        group = undefined;
      }
      if (!group) {
        if (open.size >= MOST_OPEN) sendAll();
        if (open.size === 0) sendAt(sendAll);
        group = openGroup(part);
        open.set(tag, group);
      }
      const firstKey = group.keys.length;
      group.keys.push(...part.keys);
      group.texts.push(part.text);
      return { call: group.call, firstKey };
    },
  };
}

function fits({ script, head, keys }: OpenGroup, part: CallPart): boolean {
  return (
    script === part.script &&
    keys.length + part.keys.length <= MOST_KEYS &&
    head.every((value, i) => value === part.head[i])
  );
}
