import {
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
} from '@duckdb/node-api';
import type { DuckDBValue } from '@duckdb/node-api';

/** A value as JSON has it. */
export type PlainValue =
  null | boolean | number | string | readonly PlainValue[] | { readonly [key: string]: PlainValue };

/** Integers beyond 2^53 become strings, instants ISO texts with Z, lists and structs JSON, bytes hex digits. */
export function plainValue(value: DuckDBValue): PlainValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof DuckDBTimestampTZValue || value instanceof DuckDBTimestampValue)
    return instantText(value.micros);
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
  if (value instanceof DuckDBListValue) return value.items.map(plainValue);
  if (value instanceof DuckDBMapValue)
    return Object.fromEntries(value.entries.map(({ key, value: item }) => [String(key), plainValue(item)]));
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([key, item]) => [key, plainValue(item)]));
  return String(value);
}

function instantText(micros: bigint): string {
  const text = new Date(Number(micros / 1_000n)).toISOString();
  const rest = micros % 1_000n;
  return rest <= 0n ? text : text.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}
