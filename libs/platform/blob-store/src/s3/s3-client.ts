import * as http from 'node:http';
import * as https from 'node:https';
import type { Client } from 'minio';
import type { S3Settings } from './s3-options.js';
import { s3Transport } from './s3-transport.js';

/**
 * A client for one endpoint. `setting` names the endpoint's source; throws if the endpoint is not valid. The package is
 * loaded here, so that a process without S3 does not pay its 15 MiB.
 */
export async function s3Client(settings: S3Settings, endpoint: string, setting: string): Promise<Client> {
  const url = endpointUrl(endpoint, setting);
  const secure = url.protocol === 'https:';
  const agent = { keepAlive: true, maxSockets: settings.connections, scheduling: 'lifo' as const };
  const { Client: MinioClient } = await import('minio');
  const client = new MinioClient({
    endPoint: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    useSSL: secure,
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // Otherwise the client first asks the store for the region.
    region: settings.region,
    pathStyle: settings.addressing === 'path',
    transport: s3Transport(secure),
    transportAgent: secure ? new https.Agent(agent) : new http.Agent(agent),
    retryOptions: { disableRetry: true },
  });
  // SHA-256 over every byte would cost more than everything else; CRC-32 protects the transfer, BLAKE3 the stored
  // object.
  client.enableSHA256 = false;
  return client;
}

function endpointUrl(endpoint: string, setting: string): URL {
  const url = URL.parse(endpoint);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.username === '';
  if (isPlain) return url;
  throw new Error(`${setting} is ${JSON.stringify(endpoint)}, expected http(s)://host[:port] without a path`);
}
