import type { LimitChanges } from '@heddle/contracts-messages';

const FIELDS = {
  queue_depth: 'queueDepth',
  running: 'running',
  streams: 'streams',
  storage_bytes: 'storageBytes',
  read_rate: 'readRate',
  read_burst: 'readBurst',
} as const satisfies Record<string, keyof LimitChanges>;

/** The limits that a body names; their rules belong to the accounts context. */
export function limitChanges(limits: unknown): LimitChanges {
  const given = (typeof limits === 'object' && limits !== null ? limits : {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(FIELDS)
      .filter(([wire]) => Object.hasOwn(given, wire))
      .map(([wire, name]) => [name, given[wire] as number | null]),
  );
}
