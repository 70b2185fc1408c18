import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewaySettings } from '../settings.js';
import { baseUrlOf } from '../render-wire/links.js';
import { startPageHtml, startPageJson, wantsHtml } from './start-page.js';

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
    const page = {
      version: heddleVersion(),
      base: baseUrlOf(request, this.settings),
      healthUrl: this.healthUrl(),
    };
    const html = wantsHtml(request.headers.accept);
    void reply
      .header('content-type', html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
      .header('vary', 'accept')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .header('x-content-type-options', 'nosniff')
      .send(html ? startPageHtml(page) : startPageJson(page));
  }
}
