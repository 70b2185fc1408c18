import type { Readable } from 'node:stream';
import { INPUT_BLOCKED } from '@heddle/contracts-messages';
import type { AssetId, JobLease, WorkerAssetsPort, WorkerLease } from '@heddle/contracts-messages';
import type { EngineOutcome } from '@heddle/engine-port';

const BLOCKED: EngineOutcome = {
  kind: 'failed',
  code: 'engine_error',
  message: 'Content moderation has blocked an input of the job.',
  nodeId: null,
  classType: null,
  traceback: null,
};

type InputPort = Pick<WorkerAssetsPort, 'openInput' | 'blockedInputs'>;

/** The inputs of one attempt: a job with a blocked one fails instead of running (accounts, Moderation). */
export class GuardedInputs implements Pick<WorkerAssetsPort, 'openInput'> {
  #refused = false;

  constructor(
    private readonly assets: InputPort,
    private readonly lease: JobLease,
    /** Makes a call again while the assets service is unreachable. */
    private readonly patiently: <T>(call: () => Promise<T>) => Promise<T>,
  ) {}

  /**
   * The end of an attempt that must not begin, or null. An engine that has the bytes from an earlier job never opens
   * them, so `openInput` cannot refuse them.
   */
  async endBeforeStart(): Promise<EngineOutcome | null> {
    if (this.lease.inputs.length === 0) return null;
    const blocked = await this.patiently(async () => await this.assets.blockedInputs(this.lease));
    return blocked.length > 0 ? BLOCKED : null;
  }

  async openInput(lease: WorkerLease, assetId: AssetId): Promise<Readable> {
    try {
      return await this.patiently(async () => await this.assets.openInput(lease, assetId));
    } catch (error) {
      this.#refused ||= isBlocked(error);
      throw error;
    }
  }

  /** An attempt whose input was refused ends as blocked, whatever the engine reported: a retry would be refused too. */
  endOf(ran: EngineOutcome): EngineOutcome {
    return this.#refused && (ran.kind === 'lost' || ran.kind === 'failed') ? BLOCKED : ran;
  }
}

/** By name or code: another process may have thrown it. */
function isBlocked(error: unknown): boolean {
  return error instanceof Error && (error.name === INPUT_BLOCKED || ('code' in error && error.code === INPUT_BLOCKED));
}
