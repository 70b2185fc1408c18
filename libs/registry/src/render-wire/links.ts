import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RegistrySettings } from '../settings.js';

const addresses = new WeakMap<object, string>();
/** A name or an IPv6 address with or without a port: whatever else `Host` says stands in no link. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Notes with which address links to this request begin. */
export function noteAddress(request: FastifyRequest, settings: RegistrySettings): void {
  addresses.set(request, settings.publicUrl ?? ownAddress(request, settings));
}

function ownAddress({ headers }: FastifyRequest, settings: RegistrySettings): string {
  const { trustForwarded, publicScheme, prefix } = settings;
  const forwarded = (name: string): string | undefined => {
    const value = headers[name];
    return trustForwarded && typeof value === 'string' ? value.split(',')[0]?.trim() : undefined;
  };
  const given = forwarded('x-forwarded-host') ?? headers.host ?? '';
  const proto = forwarded('x-forwarded-proto');
  const scheme = proto === 'http' || proto === 'https' ? proto : publicScheme;
  return `${scheme}://${HOST.test(given) ? given : '127.0.0.1'}${prefix}`;
}

/** The address with which the links of an answer begin. */
export function addressOf(request: FastifyRequest): string {
  return addresses.get(request) ?? '';
}

export const RegistryUrl = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
