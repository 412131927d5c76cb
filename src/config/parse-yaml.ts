import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type Steps, toPointer } from './pointer.ts';
import { findSyntaxIssues } from './syntax-issues.ts';

/** A line and a column of the text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlIssue extends Position {
  readonly pointer: string;
  readonly message: string;
  readonly hint: string | null;
}

/** Plain data, and the position of each part in the text. The value is undefined when the text could not be read. */
export interface ParsedYaml {
  readonly value: unknown;
  readonly issues: readonly YamlIssue[];
  /** The position of a key or of a list item. If the text does not contain it, the position of its nearest parent. */
  positionOfKey(pointer: string): Position;
  positionOfValue(pointer: string): Position;
  /** Whether the text has this key. */
  has(pointer: string): boolean;
}

const MAX_TEXT_LENGTH = 4 * 1_048_576;
const MAX_DEPTH = 32;
/** The limit of nodes after aliases are resolved. It stops a "billion laughs" document. */
const MAX_NODES = 200_000;
/** The limit of aliases. The look-up of each alias walks through the document. */
const MAX_ALIASES = 100;
/** In careless code, these keys reach the prototype of an object. */
const FORBIDDEN_KEYS: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype']);
/** A colour that is the rest of its line. */
const COLOUR = /[ \t]*(#(?:[0-9a-f]{3}|[0-9a-f]{6}))[ \t]*$/imy;

/**
 * Reads YAML 1.2 as plain data: no tags, no merge keys, no second document, no duplicate keys. Never throws. The issues
 * describe the refused parts.
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const issues: YamlIssue[] = [];
  const keyOffsets = new Map<string, number>();
  const valueOffsets = new Map<string, number>();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const refuse = (offset: number, pointer: string, message: string, hint: string | null = null) => {
    issues.push({ ...at(offset), pointer, message, hint });
  };
  const find = (offsets: ReadonlyMap<string, number>, pointer: string): Position => {
    for (let place = pointer; place; place = place.slice(0, place.lastIndexOf('/'))) {
      const offset = (place === pointer ? offsets : keyOffsets).get(place);
      if (offset !== undefined) return at(offset);
    }
    return { line: 1, column: 1 };
  };
  const parsed = (value: unknown): ParsedYaml => ({
    value,
    issues,
    positionOfKey: (pointer) => find(keyOffsets, pointer),
    positionOfValue: (pointer) => find(valueOffsets, pointer),
    has: (pointer) => keyOffsets.has(pointer),
  });

  if (text.length > MAX_TEXT_LENGTH) {
    refuse(0, '', `the file is larger than ${MAX_TEXT_LENGTH / 1_048_576} MB`);
    return parsed(undefined);
  }
  const document = parseSafely(text, lines);
  if (!document) {
    refuse(0, '', 'the file is nested too deeply to be read');
    return parsed(undefined);
  }
  const reported = new Set<number>();
  for (const { offset, message, hint } of findSyntaxIssues(document, text)) {
    // One mistake can cause more parser errors on the same line: only the first is reported.
    const { line } = at(offset);
    if (!reported.has(line)) refuse(offset, '', message, hint);
    reported.add(line);
  }
  if (issues.length > 0) return parsed(undefined);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    refuse(0, '', 'the file is empty', 'delete the file to run with the defaults');
    return parsed(undefined);
  }

  let nodes = 0;
  let aliases = 0;
  const open = new Set<Node>();
  const walk = (node: Node | null, steps: Steps, offset: number): unknown => {
    const pointer = toPointer(steps);
    const place = node?.range?.[0] ?? offset;
    if (!valueOffsets.has(pointer)) valueOffsets.set(pointer, place);
    if (nodes++ === MAX_NODES) refuse(place, pointer, `more than ${MAX_NODES} values`);
    if (nodes > MAX_NODES || node === null) return null;
    if (steps.length > MAX_DEPTH) {
      refuse(place, pointer, `nested deeper than ${MAX_DEPTH} levels`);
      return null;
    }
    if (isAlias(node)) {
      aliases++;
      if (aliases === MAX_ALIASES + 1)
        refuse(place, pointer, `more than ${MAX_ALIASES} aliases`, 'write the values out');
      if (aliases > MAX_ALIASES) return null;
      const target = node.resolve(document);
      if (target && !open.has(target)) return walk(target, steps, offset);
      // The text is not repeated: it may be a secret that begins with *.
      const hint = 'put quotes around a text that begins with *';
      refuse(place, pointer, 'the alias refers to no anchor, or to itself', hint);
      return null;
    }
    if (node.tag !== undefined) {
      const hint = 'leave the tag out, or put quotes around a text that begins with !';
      refuse(place, pointer, 'tags are not supported', hint);
      return null;
    }
    if (isScalar(node) && node.value === null && node.anchor !== undefined) {
      // Without this, the setting keeps its default, and the secret that begins with & has no effect.
      refuse(place, pointer, 'an anchor without a value', 'put quotes around a text that begins with &');
      return null;
    }
    if (isScalar(node) && node.value === null) {
      const colour = colourBehind(text, place);
      const hint = 'put quotes around a value that begins with #';
      if (colour) refuse(place, pointer, `${colour} is a comment here`, hint);
    }
    open.add(node);
    const value = isMap(node)
      ? walkMap(node.items, steps)
      : isSeq(node)
        ? walkSeq(node.items, steps)
        : plain(node);
    open.delete(node);
    return value;
  };
  const walkMap = (pairs: readonly { key: unknown; value: unknown }[], steps: Steps): unknown => {
    const value: Record<string, unknown> = {};
    for (const pair of pairs) {
      const keyNode = pair.key as Node | null;
      const offset = keyNode?.range?.[0] ?? 0;
      if (!isScalar(keyNode) || keyNode.tag !== undefined) {
        refuse(offset, toPointer(steps), 'a key must be plain text');
        continue;
      }
      const key = keyNode.source ?? String(keyNode.value);
      const place = [...steps, key];
      const pointer = toPointer(place);
      if (Object.hasOwn(value, key))
        refuse(offset, pointer, 'the key is a duplicate', 'keep only one of them');
      else if (/^[^\S ]/.test(key) && keyNode.type === 'PLAIN')
        refuse(
          offset,
          pointer,
          'the key begins with a no-break space or another special space',
          'indent with ordinary spaces',
        );
      else if (key === '<<') refuse(offset, pointer, 'merge keys are not supported', 'write the keys out');
      else if (FORBIDDEN_KEYS.has(key)) refuse(offset, pointer, 'this key is not allowed');
      else {
        keyOffsets.set(pointer, offset);
        value[key] = walk(pair.value as Node | null, place, offset);
      }
    }
    return value;
  };
  const walkSeq = (items: readonly unknown[], steps: Steps): unknown =>
    items.map((item, i) => {
      const place = [...steps, i];
      const offset = (item as Node | null)?.range?.[0] ?? valueOffsets.get(toPointer(steps)) ?? 0;
      keyOffsets.set(toPointer(place), offset);
      return walk(item as Node | null, place, offset);
    });

  if (!isMap(document.contents) || document.contents.tag !== undefined) {
    refuse(document.contents.range?.[0] ?? 0, '', 'expected a mapping such as "api:" with keys below it');
    return parsed(undefined);
  }
  return parsed(walk(document.contents, [], 0));
}

/** The colour that stands in place of a value on its line. YAML reads it as a comment. */
function colourBehind(text: string, offset: number): string | null {
  const colour = new RegExp(COLOUR);
  colour.lastIndex = offset;
  return colour.exec(text)?.[1] ?? null;
}

/** The composer is recursive; thousands of open brackets exhaust the stack. */
function parseSafely(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      schema: 'core',
      merge: false,
      resolveKnownTags: false,
      // Unique keys are checked in the walk above. The library compares every key with every other key, which takes
      // more than 4 s for 20,000 keys instead of 0.3 s.
      uniqueKeys: false,
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function plain(node: Node): unknown {
  return isScalar(node) ? node.value : null;
}
