const RANGES = {
  queueDepth: { min: 0, max: 1_000_000_000, whole: true },
  running: { min: 0, max: 1_000_000_000, whole: true },
  streams: { min: 0, max: 1_000_000_000, whole: true },
  storageBytes: { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true },
  readRate: { min: 0, max: 1_000_000_000, whole: false },
  readBurst: { min: 0, max: 1_000_000_000, whole: true },
} as const;

export type LimitName = keyof typeof RANGES;

/** The problem of a limit's value, or null; the value null means that the setting holds. */
export function limitProblem(name: LimitName, value: unknown): string | null {
  const { min, max, whole } = RANGES[name];
  const isNumber = typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value));
  if (value === null || isNumber) return null;
  return `must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}, or null for the setting`;
}
