import type { JobLease, WorkerIdentity, WorkerPool } from '@heddle/contracts-messages';

/** A worker with an open session, and how many more leases it accepts. */
export class OfferingWorker {
  #offered = 0;
  /** Leases for it that are being committed, or wait for the end of their round. */
  #reserved = 0;
  #ready: JobLease[] = [];
  #left: PromiseWithResolvers<void> | null = null;

  constructor(
    readonly identity: WorkerIdentity,
    private readonly take: (leases: readonly JobLease[]) => void,
    /** True while its deployment is paused: it keeps its offer, and gets nothing. */
    private readonly isPaused: () => boolean = () => false,
  ) {}

  /** Replaces the previous number; leases in progress count against it. */
  offer(slots: number): void {
    this.#offered = Math.max(0, Math.floor(slots));
  }

  get isOffering(): boolean {
    return this.#left === null && this.#offered > 0;
  }

  get freeSlots(): number {
    return this.isOffering && !this.isPaused() ? Math.max(0, this.#offered - this.#reserved) : 0;
  }

  /** False once its session is closed: a lease granted now must be handed back. */
  get isListening(): boolean {
    return this.#left === null;
  }

  takes({ deploymentId, revision }: WorkerPool): boolean {
    return this.identity.deploymentId === deploymentId && this.identity.revision === revision;
  }

  reserve(): void {
    this.#reserved += 1;
  }

  deliver(lease: JobLease): void {
    this.#ready.push(lease);
  }

  /** Frees the slot without a lease. */
  release(): void {
    this.#reserved -= 1;
    if (this.#reserved === 0) this.#left?.resolve();
  }

  /** Sends the leases of one round together; returns those that nobody receives any more. */
  flush(): readonly JobLease[] {
    const ready = this.#ready.splice(0);
    this.#offered -= ready.length;
    this.#reserved -= ready.length;
    if (this.isListening && ready.length > 0) this.take(ready);
    if (this.#reserved === 0) this.#left?.resolve();
    return this.isListening ? [] : ready;
  }

  /** Accepts no more leases; resolves when none is in progress. */
  async leave(): Promise<void> {
    this.#left ??= Promise.withResolvers<void>();
    if (this.#reserved === 0) this.#left.resolve();
    await this.#left.promise;
  }
}
