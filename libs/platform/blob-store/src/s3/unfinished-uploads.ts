import { repeatCall } from './repeat-call.js';
import type { S3Calls } from './s3-calls.js';

interface UnfinishedUpload {
  readonly name: string;
  readonly uploadId: string;
  readonly begunAt: Date;
}

/**
 * The uploads below a prefix that were begun and not completed. Paged here: the client's own listing also requests the
 * parts of each upload, and fails if one is completed meanwhile.
 */
export async function* unfinishedUploads(calls: S3Calls, prefix: string): AsyncIterable<UnfinishedUpload> {
  const { bucket, attempts, deadlines } = calls.settings;
  const limits = { attempts, deadlineMs: deadlines.callMs };
  for (let [key, id, more] = ['', '', true]; more;) {
    const page = await repeatCall(limits, () => calls.client.listIncompleteUploadsQuery(bucket, prefix, key, id, ''));
    for (const upload of page.uploads) {
      yield { name: upload.key, uploadId: upload.uploadId, begunAt: new Date(upload.initiated) };
    }
    [key, id] = [page.nextKeyMarker, page.nextUploadIdMarker];
    more = page.isTruncated && key !== '';
  }
}
