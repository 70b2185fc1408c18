import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { addressOf } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';
import { ReceiveCallbackHandler } from './receive-callback.handler.js';
import type { ReceivedCallback } from './vendor-signatures.js';

@Controller('proxy')
export class CallbacksController {
  constructor(private readonly callbacks: ReceiveCallbackHandler) {}

  @Post('videovendor/callbacks/:token')
  @HttpCode(204)
  async video(@Req() request: FastifyRequest, @Param('token') token: string, @Body() body: unknown): Promise<void> {
    await this.#handle('video', token, request, body);
  }

  @Post('imagevendor/callbacks/:token')
  @HttpCode(204)
  async image(@Req() request: FastifyRequest, @Param('token') token: string, @Body() body: unknown): Promise<void> {
    await this.#handle('image', token, request, body);
  }

  async #handle(vendor: VendorName, token: string, request: FastifyRequest, body: unknown): Promise<void> {
    await this.callbacks.handle(vendor, token, receivedOf(request, body));
  }
}

/** The path as the vendor signed it: that of the URL which it was given. */
function receivedOf(request: FastifyRequest, body: unknown): ReceivedCallback {
  const target = request.raw.url ?? '';
  const at = target.indexOf('?');
  const [path, query] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
  const prefix = (URL.parse(addressOf(request))?.pathname ?? '/').replace(/\/$/, '');
  const { headers } = request;
  return { path: prefix + path, query, headers, body: Buffer.isBuffer(body) ? body.toString('utf8') : '' };
}
