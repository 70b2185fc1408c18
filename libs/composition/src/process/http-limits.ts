import { HTTP_DEFAULTS } from '@heddle/platform-http';
import type { HttpLimits } from '@heddle/platform-http';
import type { Settings } from '../settings/settings.js';

/** Limits of the HTTP application from the settings. */
export function httpLimits(settings: Settings): HttpLimits {
  const requestTimeoutMs = Math.max(HTTP_DEFAULTS.requestTimeoutMs, settings.uploadTimeout * 1000 + 30_000);
  return {
    ...HTTP_DEFAULTS,
    bodyBytes: settings.bodyBytes,
    urlBytes: settings.urlBytes,
    headerBytes: settings.headerBytes,
    headerCount: settings.headerLines,
    bodyTimeoutMs: settings.bodyTimeout * 1000,
    headersTimeoutMs: settings.headersTimeout * 1000,
    requestTimeoutMs,
  };
}
