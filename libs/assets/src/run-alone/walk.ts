import type { BlobKey } from '@heddle/platform-blob-store';
import type { AssetsDatabase, Statement } from '../assets-database/assets-database.js';
import { heldBy } from './service-lease.js';
import type { ServiceLease } from './service-lease.js';

interface WalkState {
  readonly position: BlobKey | null;
  /** Milliseconds since the last pass ended; null if there was none, or one is in progress. */
  readonly rested: number | null;
}

/** Parameter: name. */
const FIND_WALK: Statement = {
  name: 'assets.find_walk',
  text: `select position, extract(epoch from heddle.clock_now() - ended_at)::float8 * 1000 as rested
         from assets.walk where name = $1`,
};

/** Parameters: name, holder, position, whether the pass ended. */
const SAVE_WALK: Statement = {
  name: 'assets.save_walk',
  text: `insert into assets.walk as w (name, position, ended_at)
         select $1, $3::uuid, case when $4 then heddle.clock_now() end where ${heldBy(1, 2)}
         on conflict (name) do update set position = excluded.position, ended_at = excluded.ended_at
         returning name`,
};

/** The checkpoint of a slow pass, written only by the holder of the lease of the same name. */
export class Walk {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly lease: ServiceLease,
  ) {}

  async find(): Promise<WalkState> {
    const [row] = await this.database.query<WalkState & { [column: string]: unknown }>(FIND_WALK, [this.lease.name]);
    return row ?? { position: null, rested: null };
  }

  /** False if the lease was lost: another process has continued from the last checkpoint. */
  async moveTo(position: BlobKey): Promise<boolean> {
    return this.#save(position, false);
  }

  async end(): Promise<boolean> {
    return this.#save(null, true);
  }

  async #save(position: BlobKey | null, ended: boolean): Promise<boolean> {
    const values = [this.lease.name, this.lease.holder, position, ended];
    return (await this.database.query(SAVE_WALK, values)).length > 0;
  }
}
