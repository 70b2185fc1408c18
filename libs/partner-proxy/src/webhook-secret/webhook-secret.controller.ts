import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { webhookSecret } from '@heddle/platform-webhooks';
import { CallingAccount } from '../authorize/proxy-caller.js';
import { WebhookSecrets } from './webhook-secrets.js';

@Controller('proxy/webhook-secret')
export class WebhookSecretController {
  constructor(private readonly secrets: WebhookSecrets) {}

  @Get()
  @Header('cache-control', 'no-store')
  async show(@CallingAccount() accountId: AccountId): Promise<{ readonly secret: string }> {
    return { secret: webhookSecret(await this.secrets.keyOf(accountId)) };
  }

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async renew(@CallingAccount() accountId: AccountId): Promise<{ readonly secret: string }> {
    return { secret: webhookSecret(await this.secrets.renew(accountId)) };
  }
}
