import type { IncomingMessage } from 'node:http';
import type { BodyShare } from '@heddle/platform-http/body-budget';
import { BodyFaultError, gatherBody } from '@heddle/platform-http/gather-body';
import type { BodyFault } from '@heddle/platform-http/gather-body';
import { BUNDLE_TYPE, PARTS_TYPE } from '../wire/call-headers.js';
import { decodeJson, decodeParts } from '../wire/parcel.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import { CallRefusal } from './refusal.js';
import type { Refusal } from './refusal.js';

/** Reads a whole parcel of at most `limit` bytes. Throws CallRefusal. `share` counts what is held. */
export async function readParcel(request: IncomingMessage, limit: number, share: BodyShare): Promise<ReceivedParcel> {
  const body = await gatherBody(request, { bodyBytes: limit, bodyTimeoutMs: null }, share).catch((error: unknown) => {
    throw error instanceof BodyFaultError ? new CallRefusal(refusalOf(error.fault, limit)) : error;
  });
  const type = request.headers['content-type'];
  return type === PARTS_TYPE || type === BUNDLE_TYPE ? decodeParts(body) : decodeJson(body);
}

function refusalOf(fault: BodyFault, limit: number): Refusal {
  switch (fault) {
    case 'too_large':
      return {
        status: 413,
        code: 'too_large',
        message: `the parcel is longer than the ${limit} bytes that this call takes`,
      };
    case 'no_room':
      // Its caller goes to another replica, or asks again.
      return { status: 503, code: 'not_now', message: 'this process holds as many bytes of calls as it may' };
    case 'finely_cut':
      return { status: 400, code: 'malformed', message: 'the parcel comes in thousands of chunks of a few bytes' };
    case 'late':
    case 'broken':
      return { status: 400, code: 'malformed', message: 'the parcel broke off' };
  }
}
