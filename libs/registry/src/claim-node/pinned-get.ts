import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isPublicAddress } from '@heddle/platform-http';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;

/** What an HTTPS server answered: the status, and at most 64 KiB of the body. */
export interface PinnedAnswer {
  readonly status: number;
  readonly body: string;
}

/** How a host is found and reached. */
export interface PinnedGetOptions {
  /** Every address of a host name. */
  resolve(host: string): Promise<readonly string[]>;
  /** Whether an address may be called. */
  permits(address: string): boolean;
  /** Certificates, PEM; absent: those that Node.js believes. */
  readonly ca?: string;
}

const PUBLIC: PinnedGetOptions = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  permits: isPublicAddress,
};

/** The host has an address that must not be called. */
export class ForbiddenAddressError extends Error {}

/**
 * GET of a URL that somebody else wrote, over HTTPS. Every address of the host must be permitted, and the connection goes
 * to the address that was checked: a name that changes in between leads nowhere. Redirects are answers like any other.
 */
export async function pinnedGet(url: URL, options: PinnedGetOptions = PUBLIC): Promise<PinnedAnswer> {
  const { hostname, port, pathname } = url;
  const addresses = await options.resolve(hostname);
  if (addresses.length === 0 || !addresses.every((address) => options.permits(address))) {
    throw new ForbiddenAddressError(`${hostname} has no address that may be called`);
  }
  const { ca } = options;
  return await new Promise((resolve, reject) => {
    const sent = request(
      {
        host: addresses[0],
        servername: hostname,
        port: port === '' ? 443 : Number(port),
        path: pathname,
        headers: { host: url.host, accept: 'text/plain', 'user-agent': 'heddle-registry' },
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(ca === undefined ? {} : { ca }),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const end = (): void => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
          sent.destroy();
        };
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_BYTES) end();
          else chunks.push(chunk);
        });
        answer.on('end', end);
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
