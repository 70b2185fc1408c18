import type { LimitChanges } from '@heddle/contracts-messages';
import { Allow } from 'class-validator';
import { isJsonObject } from '@heddle/platform-http';

const FIELDS = {
  queue_depth: 'queueDepth',
  running: 'running',
  streams: 'streams',
  storage_bytes: 'storageBytes',
  read_rate: 'readRate',
  read_burst: 'readBurst',
} as const satisfies Record<string, keyof LimitChanges>;

/** The limits that a body names, as a part of it; their rules belong to the accounts context. */
export class LimitFields {
  /** class-validator refuses a part without any decorator, as an unknown value. */
  @Allow()
  queue_depth: unknown;
  running: unknown;
  streams: unknown;
  storage_bytes: unknown;
  read_rate: unknown;
  read_burst: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    for (const name of Object.keys(FIELDS) as (keyof typeof FIELDS)[]) this[name] = fields[name];
  }

  /** What is given; null takes the setting again. */
  toChanges(): LimitChanges {
    return Object.fromEntries(
      Object.entries(FIELDS)
        .map(([wire, name]) => [name, this[wire as keyof typeof FIELDS] as number | null | undefined] as const)
        .filter(([, value]) => value !== undefined),
    );
  }
}

/** Null: what is given is not an object. */
export function limitFields(given: unknown): LimitFields | null {
  return isJsonObject(given) ? new LimitFields(given) : null;
}
