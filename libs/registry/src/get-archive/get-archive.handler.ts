import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { refuseRegistry } from '@heddle/contracts-registry';
import { byteRange } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { BytesAnswer } from '@heddle/platform-http';
import { namesTag } from '../answer-reads/entity-tag.js';
import { READ_HEADERS } from '../answer-reads/kept-reads.js';
import { VersionReads } from '../find-versions/version-reads.js';
import { assertReadable } from '../show-version/show-version.handler.js';

/** The part of a request that decides which bytes it gets. */
interface ArchiveRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const MEDIA_TYPES = { zip: 'application/zip', 'tar.gz': 'application/gzip' } as const;

/** The bytes of a version, whole or one range. Members get no more of them than others. */
@Injectable()
export class GetArchiveHandler {
  constructor(
    private readonly versions: VersionReads,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {}

  async handle(nodeId: string, version: string, { method, headers }: ArchiveRequest): Promise<BytesAnswer> {
    const found = await this.versions.one(nodeId, version);
    if (found === null) throw registryRefusal('not_found', { case: 'version', id: nodeId, version });
    assertReadable(found, false);
    const { sha256, size_bytes: sizeBytes, blob, format } = found.state.bytes!;
    const etag = `"${sha256}"`;
    const head = { ...READ_HEADERS, etag, 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff' };
    if (namesTag(headers['if-none-match'], etag)) return { ok: true, status: 304, headers: head, body: null };
    const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
    // RFC 9110, 14.2: a range is a question of GET alone.
    const range = byteRange(isSame && method === 'GET' ? headers.range : undefined, sizeBytes);
    if (range.kind === 'unsatisfiable') {
      const rejection = refuseRegistry('range_not_satisfiable', { case: 'range', sizeBytes });
      return { ok: false, rejection, headers: { 'content-range': `bytes */${sizeBytes}` } };
    }
    const part = range.kind === 'part' ? { start: range.start, end: range.end } : { start: 0, end: sizeBytes - 1 };
    const answer = {
      ok: true,
      status: range.kind === 'part' ? 206 : 200,
      headers: {
        ...head,
        'content-type': MEDIA_TYPES[format],
        'content-length': String(part.end - part.start + 1),
        'content-disposition': `attachment; filename="${found.node_id}-${found.state.version}.${format}"`,
        ...(range.kind === 'part' ? { 'content-range': `bytes ${part.start}-${part.end}/${sizeBytes}` } : {}),
      },
    } as const;
    if (method === 'HEAD') return { ...answer, body: null };
    const bytes = await this.store.read(blob as BlobKey, range.kind === 'part' ? part : undefined);
    return { ...answer, body: { bytes, close: () => void bytes.destroy() } };
  }
}
