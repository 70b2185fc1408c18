import { Injectable } from '@nestjs/common';
import { isEnded } from '@heddle/jobs-domain';
import { Sequencer } from '@heddle/platform-event-log';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { leaseChangeOf } from '../lease-job/lease-notifier.js';
import { Peers } from './peers.js';

/** Notifies others of a commit: the sequencer, wherever it runs, and workers with a session at another replica. */
@Injectable()
export class CommitNotifier {
  constructor(
    private readonly sequencer: Sequencer,
    private readonly peers: Peers,
  ) {}

  /** Called last after each commit in this process. */
  onCommitted(committed: CommittedJob): void {
    this.sequencer.nudge();
    if (this.peers.isAlone) return;
    const { leader } = this.sequencer;
    if (leader !== null) this.peers.notify(leader, { commits: true });
    const change = leaseChangeOf(committed);
    if (change !== null) this.peers.notifyAll({ states: [change] });
    const { jobId, after } = committed;
    if (isEnded(after) && after.facts.submission.hasCredentials) this.peers.notifyAll({ ended: [jobId] });
  }
}
