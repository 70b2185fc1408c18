import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { BYTES_TYPE, headerJson, JSON_TYPE, PARTS_TYPE, STREAM_HEAD } from '../wire/call-headers.js';
import { encodeParts } from '../wire/parcel.js';
import type { Parcel } from '../wire/parcel.js';
import { endUnread } from './refusal.js';

export function sendParcel(response: ServerResponse, parcel: Parcel): void {
  const isJson = parcel.bytes === undefined;
  const body = isJson ? Buffer.from(JSON.stringify(parcel.head) ?? 'null') : encodeParts(parcel);
  response.writeHead(200, { 'content-type': isJson ? JSON_TYPE : PARTS_TYPE, 'content-length': body.length });
  response.end(body);
  endUnread(response);
}

/** Resolves when the stream was sent or its caller is gone; a source that fails cuts the answer short. */
export async function sendStream(response: ServerResponse, head: unknown, body: Readable | null): Promise<void> {
  response.writeHead(200, { 'content-type': BYTES_TYPE, [STREAM_HEAD]: headerJson(head) });
  if (body === null) {
    response.end();
    return;
  }
  if (response.destroyed) {
    body.destroy();
    return;
  }
  response.flushHeaders();
  await pipeline(body, response);
}
