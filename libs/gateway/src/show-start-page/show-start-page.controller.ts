import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewaySettings } from '../settings.js';
import { baseUrlOf } from '../render-wire/links.js';
import { sendStartPage } from './send-start-page.js';

/** Returns the URL of health and metrics; null if unknown. */
export type HealthUrl = () => string | null;
export const HEALTH_URL = Symbol('HealthUrl');

/**
 * `GET /` for a person who opens the service's address. It is not an operation of v2, so the API document does not list
 * it.
 */
@Controller()
export class ShowStartPageController {
  constructor(
    private readonly settings: GatewaySettings,
    @Inject(HEALTH_URL) private readonly healthUrl: HealthUrl,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendStartPage(reply, request.headers.accept, {
      version: heddleVersion(),
      base: baseUrlOf(request, this.settings),
      healthUrl: this.healthUrl(),
    });
  }
}
