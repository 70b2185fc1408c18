import { Injectable } from '@nestjs/common';
import { isEnd } from '@heddle/partner-proxy-domain';
import { VendorFaultError } from '../call-vendors/vendor-fault.js';
import type { VendorReport } from '../call-vendors/vendor.js';
import { Vendors } from '../call-vendors/vendors.js';
import type { ProxyTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { upscaleWire, videoTaskWire } from '../render-task/task-wire.js';
import { TaskEnds } from './task-ends.js';
import { TaskTimes } from './task-times.js';

const FORGOTTEN: VendorReport = { state: 'failed', errCode: 'vendor_failed', creations: [] };
const EXPIRED: VendorReport = { state: 'failed', errCode: 'expired', creations: [] };

/** Asks the vendor about tasks under way: at most once in a while for each, however many ask. */
@Injectable()
export class TaskFollower {
  readonly #asking = new Map<string, Promise<void>>();

  constructor(
    private readonly tasks: Tasks,
    private readonly ends: TaskEnds,
    private readonly vendors: Vendors,
    private readonly times: TaskTimes,
  ) {}

  /** The task as it is now, after a call of the vendor where one is due. @throws VendorFaultError */
  async current(task: ProxyTask): Promise<ProxyTask> {
    if (task.step !== 'under_way') return task;
    if (await this.times.isOver(task)) {
      await this.expire(task);
      return await this.tasks.again(task);
    }
    const asking = this.#asking.get(task.taskId);
    if (asking === undefined && !this.times.isPollDue(task)) return task;
    await (asking ?? this.#once(task, this.times.pollMs));
    return await this.tasks.again(task);
  }

  /** The vendor called: it is asked at once. */
  async reread(task: ProxyTask): Promise<void> {
    // A call under way may have begun before the change.
    await this.#asking.get(task.taskId)?.catch(() => undefined);
    await this.#once(task, 0);
  }

  /** Ends a task whose time is over. */
  async expire(task: ProxyTask): Promise<void> {
    await this.#apply(task, EXPIRED);
  }

  #once(task: ProxyTask, pollMs: number): Promise<void> {
    const asking = this.#ask(task, pollMs).finally(() => this.#asking.delete(task.taskId));
    this.#asking.set(task.taskId, asking);
    return asking;
  }

  async #ask(task: ProxyTask, pollMs: number): Promise<void> {
    const { vendorTaskId, vendor } = task;
    if (vendorTaskId === null || !(await this.tasks.claimPoll(task, pollMs))) return;
    const report = await this.vendors
      .of(vendor)
      .read(vendorTaskId)
      .catch((error: unknown) => {
        if (error instanceof VendorFaultError && error.kind === 'unknown') return FORGOTTEN;
        throw error;
      });
    await this.#apply(task, report);
  }

  async #apply(task: ProxyTask, report: VendorReport): Promise<void> {
    const event = isEnd(report.state) ? 'ended' : 'moved';
    // Read before the transaction, which holds a connection.
    const payload = task.vendor === 'video' && task.callbackUrl !== null ? await this.tasks.payloadOf(task) : '';
    const changed = await this.tasks.change(task, report, event, { body: (now) => bodyOf(now, payload) });
    if (changed !== null && isEnd(changed.state)) await this.ends.settleOrLeave(changed);
  }
}

/** The body of the client's read, which its callback carries. */
function bodyOf(task: ProxyTask, payload: string): string {
  return JSON.stringify(task.vendor === 'image' ? upscaleWire(task) : videoTaskWire(task, payload));
}
