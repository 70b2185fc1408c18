import type { FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway-settings.js';
import { baseUrlOf } from './links.js';

const DAY_MS = 86_400_000;

/** What a wire shape needs beside the thing itself. */
export interface RenderContext {
  readonly base: string;
  /** null, or now + 24 h for clients that cannot read null (decisions, Assets: url). */
  readonly urlExpiresAt: string | null;
}

export function renderContext(request: FastifyRequest, settings: GatewaySettings): RenderContext {
  const urlExpiresAt = settings.urlExpiry === 'null' ? null : new Date(Date.now() + DAY_MS).toISOString();
  return { base: baseUrlOf(request, settings), urlExpiresAt };
}
