import { SURFACES, surfaceOf } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { admissionOf } from '../authenticate/admission.js';
import type { GatewaySettings } from '../settings.js';
import { baseUrlOf, signedBaseOf } from './links.js';
import type { UrlExpiry } from './url-expiry.js';

/** What rendering needs beside the object itself. */
export interface RenderContext {
  readonly base: string;
  readonly urlExpiry: UrlExpiry;
  /** Origin of signed URLs that Heddle serves itself. */
  readonly signedBase: string;
  /** `url_expires_at` of outputs is the job's `expires_at` (decisions, Assets). */
  readonly outputsEndWithJob: boolean;
}

export function renderContext(request: FastifyRequest, settings: GatewaySettings): RenderContext {
  const { deploymentId } = admissionOf(request).principal;
  const base = baseUrlOf(request, settings);
  return {
    base,
    urlExpiry: settings.urlExpiry,
    signedBase: signedBaseOf(base, settings),
    outputsEndWithJob: SURFACES[surfaceOf(deploymentId)].content === 'redirect',
  };
}
