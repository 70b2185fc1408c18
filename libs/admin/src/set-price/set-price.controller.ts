import { Body, Controller, Get, Put, Res } from '@nestjs/common';
import type { DeploymentName, DeploymentPrice } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { NamedDeployment } from '../read-request/asked-stage.js';
import { adminBody } from '../read-request/admin-body.js';
import type { PriceBody } from './price-body.dto.js';
import { Prices } from './prices.js';

const PRICE_BODY = adminBody(async () => (await import('./price-body.dto.js')).PriceBody);

/** Prices by the label of their deployment; `managed` is one. */
@Controller('admin/v1/prices/:label')
export class SetPriceController {
  constructor(private readonly prices: Prices) {}

  @Get()
  show(@NamedDeployment() name: DeploymentName, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.prices.of(name), 200, render(name));
  }

  @Put()
  set(
    @NamedDeployment() name: DeploymentName,
    @Body(PRICE_BODY) body: PriceBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.prices.set(name, body.toChange()), 200, render(name));
  }
}

function render({ label }: DeploymentName): (price: DeploymentPrice) => string {
  return ({ perJob, perSecond }) => JSON.stringify({ deployment: label, per_job: perJob, per_second: perSecond });
}
