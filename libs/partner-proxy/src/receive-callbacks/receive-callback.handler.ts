import { Injectable } from '@nestjs/common';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { VendorFaultError } from '../call-vendors/vendor-fault.js';
import { TaskFollower } from '../follow-task/task-follower.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyMetrics } from '../proxy-metrics.js';
import { BelievedCallbacks } from './believed-callbacks.js';
import type { ReceivedCallback } from './vendor-signatures.js';

/** A vendor says that a task changed. It is not believed: the task is read again from the vendor. */
@Injectable()
export class ReceiveCallbackHandler {
  constructor(
    private readonly callbacks: BelievedCallbacks,
    private readonly tasks: Tasks,
    private readonly follower: TaskFollower,
    private readonly metrics: ProxyMetrics,
  ) {}

  async handle(vendor: VendorName, token: string, callback: ReceivedCallback): Promise<void> {
    const isBelieved = await this.callbacks.believes(vendor, callback);
    const task = isBelieved ? await this.tasks.calledBack(vendor, token) : null;
    if (task === null) {
      this.metrics.callback(vendor, 'refused');
      throw registryRefusal('unauthorized', { case: 'callback' });
    }
    this.metrics.callback(vendor, 'taken');
    if (task.step !== 'under_way') return;
    await this.follower.reread(task).catch((error: unknown) => {
      // The poll makes it good.
      if (!(error instanceof VendorFaultError)) throw error;
    });
  }
}
