export { ProxyGate } from './authorize/proxy-gate.js';
export type { VendorAccess } from './call-vendors/open-vendors.js';
export { PARTNER_PROXY_FAILPOINTS } from './failpoints.js';
export { PartnerProxyModule } from './partner-proxy.module.js';
export type { PartnerProxyModuleOptions } from './partner-proxy.module.js';
export { readPrices } from './price-tasks/price-list.js';
export { proxyBodyBytes } from './proxy-body-bytes.js';
