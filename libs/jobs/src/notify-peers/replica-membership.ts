import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import { LeaveCredentials } from '../lease-job/leave-credentials.js';
import { Peers } from './peers.js';
import { ReplicaTable } from './replicas.js';

const LEAVE_TIMEOUT_MS = 1_000;

/** A replica joins the table before it accepts a job, and on leaving hands over what another replica could hold. */
@Injectable()
export class ReplicaMembership {
  constructor(
    private readonly replicas: ReplicaTable,
    private readonly peers: Peers,
    private readonly credentials: LeaveCredentials,
    private readonly log: BackgroundLogger,
  ) {}

  async join(): Promise<void> {
    await this.replicas.join();
  }

  async leave(): Promise<void> {
    if (this.peers.isAlone) return;
    await this.credentials.leave();
    await this.replicas
      .leave()
      .catch((error: unknown) => this.log.error('the replica was not removed from the table', error));
  }

  /** The leases of sequencer and relay are free now: the replica that looks first takes them. */
  async announceLeave(): Promise<void> {
    if (this.peers.isAlone) return;
    this.peers.notifyAll({ commits: true, sequenced: true });
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, LEAVE_TIMEOUT_MS).unref());
    await Promise.race([this.peers.sent(), timeout]);
  }
}
