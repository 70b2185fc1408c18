import { MAX_TAGS } from '@heddle/assets-domain';
import { invalidFields, refuse } from '@heddle/contracts-messages';
import type { Rejection, UploadRequest } from '@heddle/contracts-messages';
import { isFinelyCut } from '@heddle/platform-http/collected-bytes';
import type { AssetsSettings } from '../settings.js';
import { readBoundary } from '../read-multipart/boundary.js';
import type { MultipartRefusal } from '../read-multipart/multipart-limits.js';
import { MultipartReader } from '../read-multipart/multipart-reader.js';
import { receiveBody } from '../receive-body/receive-body.js';
import type { BodyEnding } from '../receive-body/receive-body.js';
import type { StagedBlob } from '../stage-blob/staged-blob.js';
import { isUploadField, UploadFields } from './upload-fields.js';

/** Result of reading an upload: its fields with all bytes staged, or why not. */
type UploadReading =
  | { readonly kind: 'read'; readonly fields: UploadFields }
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  /** Our own fault: the store or the database. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Reads the body to its end, the file into the staged blob. Stops early only if the rest cannot be parsed. */
export async function readUpload(
  request: UploadRequest,
  staged: StagedBlob,
  settings: AssetsSettings,
): Promise<UploadReading> {
  const found = readBoundary(request.contentType);
  if (!('boundary' in found)) return { kind: 'refused', rejection: rejectionOf(found) };
  const fields = new UploadFields();
  let wait: Promise<void> | undefined;
  let sawFile = false;
  const reader = new MultipartReader(found.boundary, multipartLimits(settings), {
    field: (name, value) => fields.add(name, value),
    fileStart: () => (sawFile = true),
    fileData: (slice) => {
      // A body with invalid fields is refused after its end, without storing a byte.
      if (!fields.isWrong) wait = staged.take(slice) ?? wait;
    },
    fileEnd: () => undefined,
  });
  const pace = {
    totalMs: settings.uploadTimeoutMs,
    windowMs: settings.slowBodyWindowMs,
    windowBytes: (settings.slowBodyBytesPerSecond * settings.slowBodyWindowMs) / 1000,
  };
  let chunks = 0;
  let bytes = 0;
  let finelyCut = false;
  const take = (chunk: Buffer): 'stop' | Promise<void> | undefined => {
    wait = undefined;
    chunks += 1;
    bytes += chunk.length;
    finelyCut = isFinelyCut(chunks, bytes);
    if (finelyCut) return 'stop';
    return reader.push(chunk) === null ? wait : 'stop';
  };
  const ending = await receiveBody(request.body, take, pace);
  const refusal =
    rejectionOfEnding(ending) ??
    (finelyCut ? refuse('bad_request', { case: 'finely_cut' }) : null) ??
    refusalOf(reader.end());
  if (ending.kind === 'failed') return { kind: 'failed', error: ending.error };
  const rejection = refusal ?? fields.check(sawFile);
  return rejection === null ? { kind: 'read', fields } : { kind: 'refused', rejection };
}

function multipartLimits(settings: AssetsSettings): ConstructorParameters<typeof MultipartReader>[1] {
  return {
    fileBytes: settings.uploadBytes,
    totalBytes: settings.uploadBytes + settings.uploadOverheadBytes,
    headBytes: settings.partHeadBytes,
    fieldBytes: settings.fieldBytes,
    parts: settings.parts,
    tags: MAX_TAGS,
  };
}

function rejectionOfEnding(ending: BodyEnding): Rejection | null {
  if (ending.kind === 'too_slow') return refuse('request_timeout', { case: 'slow_upload' });
  if (ending.kind === 'broken') return refuse('bad_request', { case: 'ended_early' });
  return null;
}

function refusalOf(refusal: MultipartRefusal | null): Rejection | null {
  return refusal === null ? null : rejectionOf(refusal);
}

function rejectionOf(refusal: MultipartRefusal): Rejection {
  if (refusal.kind === 'too_large') {
    const { what, limit } = refusal;
    return what === 'file'
      ? refuse('payload_too_large', { case: 'file', limit })
      : refuse('payload_too_large', { case: 'upload', limit });
  }
  const { field, problem } = refusal;
  if (field !== undefined) return invalidFields({ [field]: problem }, isUploadField(field) ? [] : [field]);
  return refuse('invalid_request', { case: 'multipart', problem }, { details: { fields: { body: problem } } });
}
