import type { Readable } from 'node:stream';

interface RouteHead {
  /** e.g. `/internal/v1/assets/upload` */
  readonly path: string;
  /** Services whose tokens open it. */
  readonly openTo: readonly string[];
}

/** A body is handed on as it arrives, and may be left unread to its end; the answer is JSON. */
export interface UploadRoute extends RouteHead {
  readonly kind: 'upload';
  handle(head: unknown, body: Readable): Promise<unknown>;
}

/** The answer is a stream with a head, or only the head. */
export interface DownloadRoute extends RouteHead {
  readonly kind: 'download';
  handle(head: unknown): Promise<{ readonly head: unknown; readonly body: Readable | null }>;
}

/** Bytes that cross as they come, over HTTP/1.1. The head is any JSON, which the route checks. */
export type ByteRoute = UploadRoute | DownloadRoute;
