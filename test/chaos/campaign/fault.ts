import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { ClusterUnderFire } from './cluster-under-fire.ts';

/** What a fault is about; a bounded campaign plays one of each. */
export type Family =
  'kill' | 'freeze' | 'broker' | 'database' | 's3' | 'engine' | 'network' | 'disk' | 'clock' | 'build';

export interface Arena {
  readonly cluster: ClusterUnderFire;
  readonly random: Random;
}

export interface Fault {
  readonly name: string;
  readonly family: Family;
  /** What it works on: two faults at once have different victims. */
  readonly victim: string;
  /** Nothing else goes wrong meanwhile, so that what is seen can be held against this fault. */
  readonly alone?: boolean;
  /** Does it, waits, and undoes it; resolves when the victim works again. */
  strike(arena: Arena): Promise<void>;
}

/** Workers finish jobs meanwhile, and no replica is left to take their reports or to renew a lease. */
export const FREEZE_OF_ALL_JOBS = 'freeze every jobs process past the lease';

/** The topic is lost with all that it holds; an operator makes it again and fills it from the log. */
export const LOSS_OF_TOPIC = 'delete the topic of job events';

export const BACK_WITHIN_MS = 90_000;

/** Between `leastMs` and `mostMs`, by the seed. */
export async function hold({ random }: Arena, leastMs: number, mostMs: number): Promise<void> {
  await delay(leastMs + random.below(mostMs - leastMs));
}
