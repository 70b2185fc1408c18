import type { Readable } from 'node:stream';
import type { ServiceIdentity } from '../identity/service-token.js';
import type { CallMessage, ReceivedMessage } from '../wire/call-message.js';

export interface IncomingCall extends ReceivedMessage {
  readonly caller: ServiceIdentity;
  /** Aborted when the caller hung up, its deadline is over, or (for frames) this server stops. */
  readonly signal: AbortSignal;
}

interface RouteHead {
  /** e.g. `/internal/v1/jobs/submit` */
  readonly path: string;
  /** Services whose tokens open it. */
  readonly openTo: readonly string[];
  /** Bytes of a message that is read whole; 1 MiB where it is not given. */
  readonly bodyBytes?: number;
  /** Names of errors whose message the caller is told; of others it learns only that something failed. */
  readonly tells?: readonly string[];
}

/** A message in, a message out. */
export interface MessageRoute extends RouteHead {
  readonly kind: 'message';
  handle(call: IncomingCall): Promise<CallMessage>;
}

/** A body is handed on as it arrives; it may be left unread to its end. */
export interface UploadRoute extends RouteHead {
  readonly kind: 'upload';
  handle(call: IncomingCall, body: Readable): Promise<CallMessage>;
}

/** The answer is a stream, or only its head. */
export interface DownloadRoute extends RouteHead {
  readonly kind: 'download';
  handle(call: IncomingCall): Promise<{ readonly head: unknown; readonly body: Readable | null }>;
}

/**
 * An answer that is kept open and sends messages as they come, with signs of life between them. `emit` resolves once
 * the message was handed to the connection: false when there is none any more, so it reached nobody.
 */
export interface FramesRoute extends RouteHead {
  readonly kind: 'frames';
  handle(call: IncomingCall, emit: (message: CallMessage) => Promise<boolean>): Promise<void>;
}

export type CallRoute = MessageRoute | UploadRoute | DownloadRoute | FramesRoute;

/** Where routes are hung up; a service's routes are added before it listens. */
export interface CallRoutes {
  route(route: CallRoute): void;
}
