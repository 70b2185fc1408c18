/** Connections with the role of the process that serves the proxy. */
export const PROXY_POOL = Symbol('ProxyPool');
