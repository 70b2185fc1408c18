import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import type { UpscaleWire } from '@heddle/contracts-registry';
import { CallingAccount } from '../authorize/proxy-caller.js';
import { IdempotencyKeyHeader } from '../create-task/idempotency-key-header.js';
import { RequestAddress } from '../create-task/request-address.js';
import type { AskedAddress } from '../create-task/request-address.js';
import { CreateUpscaleHandler } from './create-upscale.handler.js';

@Controller('proxy/imagevendor/v1/ai/image-upscaler-precision-v2')
export class CreateUpscaleController {
  constructor(private readonly upscales: CreateUpscaleHandler) {}

  @Post()
  @HttpCode(200)
  async handle(
    @CallingAccount() accountId: AccountId,
    @IdempotencyKeyHeader() key: string | null,
    @RequestAddress() address: AskedAddress,
    @Body() body: unknown,
  ): Promise<UpscaleWire> {
    return await this.upscales.handle(body, { accountId, key, address });
  }
}
