import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import type { CreatedVideoWire } from '@heddle/contracts-registry';
import { CallingAccount } from '../authorize/proxy-caller.js';
import { IdempotencyKeyHeader } from '../create-task/idempotency-key-header.js';
import { RequestAddress } from '../create-task/request-address.js';
import type { AskedAddress } from '../create-task/request-address.js';
import { CreateVideoHandler } from './create-video.handler.js';

@Controller('proxy/videovendor/multiframe')
export class CreateVideoController {
  constructor(private readonly videos: CreateVideoHandler) {}

  @Post()
  @HttpCode(200)
  async handle(
    @CallingAccount() accountId: AccountId,
    @IdempotencyKeyHeader() key: string | null,
    @RequestAddress() address: AskedAddress,
    @Body() body: unknown,
  ): Promise<CreatedVideoWire> {
    return await this.videos.handle(body, { accountId, key, address });
  }
}
