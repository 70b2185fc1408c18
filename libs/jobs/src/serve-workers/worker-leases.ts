import { Injectable } from '@nestjs/common';
import type { LeaseKey, LeaseState, WorkerIdentity } from '@heddle/contracts-messages';
import { HandBackLeaseHandler } from '../lease-job/hand-back-lease.handler.js';
import { LeaseNotifier } from '../lease-job/lease-notifier.js';
import { UnnamedLeases } from '../lease-job/unnamed-leases.js';
import { TakeHeartbeatHandler } from '../take-heartbeat/take-heartbeat.handler.js';
import type { RenewedLease } from '../take-heartbeat/take-heartbeat.handler.js';

/** The leases that a worker holds, and the messages to it about them. */
@Injectable()
export class WorkerLeases {
  constructor(
    private readonly heartbeats: TakeHeartbeatHandler,
    private readonly changes: LeaseNotifier,
    private readonly returned: HandBackLeaseHandler,
    private readonly unnamed: UnnamedLeases,
  ) {}

  watch(workerId: string, listener: (state: LeaseState) => void): () => void {
    return this.changes.watch(workerId, listener);
  }

  async heartbeat(worker: WorkerIdentity, named: readonly LeaseKey[]): Promise<readonly RenewedLease[]> {
    return await this.heartbeats.handle(worker, named);
  }

  /** After a heartbeat: leases that it does not name never reached the worker. */
  async handBackUnnamed(worker: WorkerIdentity, named: readonly LeaseKey[]): Promise<void> {
    await this.unnamed.atHeartbeat(worker, named);
  }

  /** At the start of a session: the worker holds these leases and no others. */
  async handBackOthers(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void> {
    await this.unnamed.atHello(worker, held);
  }

  async handBack(worker: WorkerIdentity, lease: LeaseKey): Promise<void> {
    await this.returned.handle(worker, lease);
  }
}
