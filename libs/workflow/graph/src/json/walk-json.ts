import type { ByteSpan, JsonPath } from './json-value.js';

interface OpenContainer {
  readonly array: boolean;
  readonly start: number;
  step: string | number;
  index: number;
  readonly keys: Set<string> | null;
}

interface WalkVisitor {
  /** Called for each key of an object; return true to end the walk. */
  key?(path: JsonPath, repeated: boolean): boolean;
  /** Start offsets of the values that `value` is called for; undefined means all. */
  readonly valueStarts?: ReadonlySet<number>;
  /** Called at the end of a value; return true to end the walk. */
  value?(path: JsonPath, span: ByteSpan): boolean;
}

/** Path of the first repeated key, or null. The document must be well formed. */
export function findDuplicateKey(bytes: Uint8Array): JsonPath | null {
  let found: JsonPath | null = null;
  walkJson(bytes, {
    key(path, repeated) {
      if (repeated) found = path;
      return repeated;
    },
  });
  return found;
}

/**
 * Byte spans of the values at the given paths of a well-formed document, in request order; null if a path does not
 * exist. One pass for all paths.
 */
export function findValueSpans(bytes: Uint8Array, paths: readonly JsonPath[]): (ByteSpan | null)[] {
  const wanted = new Map<string, number[]>();
  paths.forEach((path, index) => {
    const name = JSON.stringify(path);
    wanted.set(name, [...(wanted.get(name) ?? []), index]);
  });
  const depths = new Set(paths.map((path) => path.length));
  const spans: (ByteSpan | null)[] = paths.map(() => null);
  let left = wanted.size;
  if (left === 0) return spans;
  walkJson(bytes, {
    value(path, span) {
      if (!depths.has(path.length)) return false;
      const indexes = wanted.get(JSON.stringify(path));
      if (indexes === undefined) return false;
      for (const index of indexes) spans[index] = span;
      left--;
      return left === 0;
    },
  });
  return spans;
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
      visit(path, span);
      return --left === 0;
    },
  });
}

/** Keys of the top-level object in text order (integer-like keys too). */
export function keysInOrder(bytes: Uint8Array): string[] {
  const keys: string[] = [];
  walkJson(bytes, {
    key(path) {
      if (path.length === 1) keys.push(String(path[0]));
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
    if (visitor.value === undefined || visitor.valueStarts?.has(start) === false) return false;
    return visitor.value(pathOf(), { start, end });
  };

  while (i < length) {
    const c = bytes[i]!;
    const top = open[open.length - 1];
    if (c === 0x22) {
      const start = i++;
      while (i < length && bytes[i] !== 0x22) i += bytes[i] === 0x5c ? 2 : 1;
      i++;
      if (expectKey && top !== undefined && top.keys !== null) {
        const key = decodeKey(bytes, start);
        top.step = key;
        const repeated = top.keys.has(key);
        top.keys.add(key);
        expectKey = false;
        if (visitor.key?.(pathOf(), repeated) === true) return;
      } else if (ended(start, i)) return;
    } else if (c === 0x7b || c === 0x5b) {
      const array = c === 0x5b;
      open.push({ array, start: i, step: array ? 0 : '', index: 0, keys: array ? null : new Set() });
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
