import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const addresses = new WeakMap<object, string>();

/** Notes the address of the registry by which this request came: callbacks of vendors begin with it. */
export function noteRegistryUrl(request: FastifyRequest, url: string): void {
  addresses.set(request, url);
}

export function registryUrlOf(request: FastifyRequest): string {
  return addresses.get(request) ?? '';
}

export const RegistryUrl = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  registryUrlOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
