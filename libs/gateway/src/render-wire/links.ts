import type { FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../settings.js';

/** The origin under which the client reached us, for absolute links (decisions, urls). */
export function baseUrlOf(
  request: FastifyRequest,
  settings: Pick<GatewaySettings, 'publicBaseUrl' | 'trustForwarded'>,
): string {
  if (settings.publicBaseUrl !== null) return settings.publicBaseUrl.replace(/\/$/, '');
  const { host = '127.0.0.1' } = request.headers;
  if (!settings.trustForwarded) return `http://${host}`;
  const forwardedHost = first(request.headers['x-forwarded-host']) ?? host;
  const protocol = first(request.headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  return `${protocol}://${forwardedHost}`;
}

export function jobUrl(base: string, jobId: string): string {
  return `${base}/api/v2/jobs/${jobId}`;
}

export function contentUrl(base: string, assetId: string): string {
  return `${base}/api/v2/assets/${assetId}/content`;
}

function first(header: string | string[] | undefined): string | undefined {
  const value = Array.isArray(header) ? header[0] : header?.split(',')[0]?.trim();
  return value !== undefined && /^[A-Za-z0-9.\-:[\]]+$/.test(value) ? value : undefined;
}
