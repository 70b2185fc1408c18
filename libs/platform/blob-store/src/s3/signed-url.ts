import type { Client } from 'minio';
import type { S3Settings } from './s3-options.js';

/** How a signed URL answers. */
export interface SignedUrlOptions {
  readonly fileName: string;
  readonly contentType: string;
  /** 1 to 604,800. */
  readonly expiresInSeconds: number;
}

/** What a browser shows or plays, and never runs. */
const PASSIVE_TYPE =
  /^(?:(?:image|audio|video|font|model)\/[a-z0-9][a-z0-9.+-]*|text\/plain|application\/(?:json|zip|pdf|gzip))$/;

/**
 * A link to one object for whoever has it. S3 cannot send `nosniff`: so the answer is a download in any case, and what a
 * browser could run is named a plain stream of bytes.
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

/** The name as RFC 6266 wants it: in ASCII for old clients, and as it is. */
function attachment(fileName: string): string {
  const last = fileName.split('/').at(-1)!.toWellFormed();
  const ascii = last.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(last).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
