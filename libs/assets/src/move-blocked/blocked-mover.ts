import { Inject, Injectable, Logger } from '@nestjs/common';
import { NIL_UUID } from '@heddle/contracts-messages';
import type { AccountId } from '@heddle/contracts-messages';
import { BLOB_STORE, BlobMissingError } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { StagedBlob } from '../stage-blob/staged-blob.js';
import { END_MOVE_TASK, MOVE_BLOB, TAKE_MOVE_TASK } from './move-blocked.sql.js';
import type { MoveTaskRow } from './move-blocked.sql.js';

/** A copy that takes longer may be made twice; the second one is thrown away. */
const TAKEN_MS = 120_000;
/** Maximum moves of one round: the other sweeps must get their turn. */
const MAX_MOVES = 100;
/** Moved bytes belong to no account: the owner of their intent is nobody. */
const NOBODY = NIL_UUID as AccountId;

/**
 * Moves blocked bytes to a new key, which ends their signed URLs: the store checks no verdicts (accounts, Signed URL). The
 * route of a folder checks the verdict itself. Its bytes are moved too, so that an unblock does not revive old URLs.
 */
@Injectable()
export class BlockedMover {
  readonly #logger = new Logger(BlockedMover.name);

  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
  ) {}

  /** Number of moved objects. A task that fails is tried again after `TAKEN_MS`. */
  async run(): Promise<number> {
    let moved = 0;
    for (let round = 0; round < MAX_MOVES; round += 1) {
      const [task] = await this.database.query<MoveTaskRow>(TAKE_MOVE_TASK, [TAKEN_MS]);
      if (task === undefined) return moved;
      try {
        if (task.object_key === null) await this.database.query(END_MOVE_TASK, [task.hash]);
        else if (await this.#move(task.hash, task.object_key)) moved += 1;
      } catch (err) {
        // The object is gone, so its URLs return nothing.
        if (err instanceof BlobMissingError) await this.database.query(END_MOVE_TASK, [task.hash]);
        else
          this.#logger.error({ message: 'the links of blocked bytes could not be revoked yet', hash: task.hash, err });
      }
    }
    return moved;
  }

  async #move(hash: string, key: BlobKey): Promise<boolean> {
    const intent = { accountId: NOBODY, leaseMs: this.settings.uploadLeaseMs };
    const staged = new StagedBlob(this.database, this.store, intent);
    try {
      for await (const chunk of await this.store.read(key)) await staged.take(chunk as Buffer);
      await staged.finish();
      const [row] = await this.database.query<{ readonly moved: boolean }>(MOVE_BLOB, [staged.key, hash, key]);
      staged.release();
      return row?.moved ?? false;
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }
}
