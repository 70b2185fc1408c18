import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@heddle/testing-seed';
import type { ClusterUnderFire } from './cluster-under-fire.ts';

/** Kind of a fault. A short campaign plays one of each. */
export type Family =
  'kill' | 'freeze' | 'broker' | 'database' | 's3' | 'engine' | 'network' | 'disk' | 'clock' | 'build';

export interface Arena {
  readonly cluster: ClusterUnderFire;
  readonly random: Random;
}

export interface Fault {
  readonly name: string;
  readonly family: Family;
  /** The target. Simultaneous faults have different victims. */
  readonly victim: string;
  /** True: no other fault at the same time, so that observations belong to this fault. */
  readonly alone?: boolean;
  /** Injects the fault, waits and undoes it. Resolves when the victim works again. */
  strike(arena: Arena): Promise<void>;
}

/** Workers finish jobs while no replica accepts reports or renews leases. */
export const FREEZE_OF_ALL_JOBS = 'freeze every jobs process past the lease';

/** The topic and its messages are lost. An operator creates it again and refills it from the log. */
export const LOSS_OF_TOPIC = 'delete the topic of job events';

export const BACK_WITHIN_MS = 90_000;

/** Waits between `leastMs` and `mostMs`, chosen by the seed. */
export async function hold({ random }: Arena, leastMs: number, mostMs: number): Promise<void> {
  await delay(leastMs + random.below(mostMs - leastMs));
}
