import { Readable } from 'node:stream';
import type { UploadRequest } from '@heddle/contracts-messages';

const BOUNDARY = '----heddle-test-boundary';

export interface SampleUpload {
  readonly bytes: Buffer | string;
  readonly contentType?: string;
  readonly filePath?: string;
  readonly expectedHash?: string;
  readonly expiresIn?: string;
  readonly tags?: readonly string[];
  readonly idempotencyKey?: string;
  /** File before the fields instead of after them. */
  readonly fileFirst?: boolean;
}

/** A multipart body of the parts, in order; null values are omitted. */
export function multipartBody(parts: readonly (readonly [name: string, value: Buffer | string | null])[]): Buffer {
  const pieces = parts.flatMap(([name, value]) => {
    if (value === null) return [];
    const file = name === 'file' ? '; filename="any"\r\nContent-Type: application/octet-stream' : '';
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export function requestOf(body: Buffer | Readable, idempotencyKey: string | null = null): UploadRequest {
  const stream = body instanceof Readable ? body : Readable.from(chunksOf(body, 65_536));
  return { contentType: `multipart/form-data; boundary=${BOUNDARY}`, idempotencyKey, body: stream };
}

export function sampleRequest(upload: SampleUpload): UploadRequest {
  const fields = [
    ['content_type', upload.contentType ?? 'image/png'],
    ['file_path', upload.filePath ?? 'photo.png'],
    ['expected_hash', upload.expectedHash ?? null],
    ['expires_in', upload.expiresIn ?? null],
    ...(upload.tags ?? []).map((tag) => ['tags', tag] as const),
  ] as const;
  const file = ['file', Buffer.from(upload.bytes)] as const;
  const body = multipartBody(upload.fileFirst === true ? [file, ...fields] : [...fields, file]);
  return requestOf(body, upload.idempotencyKey ?? null);
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
