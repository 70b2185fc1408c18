import type { Client } from 'minio';
import type { SignedUrlTerms } from '../blob-store.js';
import { attachment, shortFileName } from '../content-disposition.js';
import type { S3Settings } from './s3-options.js';

/**
 * A link to one object that needs no credentials. S3 cannot send `nosniff`, so the answer is always a download of plain
 * bytes, which no browser executes.
 */
export async function signedUrl(
  client: Client,
  { bucket }: S3Settings,
  name: string,
  { filePath, life }: SignedUrlTerms,
): Promise<string> {
  const headers = {
    'response-content-disposition': attachment(shortFileName(filePath)),
    'response-content-type': 'application/octet-stream',
  };
  return await client.presignedGetObject(bucket, name, life.seconds, headers, life.signedAt);
}
