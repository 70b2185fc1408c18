import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestNote } from './request-note.js';

/** From which settings and headers the address of a service follows. */
interface AddressRules {
  /** As the operator set it, without a last slash; null: that of the request. */
  readonly publicUrl: string | null;
  readonly trustForwarded: boolean;
  readonly publicScheme: 'http' | 'https';
  /** Path of the service at its origin; "": none. */
  readonly prefix: string;
}

const addresses = new RequestNote<string>();
/** A name or an IPv6 address with or without a port: whatever else `Host` says stands in no link. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Notes with which address links to this request begin. */
export function noteAddress(request: FastifyRequest, rules: AddressRules): void {
  addresses.set(request, rules.publicUrl ?? ownAddress(request, rules));
}

function ownAddress({ headers }: FastifyRequest, { trustForwarded, publicScheme, prefix }: AddressRules): string {
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
  return addresses.of(request) ?? '';
}

/** The same, for a controller. */
export const OwnAddress = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
