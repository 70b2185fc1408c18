import { isRecord } from '../api/wire.js';
import type { JsonRecord } from '../api/wire.js';
import { failed } from '../failure.js';

/** The body of an answer, which is one object. */
export function recordIn(body: unknown): JsonRecord {
  if (isRecord(body)) return body;
  throw failed('the registry sent an answer that this command cannot read', 'check --registry, or heddle --version');
}

/** Objects of a list; anything else in it is left out. */
export function recordsIn(body: unknown): readonly JsonRecord[] {
  return Array.isArray(body) ? body.filter((one) => isRecord(one)) : [];
}

/** A text field; "" where there is none. */
export function textIn(record: JsonRecord, field: string): string {
  const value = record[field];
  return typeof value === 'string' ? value : '';
}
