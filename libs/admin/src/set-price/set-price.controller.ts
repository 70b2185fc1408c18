import { Body, Controller, Get, Inject, Param, Put, Req, Res } from '@nestjs/common';
import { CREDITS_PORT, NO_PRICE } from '@heddle/contracts-messages';
import type { Answer, CreditsPort, DeploymentId, DeploymentName, DeploymentPrice } from '@heddle/contracts-messages';
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
    const price = this.#of(namedDeployment(label, request), async (id) => {
      return { ok: true, value: (await this.credits.pricesOf([id])).get(id) ?? NO_PRICE };
    });
    return respond(reply, price, 200, render(label));
  }

  @Put()
  set(
    @Param('label') label: string,
    @Req() request: FastifyRequest,
    @Body(PRICE_BODY) body: PriceBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const price = this.#of(namedDeployment(label, request), (id) => this.credits.setPrice(id, body.toChange()));
    return respond(reply, price, 200, render(label));
  }

  async #of(
    name: DeploymentName,
    ask: (id: DeploymentId) => Promise<Answer<DeploymentPrice>>,
  ): Promise<Answer<DeploymentPrice>> {
    const id = await this.names.deployment(name);
    return id.ok ? await ask(id.value) : id;
  }
}

function render(deployment: string): (price: DeploymentPrice) => string {
  return ({ perJob, perSecond }) => JSON.stringify({ deployment, per_job: perJob, per_second: perSecond });
}
