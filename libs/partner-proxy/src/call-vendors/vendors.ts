import type { VendorName } from '@heddle/partner-proxy-domain';
import type { ImageVendor } from './image-vendor.js';
import { VendorFaultError } from './vendor-fault.js';
import type { TaskSource } from './vendor.js';
import type { VideoVendor } from './video-vendor.js';

interface ConfiguredVendors {
  readonly video: VideoVendor | null;
  readonly image: ImageVendor | null;
}

/** The vendors that the operator named. */
export class Vendors {
  constructor(private readonly configured: ConfiguredVendors) {}

  get video(): VideoVendor {
    return this.configured.video ?? unset('video');
  }

  get image(): ImageVendor {
    return this.configured.image ?? unset('image');
  }

  of(vendor: VendorName): TaskSource {
    return vendor === 'video' ? this.video : this.image;
  }
}

function unset(vendor: VendorName): never {
  throw new VendorFaultError(vendor, 'unset');
}
