import { Controller, Get, Param } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import type { VideoTaskWire } from '@heddle/contracts-registry';
import { CallingAccount } from '../authorize/proxy-caller.js';
import { TaskReads } from '../follow-task/task-reads.js';

@Controller('proxy/videovendor/tasks/:task/creations')
export class ReadVideoController {
  constructor(private readonly reads: TaskReads) {}

  @Get()
  async handle(@CallingAccount() accountId: AccountId, @Param('task') taskId: string): Promise<VideoTaskWire> {
    return await this.reads.video(accountId, taskId);
  }
}
