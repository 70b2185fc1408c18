import type { ByteSpan, JsonPath } from './json-value.js';

interface OpenContainer {
  readonly array: boolean;
  readonly start: number;
  step: string | number;
  index: number;
  /** Keys so far; null in arrays, before the first key, and if nobody asks for repeated keys */
  keys: Set<string> | null;
  /** The wanted paths that lead through this container */
  readonly wanted: WantedPaths | undefined;
}

/** Wanted paths as a tree, so that a container that no path leads through costs nothing. */
interface WantedPaths {
  readonly steps: Map<string | number, WantedPaths>;
  /** Positions in the request of the path that ends here */
  readonly asked: number[];
}

interface WalkVisitor {
  /** Called for each key of an object; return true to end the walk. `path` builds the path. */
  key?(depth: number, isRepeated: boolean, path: () => JsonPath): boolean;
  /** True if `key` needs to know repeated keys. */
  readonly findsRepeatedKeys?: boolean;
  /** Start offsets of the values that `value` is called for. */
  readonly valueStarts?: ReadonlySet<number>;
  /** Paths of the values that `value` is called for. */
  readonly wanted?: WantedPaths;
  /** Called at the end of a value; return true to end the walk. */
  value?(path: () => JsonPath, span: ByteSpan, asked: readonly number[]): boolean;
}

const NOTHING_ASKED: readonly number[] = [];

/** Path of the first repeated key, or null. The document must be well formed. */
export function findDuplicateKey(bytes: Uint8Array): JsonPath | null {
  let found: JsonPath | null = null;
  walkJson(bytes, {
    findsRepeatedKeys: true,
    key(_depth, isRepeated, path) {
      if (isRepeated) found = path();
      return isRepeated;
    },
  });
  return found;
}

/**
 * Byte spans of the values at the given paths of a well-formed document, in request order; null if a path does not
 * exist. One pass for all paths.
 */
export function findValueSpans(bytes: Uint8Array, paths: readonly JsonPath[]): (ByteSpan | null)[] {
  const wanted = wantedPaths(paths);
  const spans: (ByteSpan | null)[] = paths.map(() => null);
  let left = paths.length;
  if (left === 0) return spans;
  walkJson(bytes, {
    wanted,
    value(_path, span, asked) {
      for (const index of asked) spans[index] = span;
      left -= asked.length;
      return left === 0;
    },
  });
  return spans;
}

function wantedPaths(paths: readonly JsonPath[]): WantedPaths {
  const root: WantedPaths = { steps: new Map(), asked: [] };
  paths.forEach((path, index) => {
    let at = root;
    for (const step of path) {
      const next = at.steps.get(step) ?? { steps: new Map<string | number, WantedPaths>(), asked: [] };
      at.steps.set(step, next);
      at = next;
    }
    at.asked.push(index);
  });
  return root;
}

/** Visits the values that start at the given offsets of a well-formed document, in text order. */
export function visitValuesAt(
  bytes: Uint8Array,
  starts: readonly number[],
  visit: (path: JsonPath, span: ByteSpan) => void,
): void {
  const valueStarts = new Set(starts);
  let left = valueStarts.size;
  if (left === 0) return;
  walkJson(bytes, {
    valueStarts,
    value(path, span) {
      visit(path(), span);
      return --left === 0;
    },
  });
}

/** Keys of the top-level object in text order (integer-like keys too). */
export function keysInOrder(bytes: Uint8Array): string[] {
  const keys: string[] = [];
  walkJson(bytes, {
    key(depth, _isRepeated, path) {
      if (depth === 1) keys.push(String(path()[0]));
      return false;
    },
  });
  return keys;
}

/** Visits every key and value of a well-formed document in text order, without recursion. */
function walkJson(bytes: Uint8Array, visitor: WalkVisitor): void {
  const length = bytes.length;
  const open: OpenContainer[] = [];
  const pathOf = (): JsonPath => open.map((container) => container.step);
  let expectKey = false;
  let i = 0;

  const ended = (start: number, end: number): boolean => {
    if (visitor.value === undefined) return false;
    if (visitor.valueStarts !== undefined && !visitor.valueStarts.has(start)) return false;
    if (visitor.wanted === undefined) return visitor.value(pathOf, { start, end }, NOTHING_ASKED);
    const holder = open[open.length - 1];
    const reached = holder === undefined ? visitor.wanted : holder.wanted?.steps.get(holder.step);
    if (reached === undefined || reached.asked.length === 0) return false;
    return visitor.value(pathOf, { start, end }, reached.asked);
  };

  while (i < length) {
    const c = bytes[i]!;
    const top = open[open.length - 1];
    if (c === 0x22) {
      const start = i++;
      while (i < length && bytes[i] !== 0x22) i += bytes[i] === 0x5c ? 2 : 1;
      i++;
      if (expectKey && top !== undefined) {
        const key = decodeKey(bytes, start);
        top.step = key;
        expectKey = false;
        const isRepeated = visitor.findsRepeatedKeys === true && isIn((top.keys ??= new Set()), key);
        if (visitor.key?.(open.length, isRepeated, pathOf) === true) return;
      } else if (ended(start, i)) return;
    } else if (c === 0x7b || c === 0x5b) {
      const array = c === 0x5b;
      const wanted = top === undefined ? visitor.wanted : top.wanted?.steps.get(top.step);
      open.push({ array, start: i, step: array ? 0 : '', index: 0, keys: null, wanted });
      expectKey = !array;
      i++;
    } else if (c === 0x7d || c === 0x5d) {
      open.pop();
      expectKey = false;
      i++;
      if (top !== undefined && ended(top.start, i)) return;
    } else if (c === 0x2c) {
      if (top !== undefined && top.array) top.step = ++top.index;
      expectKey = top !== undefined && !top.array;
      i++;
    } else if (c <= 0x20 || c === 0x3a) {
      i++;
    } else {
      const start = i;
      while (i < length && !endsToken(bytes[i]!)) i++;
      if (ended(start, i)) return;
    }
  }
}

/** Adds a key; true if it was there. */
function isIn(keys: Set<string>, key: string): boolean {
  const { size } = keys;
  return keys.add(key).size === size;
}

function endsToken(c: number): boolean {
  return c <= 0x20 || c === 0x2c || c === 0x5d || c === 0x7d;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text of the string token at an offset. */
function decodeKey(bytes: Uint8Array, start: number): string {
  let end = start + 1;
  while (end < bytes.length && bytes[end] !== 0x22) end += bytes[end] === 0x5c ? 2 : 1;
  return String(JSON.parse(decoder.decode(bytes.subarray(start, end + 1))));
}
