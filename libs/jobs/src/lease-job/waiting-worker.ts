import type { DeploymentId, JobLease, LeaseRequest } from '@heddle/contracts-messages';

/** A worker's long poll. It ends with leases, with nothing after its wait, or with nothing when its worker hangs up. */
export class WaitingWorker {
  readonly result: Promise<readonly JobLease[]>;
  #resolve: (leases: readonly JobLease[]) => void = () => undefined;
  readonly #leases: JobLease[] = [];
  #reserved = 0;
  #closing = false;
  #timedOut = false;
  #settled = false;

  constructor(readonly request: LeaseRequest) {
    this.result = new Promise((resolve) => (this.#resolve = resolve));
  }

  get freeSlots(): number {
    return this.#closing || this.#timedOut ? 0 : this.request.slots - this.#reserved;
  }

  /** False once its worker is gone: a lease that arrives now has to be given back. */
  get isListening(): boolean {
    return !this.#closing;
  }

  takes(deploymentId: DeploymentId): boolean {
    return this.request.deploymentId === null || this.request.deploymentId === deploymentId;
  }

  /** Keeps the poll open while a lease for it is being committed. */
  reserve(): void {
    this.#reserved += 1;
  }

  deliver(lease: JobLease): void {
    this.#leases.push(lease);
  }

  release(): void {
    this.#reserved -= 1;
  }

  /** Answers if there is something to answer; the leases of one round go out together. */
  answerIfAny(): boolean {
    if (this.#leases.length > 0 || this.#closing || this.#timedOut) this.#settle();
    return this.#settled;
  }

  /** The wait is over. Leases under way are still delivered. */
  timeOut(): void {
    this.#timedOut = true;
    if (this.#reserved === 0) this.#settle();
  }

  hangUp(): void {
    this.#closing = true;
    if (this.#reserved === 0) this.#settle();
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(this.#leases);
  }
}
