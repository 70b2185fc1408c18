import { Controller, Get, Param } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import type { UpscaleWire } from '@heddle/contracts-registry';
import { CallingAccount } from '../authorize/proxy-caller.js';
import { TaskReads } from '../follow-task/task-reads.js';

@Controller('proxy/imagevendor/v1/ai/image-upscaler-precision-v2/:task')
export class ReadUpscaleController {
  constructor(private readonly reads: TaskReads) {}

  @Get()
  async handle(@CallingAccount() accountId: AccountId, @Param('task') taskId: string): Promise<UpscaleWire> {
    return await this.reads.upscale(accountId, taskId);
  }
}
