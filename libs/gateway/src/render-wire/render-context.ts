import type { FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../settings.js';
import { baseUrlOf } from './links.js';
import type { UrlExpiry } from './url-expiry.js';

/** What rendering needs beside the object itself. */
export interface RenderContext {
  readonly base: string;
  readonly urlExpiry: UrlExpiry;
}

export function renderContext(request: FastifyRequest, settings: GatewaySettings): RenderContext {
  return { base: baseUrlOf(request, settings), urlExpiry: settings.urlExpiry };
}
