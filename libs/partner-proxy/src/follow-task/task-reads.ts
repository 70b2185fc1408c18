import { Injectable } from '@nestjs/common';
import { isUuid } from '@heddle/contracts-messages';
import type { AccountId } from '@heddle/contracts-messages';
import type { UpscaleWire, VideoTaskWire } from '@heddle/contracts-registry';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { ProxyTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { upscaleWire, videoTaskWire } from '../render-task/task-wire.js';
import { TaskFollower } from './task-follower.js';

/** Tasks as their account reads them. */
@Injectable()
export class TaskReads {
  constructor(
    private readonly tasks: Tasks,
    private readonly follower: TaskFollower,
  ) {}

  async video(accountId: AccountId, taskId: string): Promise<VideoTaskWire> {
    const task = await this.#current(accountId, 'video', taskId);
    return videoTaskWire(task, await this.tasks.payloadOf(task));
  }

  async upscale(accountId: AccountId, taskId: string): Promise<UpscaleWire> {
    return upscaleWire(await this.#current(accountId, 'image', taskId));
  }

  /** Another account's, an unknown and a malformed id get the same answer, and no vendor is asked. */
  async #current(accountId: AccountId, vendor: VendorName, taskId: string): Promise<ProxyTask> {
    const task = isUuid(taskId) ? await this.tasks.ofAccount(accountId, vendor, taskId) : null;
    if (task === null) throw registryRefusal('not_found', { case: 'task' });
    return await this.follower.current(task);
  }
}
