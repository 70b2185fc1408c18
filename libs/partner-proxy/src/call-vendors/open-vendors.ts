import { Secret } from '@heddle/contracts-messages';
import type { VendorName } from '@heddle/partner-proxy-domain';
import type { ProxyLogger } from '../proxy-logger.js';
import type { ProxyMetrics } from '../proxy-metrics.js';
import type { PartnerProxySettings } from '../settings.js';
import { ImageVendor } from './image-vendor.js';
import { VendorHttp } from './vendor-http.js';
import { Vendors } from './vendors.js';
import { VideoVendor } from './video-vendor.js';

/** Where a vendor is and what it accepts. */
export interface VendorAccess {
  readonly url: string;
  readonly key: Secret;
}

export interface VendorAccesses {
  /** Null: there is no such vendor. */
  readonly video: VendorAccess | null;
  readonly image: VendorAccess | null;
}

export function openVendors(
  { video, image }: VendorAccesses,
  { timeoutMs, models }: PartnerProxySettings,
  metrics: ProxyMetrics,
  logger: ProxyLogger,
): Vendors {
  const http = (vendor: VendorName, { url, key }: VendorAccess): VendorHttp => {
    const credential =
      vendor === 'video'
        ? (['authorization', new Secret(`Token ${key.reveal()}`)] as const)
        : (['x-freepik-api-key', key] as const);
    return new VendorHttp({ vendor, url, timeoutMs, credential }, metrics, logger);
  };
  return new Vendors({
    video: video === null ? null : new VideoVendor(http('video', video), models),
    image: image === null ? null : new ImageVendor(http('image', image)),
  });
}
