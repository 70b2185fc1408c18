import type { UrlExpiry } from './render-wire/url-expiry.js';
import type { SurfaceName } from './surface-capabilities.js';

/** What the operator decides about the edge; defaults are those of decisions.md. */
export class GatewaySettings {
  readonly surface: SurfaceName = 'self-hosted';
  /** One static bearer token, or null for none (self-hosted). */
  readonly staticToken: string | null = null;
  /** Origin of the links in answers; null = that of the request. */
  readonly publicBaseUrl: string | null = null;
  readonly trustForwarded: boolean = false;
  /** Host names answered beside loopback: lower case, without a port, IPv6 addresses in brackets. */
  readonly allowedHosts: readonly string[] = [];
  readonly corsOrigins: readonly string[] = [];
  /** What `url_expires_at` tells: when a link ends, or null. */
  readonly urlExpiry: UrlExpiry = 'timestamp';
  /** Job reads of an account: steady rate a second, and how many at once. */
  readonly readRate: number = 50;
  readonly readBurst: number = 200;
  /** Bytes of a whole upload, frame included: what announces more is refused before it is sent. */
  readonly uploadRequestBytes: number = 105_906_176;
  readonly streamsPerAccount: number = 256;
  readonly streamsPerProcess: number = 10_000;
  readonly heartbeatMs: number = 15_000;
  /** A reader that takes nothing for so long loses its stream. */
  readonly stalledMs: number = 30_000;
  /** A watched job without news for so long is read again. */
  readonly silenceMs: number = 15_000;
  readonly queuePositionMs: number = 2_000;
  /** Latest previews of running jobs that are kept for streams to come, bytes. */
  readonly previewBytes: number = 16 * 1024 * 1024;

  constructor(given: Partial<GatewaySettings> = {}) {
    Object.assign(this, given);
  }
}
