import type { IncomingHttpHeaders } from 'node:http';
import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, UploadRequest } from '@heddle/contracts-messages';
import type { GatewaySettings } from '../settings.js';
import { idempotencyKeyIn } from '../read-request/idempotency-key.js';

/** The headers of an upload, or the refusal that they alone decide, so that no client sends a body in vain. */
export function readUploadHead(
  headers: IncomingHttpHeaders,
  { uploadBytes: limit, uploadRequestBytes }: Pick<GatewaySettings, 'uploadBytes' | 'uploadRequestBytes'>,
): Answer<Omit<UploadRequest, 'body'>> {
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > uploadRequestBytes) {
    const frameLimit = uploadRequestBytes - limit;
    return rejected(refuse('payload_too_large', { case: 'announced_upload', announced, limit, frameLimit }));
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return invalid('encoding', 'Content-Encoding');
  const header = idempotencyKeyIn(headers['idempotency-key']);
  if (!header.ok) return invalid('key_header', 'Idempotency-Key');
  return accepted({ contentType: headers['content-type'], idempotencyKey: header.key });
}

/** An invalid header: the text is also its detail. */
function invalid(kind: 'key_header' | 'encoding', header: string): Answer<never> {
  const refused = refuse('invalid_request', { case: kind });
  return rejected({ ...refused, details: { fields: { [header]: refused.message } } });
}
