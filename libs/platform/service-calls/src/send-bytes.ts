export { BytesClient } from './bytes/bytes-client.js';
export type { ByteCall, BytesClientOptions } from './bytes/bytes-client.js';
