import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLED_SERVICES } from '@heddle/composition';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';

/** By the wall clock, as expiry is: a machine that slept renews at once when it wakes. */
const LOOK_EVERY_MS = 1_000;
/** A token is renewed when a third of its life is over: two renewals may fail. */
const RENEWALS_A_LIFE = 3;

/**
 * Issues the service tokens of a cluster's processes, which live for minutes, into a file for each process. The signing key
 * is in this process alone and ends with it.
 */
export class TokenIssuer {
  readonly #keys = newServiceKeyPair();
  readonly #services = new Map<string, string>();
  #renewedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** `failed` is told of a file that cannot be written; the next look tries again. */
  constructor(
    private readonly folder: string,
    private readonly lifeSeconds: number,
    private readonly failed: (error: unknown) => void,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }

  /** PEM of the key that every called service believes. */
  get publicKey(): string {
    return this.#keys.publicKey;
  }

  /** The file of a process, with a token for each service that it calls; from now on it is renewed. */
  async fileOf(process: string, service: string): Promise<string> {
    this.#services.set(process, service);
    await this.#write(process, service);
    this.#timer ??= setInterval(() => void this.#renew(), LOOK_EVERY_MS).unref();
    return this.#path(process);
  }

  /** The files go: nobody calls any more. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopped = true;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #renew(): Promise<void> {
    const sinceMs = Date.now() - this.#renewedAt;
    // A clock that was set back counts as well: tokens of the time before it live too long, not too short.
    if (sinceMs >= 0 && sinceMs < (this.lifeSeconds * 1_000) / RENEWALS_A_LIFE) return;
    this.#renewedAt = Date.now();
    try {
      for (const [process, service] of this.#services) await this.#write(process, service);
    } catch (error) {
      this.#renewedAt = 0;
      this.failed(error);
    }
  }

  async #write(process: string, service: string): Promise<void> {
    const expiresAt = Math.ceil(Date.now() / 1_000 + this.lifeSeconds);
    const issued = (CALLED_SERVICES[service] ?? []).map((audience) =>
      issueServiceToken(this.#keys.privateKey, { service, audience, deploymentId: null, expiresAt }),
    );
    const tokens = await Promise.all(issued);
    if (this.#stopped) return;
    // By a rename: a reader finds the old tokens or the new ones, never half a file.
    const draft = `${this.#path(process)}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${tokens.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, this.#path(process));
  }

  #path(process: string): string {
    return join(this.folder, `${process}.token`);
  }
}
