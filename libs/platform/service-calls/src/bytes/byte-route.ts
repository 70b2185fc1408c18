import type { Readable } from 'node:stream';

interface RouteHead {
  /** For example `/internal/v1/assets/upload` */
  readonly path: string;
  /** Services whose tokens are accepted */
  readonly openTo: readonly string[];
}

/** Streams the body to the handler, which may leave it unread; the answer is JSON. */
export interface UploadRoute extends RouteHead {
  readonly kind: 'upload';
  handle(head: unknown, body: Readable): Promise<unknown>;
}

/** The answer is a head, with or without a stream. */
export interface DownloadRoute extends RouteHead {
  readonly kind: 'download';
  handle(head: unknown): Promise<{ readonly head: unknown; readonly body: Readable | null }>;
}

/** A streamed call over HTTP/1.1. Its head is any JSON, which the route checks. */
export type ByteRoute = UploadRoute | DownloadRoute;
