import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { VendorFaultError } from '../call-vendors/vendor-fault.js';
import { proxyFailpoint } from '../failpoints.js';
import { TaskEnds } from '../follow-task/task-ends.js';
import type { NewTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyLogger } from '../proxy-logger.js';

const NOTES = 3;
const PAUSE_MS = 500;

/** Calls the vendor for a task, and notes the vendor's id of it. */
@Injectable()
export class VendorHandover {
  constructor(
    private readonly tasks: Tasks,
    private readonly ends: TaskEnds,
    private readonly logger: ProxyLogger,
  ) {}

  /** False: the sweep has given the task up meanwhile. */
  async handOver(task: NewTask, call: () => Promise<string>): Promise<boolean> {
    const vendorTaskId = await this.#call(task, call);
    proxyFailpoint('proxy.task.answered');
    return await this.#note(task, vendorTaskId);
  }

  async #call(task: NewTask, call: () => Promise<string>): Promise<string> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof VendorFaultError)) throw error;
      // The vendor may have made a task: the key stays claimed, so that no repeat makes another one by accident.
      const isLost = error.kind === 'unanswered' || error.kind === 'unusable';
      await this.ends.failQuietly(task, { event: 'call_failed', errCode: 'vendor_failed', freesKey: !isLost });
      throw error;
    }
  }

  /**
   * The vendor has the task, and a statement whose answer is lost may have noted it: then the client pays, so that it must get
   * the id. If nothing was noted, the sweep ends the task, and the client reads that it failed.
   */
  async #note(task: NewTask, vendorTaskId: string): Promise<boolean> {
    for (let left = NOTES - 1; ; left--) {
      try {
        return await this.tasks.noteVendor(task, vendorTaskId);
      } catch (error) {
        this.logger.error(`the vendor's id of task ${task.taskId} was possibly not stored`, error);
        if (left === 0) return true;
      }
      await delay(PAUSE_MS);
    }
  }
}
