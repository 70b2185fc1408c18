import type { IncomingMessage } from 'node:http';
import { status } from '@grpc/grpc-js';
import type { BodyShare } from '@heddle/platform-http/body-budget';
import { BodyFaultError } from '@heddle/platform-http/body-fault';
import { collectBody } from '@heddle/platform-http/collect-body';
import { MalformedCallError, RefusedCallError } from '../serve/call-failures.js';
import { MAX_HEAD_BYTES } from './byte-headers.js';

/** Head of an upload: JSON in a header. */
export function headOfHeader(header: string | undefined): unknown {
  return parsed(header ?? 'null');
}

/** Head of a download: JSON in the body. */
export async function headOfBody(request: IncomingMessage, share: BodyShare): Promise<unknown> {
  try {
    const body = await collectBody(request, { bodyBytes: MAX_HEAD_BYTES, bodyTimeoutMs: null }, share);
    return parsed(body.length === 0 ? 'null' : body.toString());
  } catch (error) {
    throw error instanceof BodyFaultError ? refusalOf(error) : error;
  } finally {
    share.end();
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new MalformedCallError('the head of the call is not JSON');
  }
}

function refusalOf({ fault }: BodyFaultError): RefusedCallError | MalformedCallError {
  switch (fault) {
    case 'too_large': {
      const message = `the head of the call is longer than ${MAX_HEAD_BYTES} bytes`;
      return new RefusedCallError(status.RESOURCE_EXHAUSTED, 'too_large', message);
    }
    case 'no_room': {
      // The caller tries another replica, or retries later.
      const message = 'this process already holds the maximum bytes of calls';
      return new RefusedCallError(status.UNAVAILABLE, 'not_now', message);
    }
    case 'finely_cut':
      return new MalformedCallError('the head of the call arrives in too many small chunks');
    case 'late':
    case 'broken':
      return new MalformedCallError('the call broke off');
  }
}
