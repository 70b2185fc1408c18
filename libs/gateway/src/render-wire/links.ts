import type { FastifyRequest } from 'fastify';
import { forwarded, requestHost } from '../resolve-surface/request-host.js';
import type { GatewaySettings } from '../settings.js';

/** The origin under which the client reached us, for absolute links (decisions, urls). */
export function baseUrlOf(
  request: FastifyRequest,
  settings: Pick<GatewaySettings, 'publicBaseUrl' | 'publicScheme' | 'trustForwarded'>,
): string {
  if (settings.publicBaseUrl !== null) return settings.publicBaseUrl.replace(/\/$/, '');
  const { headers } = request;
  const told = settings.trustForwarded ? forwarded(headers['x-forwarded-proto']) : undefined;
  const scheme = told === undefined ? settings.publicScheme : told === 'https' ? 'https' : 'http';
  return `${scheme}://${requestHost(headers, settings)}`;
}

export function jobUrl(base: string, jobId: string): string {
  return `${base}/api/v2/jobs/${jobId}`;
}

export function contentUrl(base: string, assetId: string): string {
  return `${base}/api/v2/assets/${assetId}/content`;
}
