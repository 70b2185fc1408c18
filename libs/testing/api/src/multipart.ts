import { randomBytes } from 'node:crypto';

export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  /** Present on file parts. */
  readonly filename?: string;
  /** The part's own media type. */
  readonly type?: string;
  /** Replaces the usual Content-Disposition line and everything after it. */
  readonly rawHead?: string;
}

export interface MultipartBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly boundary: string;
}

/** A multipart/form-data body with the given parts, unchecked and unescaped: tests need bad ones too. */
export function multipart(parts: readonly Part[], options: { boundary?: string; end?: string } = {}): MultipartBody {
  const boundary = options.boundary ?? `----heddle${randomBytes(12).toString('hex')}`;
  const pieces: Buffer[] = [];
  for (const part of parts) {
    pieces.push(Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`), Buffer.from(part.value), Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(options.end ?? `--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(pieces), boundary };
}

function headOf(part: Part): string {
  if (part.rawHead !== undefined) return part.rawHead;
  const filename = part.filename === undefined ? '' : `; filename="${part.filename}"`;
  const type = part.type === undefined ? '' : `\r\nContent-Type: ${part.type}`;
  return `Content-Disposition: form-data; name="${part.name}"${filename}${type}`;
}

export interface UploadForm {
  readonly bytes?: Uint8Array;
  readonly content_type?: string;
  readonly file_path?: string;
  readonly expected_hash?: string;
  readonly tags?: readonly string[];
  readonly expires_in?: string | number;
}

/** The parts of an upload in the order of the official clients: the file last. */
export function uploadParts(form: UploadForm): Part[] {
  const text = (name: string, value: string | number | undefined): Part[] =>
    value === undefined ? [] : [{ name, value: String(value) }];
  return [
    ...text('content_type', form.content_type),
    ...text('file_path', form.file_path),
    ...text('expected_hash', form.expected_hash),
    ...(form.tags ?? []).map((tag) => ({ name: 'tags', value: tag })),
    ...text('expires_in', form.expires_in),
    ...(form.bytes === undefined
      ? []
      : [{ name: 'file', value: form.bytes, filename: form.file_path ?? 'file', type: 'application/octet-stream' }]),
  ];
}
