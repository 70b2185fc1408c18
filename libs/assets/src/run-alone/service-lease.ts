import { randomUUID } from 'node:crypto';
import type { AssetsDatabase, Statement } from '../assets-database/assets-database.js';

/**
 * A lease longer than anyone may request was taken before the database's clock went back: it is ignored. Parameters:
 * name, holder, life in milliseconds.
 */
const CLAIM_LEASE: Statement = {
  name: 'assets.claim_lease',
  text: `insert into assets.lease as held (name, holder, held_until)
         select $1, $2, now.at + $3 * interval '1 millisecond' from (select heddle.clock_now() as at) now
         on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
           where held.holder = excluded.holder or held.held_until <= heddle.clock_now() or held.held_until > excluded.held_until
         returning holder`,
};

/** Parameters: name, holder. */
const RELEASE_LEASE: Statement = {
  name: 'assets.release_lease',
  text: 'delete from assets.lease where name = $1 and holder = $2',
};

/** Condition for writes that only a lease's holder may make. Arguments: the parameter numbers of name and holder. */
export function heldBy(name: number, holder: number): string {
  return `exists (select from assets.lease held where held.name = $${name} and held.holder = $${holder}
             and held.held_until > heddle.clock_now())`;
}

/**
 * Work that one process of the service does at a time; another takes over when the holder is silent for the lease's
 * life.
 */
export class ServiceLease {
  readonly holder = randomUUID();
  #heldUntil = 0;

  constructor(
    private readonly database: AssetsDatabase,
    readonly name: string,
    readonly lifeMs: number,
  ) {}

  /** Takes or keeps the lease; queries the database only after half of its life. */
  async claim(): Promise<boolean> {
    const asked = performance.now();
    if (asked < this.#heldUntil - this.lifeMs / 2) return true;
    const rows = await this.database.query(CLAIM_LEASE, [this.name, this.holder, this.lifeMs]);
    this.#heldUntil = rows.length === 0 ? 0 : asked + this.lifeMs;
    return rows.length > 0;
  }

  /** By our own clock: false for a process that was frozen in between. */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  async release(): Promise<void> {
    if (this.#heldUntil === 0) return;
    this.#heldUntil = 0;
    await this.database.query(RELEASE_LEASE, [this.name, this.holder]);
  }
}
