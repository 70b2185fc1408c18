import { Injectable } from '@nestjs/common';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { LOOPBACK_HOSTS } from '@heddle/platform-settings';
import { PartnerProxySettings } from '../settings.js';
import type { AskedAddress } from './request-address.js';

/**
 * Callback URLs for vendors. A client writes the Host header, so that a URL begins with it only where the operator named the host,
 * or where it is this machine at the port of this process. Null: the vendor gets no callback URL, and its task is polled.
 */
@Injectable()
export class CallbackAddresses {
  constructor(private readonly settings: PartnerProxySettings) {}

  of(asked: AskedAddress, vendor: VendorName, token: string): string | null {
    const { publicUrl } = this.settings;
    const base = publicUrl ?? (this.#isOwn(asked) ? asked.url : null);
    return base === null ? null : `${base}/proxy/${vendor}vendor/callbacks/${token}`;
  }

  #isOwn({ url, port: own }: AskedAddress): boolean {
    const { hostname, port, protocol } = URL.parse(url) ?? { hostname: '', port: '', protocol: '' };
    const usual = protocol === 'https:' ? 443 : 80;
    if ((LOOPBACK_HOSTS as readonly string[]).includes(hostname)) return (port === '' ? usual : Number(port)) === own;
    return this.settings.callbackHosts.includes(hostname);
  }
}
