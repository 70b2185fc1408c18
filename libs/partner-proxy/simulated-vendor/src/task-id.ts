import { randomBytes } from 'node:crypto';
import type { Fault } from './faults.js';

/** Everything that the life of a task depends on. It is in the id: each replica answers alike, and none holds tasks. */
export interface TaskFacts {
  readonly createdAt: number;
  readonly kind: 'video' | 'image';
  /** The faults of a create call make no task. */
  readonly fault: Extract<Fault, 'fail' | 'slow'> | null;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const FAULTS = [null, 'fail', 'slow'] as const;
const KINDS = ['video', 'image'] as const;

/** A UUID of version 7: the time first; kind and fault are the first two digits behind the version. */
export function taskIdOf({ createdAt, kind, fault }: TaskFacts): string {
  const time = createdAt.toString(16).padStart(12, '0');
  const random = randomBytes(9).toString('hex');
  const group = `7${KINDS.indexOf(kind)}${FAULTS.indexOf(fault)}${random[0]!}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${group}-8${random.slice(1, 4)}-${random.slice(4, 16)}`;
}

/** Null: no vendor made this id. */
export function factsOf(id: string): TaskFacts | null {
  if (!UUID.test(id)) return null;
  const [kind, fault] = [KINDS[Number(id[15])], FAULTS[Number(id[16])]];
  if (kind === undefined || fault === undefined) return null;
  return { createdAt: parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16), kind, fault };
}
