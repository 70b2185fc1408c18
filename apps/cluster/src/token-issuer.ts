import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLED_SERVICES } from '@heddle/composition';
import type { WorkerPool } from '@heddle/contracts-messages';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';

interface Caller {
  readonly service: string;
  readonly pool: WorkerPool | null;
}

/** By the wall clock, like the expiry: after sleep a machine renews at once. */
const LOOK_EVERY_MS = 1_000;
/** Tokens are renewed after a third of their life: two renewals may fail. */
const RENEWALS_A_LIFE = 3;

/**
 * Issues short-lived service tokens for a cluster's processes, into one file per process. The signing key exists only
 * in this process.
 */
export class TokenIssuer {
  readonly #keys = newServiceKeyPair();
  readonly #callers = new Map<string, Caller>();
  #renewedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** `failed` is called if a file cannot be written; the next check retries. */
  constructor(
    private readonly folder: string,
    private readonly lifeSeconds: number,
    private readonly failed: (error: unknown) => void,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }

  /** PEM of the key that called services trust. */
  get publicKey(): string {
    return this.#keys.publicKey;
  }

  /**
   * The token file of a process, with a token for each service that it calls; from now on it is renewed. `pool`: the
   * pool of a worker.
   */
  async fileOf(process: string, service: string, pool: WorkerPool | null = null): Promise<string> {
    const caller = { service, pool };
    this.#callers.set(process, caller);
    await this.#write(process, caller);
    this.#timer ??= setInterval(() => void this.#renew(), LOOK_EVERY_MS).unref();
    return this.#path(process);
  }

  /** Removes the files: no process makes calls any more. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopped = true;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #renew(): Promise<void> {
    const sinceMs = Date.now() - this.#renewedAt;
    // After the clock was set back, older tokens live too long, not too short.
    if (sinceMs >= 0 && sinceMs < (this.lifeSeconds * 1_000) / RENEWALS_A_LIFE) return;
    this.#renewedAt = Date.now();
    try {
      for (const [process, caller] of this.#callers) await this.#write(process, caller);
    } catch (error) {
      this.#renewedAt = 0;
      this.failed(error);
    }
  }

  async #write(process: string, { service, pool }: Caller): Promise<void> {
    const expiresAt = Math.ceil(Date.now() / 1_000 + this.lifeSeconds);
    const claims = { service, deploymentId: null, ...pool, expiresAt };
    const issued = (CALLED_SERVICES[service] ?? []).map((audience) =>
      issueServiceToken(this.#keys.privateKey, { ...claims, audience }),
    );
    const tokens = await Promise.all(issued);
    if (this.#stopped) return;
    // By rename: a reader sees the old or the new tokens, never half a file.
    const draft = `${this.#path(process)}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${tokens.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, this.#path(process));
  }

  #path(process: string): string {
    return join(this.folder, `${process}.token`);
  }
}
