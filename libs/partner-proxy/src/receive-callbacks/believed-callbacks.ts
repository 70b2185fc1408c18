import { Inject, Injectable } from '@nestjs/common';
import type { VendorName } from '@heddle/partner-proxy-domain';
import type { Pool } from 'pg';
import { PROXY_POOL } from '../proxy-pool.js';
import { VendorSignatures } from './vendor-signatures.js';
import type { ReceivedCallback } from './vendor-signatures.js';

const keepNonceSql = `
insert into partner_proxy.vendor_nonce (vendor, nonce) values ($1, $2) on conflict do nothing returning 1`;

/** Whether a callback is the vendor's, and comes for the first time. */
@Injectable()
export class BelievedCallbacks {
  constructor(
    private readonly signatures: VendorSignatures,
    @Inject(PROXY_POOL) private readonly pool: Pool,
  ) {}

  /** A good callback is believed once. */
  async believes(vendor: VendorName, callback: ReceivedCallback): Promise<boolean> {
    const nonce = this.signatures.nonceOf(vendor, callback);
    if (nonce === null) return false;
    return (await this.pool.query(keepNonceSql, [vendor, nonce])).rowCount === 1;
  }
}
