import type { Client } from 'minio';
import type { S3Settings } from './s3-options.js';

/** Response properties of a signed URL. */
export interface SignedUrlOptions {
  readonly fileName: string;
  readonly contentType: string;
  /** 1 to 604,800. */
  readonly expiresInSeconds: number;
}

/** Types that a browser displays or plays but never executes. */
const PASSIVE_TYPE =
  /^(?:(?:image|audio|video|font|model)\/[a-z0-9][a-z0-9.+-]*|text\/plain|application\/(?:json|zip|pdf|gzip))$/;

/**
 * A link to one object that needs no credentials. S3 cannot send `nosniff`, so the answer is always a download, and a
 * type that a browser could execute becomes a plain byte stream.
 */
export async function signedUrl(
  client: Client,
  settings: S3Settings,
  name: string,
  options: SignedUrlOptions,
): Promise<string> {
  return client.presignedGetObject(settings.bucket, name, options.expiresInSeconds, {
    'response-content-disposition': attachment(options.fileName),
    'response-content-type': passiveType(options.contentType),
  });
}

function passiveType(contentType: string): string {
  const bare = contentType.split(';')[0]!.trim().toLowerCase();
  return PASSIVE_TYPE.test(bare) && !bare.includes('xml') ? bare : 'application/octet-stream';
}

/** File name by RFC 6266: in ASCII for old clients, and unchanged. */
function attachment(fileName: string): string {
  const last = fileName.split('/').at(-1)!.toWellFormed();
  const ascii = last.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(last).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
