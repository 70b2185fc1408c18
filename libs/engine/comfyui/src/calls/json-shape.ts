/** Accessors for engine data, whose shape is never trusted. */
export type EngineRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is EngineRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key; `undefined` for anything but a record. */
export function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function textAt(value: unknown, key: string): string | null {
  const found = at(value, key);
  return typeof found === 'string' ? found : null;
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}

export function textsAt(value: unknown, key: string): readonly string[] {
  return listAt(value, key).filter((item): item is string => typeof item === 'string');
}

/** Matches strings as a whole; other matches are not valid JSON, although engines write them. */
const STRING_OR_NOT_A_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/gs;
const NOT_A_NUMBER = /NaN|Infinity/;

/**
 * Parses JSON as engines write it: Python's NaN and Infinity become null. `undefined` if it is not JSON. Otherwise one
 * such number in another client's graph would make the whole queue unreadable.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (!NOT_A_NUMBER.test(text)) return undefined;
  }
  try {
    return JSON.parse(text.replace(STRING_OR_NOT_A_NUMBER, (found) => (found.startsWith('"') ? found : 'null')));
  } catch {
    return undefined;
  }
}
