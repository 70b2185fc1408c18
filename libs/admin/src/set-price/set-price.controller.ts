import { Body, Controller, Get, Inject, Param, Put, Req, Res } from '@nestjs/common';
import { accepted, CREDITS_PORT, priceIn } from '@heddle/contracts-messages';
import type { CreditsPort, DeploymentPrice } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FindNames } from '../find-names/find-names.js';
import { namedDeployment } from '../read-request/asked-stage.js';
import { adminBody } from '../read-request/admin-body.js';
import type { PriceBody } from './price-body.dto.js';

const PRICE_BODY = adminBody(async () => (await import('./price-body.dto.js')).PriceBody);

/** Prices by the label of their deployment; `managed` is one. */
@Controller('admin/v1/prices/:label')
export class SetPriceController {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: CreditsPort,
    private readonly names: FindNames,
  ) {}

  @Get()
  show(@Param('label') label: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respond(
      reply,
      this.names.withDeployment(namedDeployment(label, request), async (id) =>
        accepted(priceIn(await this.credits.pricesOf([id]), id)),
      ),
      200,
      render(label),
    );
  }

  @Put()
  set(
    @Param('label') label: string,
    @Req() request: FastifyRequest,
    @Body(PRICE_BODY) body: PriceBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(
      reply,
      this.names.withDeployment(namedDeployment(label, request), (id) => this.credits.setPrice(id, body.toChange())),
      200,
      render(label),
    );
  }
}

function render(deployment: string): (price: DeploymentPrice) => string {
  return ({ perJob, perSecond }) => JSON.stringify({ deployment, per_job: perJob, per_second: perSecond });
}
