import type { SignedUrl } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { forwarded, requestHost } from '../resolve-surface/request-host.js';
import type { GatewaySettings } from '../settings.js';

type LinkSettings = Pick<GatewaySettings, 'publicBaseUrl' | 'publicScheme' | 'trustForwarded'>;

/** The origin under which the client reached us, for absolute links (decisions, urls). */
export function baseUrlOf(request: FastifyRequest, settings: LinkSettings): string {
  if (settings.publicBaseUrl !== null) return settings.publicBaseUrl.replace(/\/$/, '');
  const { headers } = request;
  const proto = settings.trustForwarded ? forwarded(headers['x-forwarded-proto']) : undefined;
  const scheme = proto === 'https' || proto === 'http' ? proto : settings.publicScheme;
  return `${scheme}://${requestHost(headers, settings)}`;
}

/** Origin of signed URLs that Heddle serves itself; `base`: that of other links. */
export function signedBaseOf(base: string, { signedBaseUrl }: Pick<GatewaySettings, 'signedBaseUrl'>): string {
  return signedBaseUrl?.replace(/\/$/, '') ?? base;
}

/** A signed URL as clients see it. */
export function signedLink(signedBase: string, { url }: SignedUrl): string {
  return url.startsWith('/') ? `${signedBase}${url}` : url;
}

export function jobUrl(base: string, jobId: string): string {
  return `${base}/api/v2/jobs/${jobId}`;
}

export function contentUrl(base: string, assetId: string): string {
  return `${base}/api/v2/assets/${assetId}/content`;
}
