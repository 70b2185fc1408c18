import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { addressOf } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';

/** By which address of the registry a request came, and at which port this process took it. */
export interface AskedAddress {
  readonly url: string;
  readonly port: number | undefined;
}

/** The address of a request, for a controller. */
export const RequestAddress = createParamDecorator((_: unknown, context: ExecutionContext): AskedAddress => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { url: addressOf(request), port: request.raw.socket.localPort };
});
