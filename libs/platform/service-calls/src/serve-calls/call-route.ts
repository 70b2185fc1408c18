import type { Readable } from 'node:stream';
import type { ServiceIdentity } from '../identity/service-token.js';
import type { Parcel, ReceivedParcel } from '../wire/parcel.js';

export interface IncomingCall extends ReceivedParcel {
  readonly caller: ServiceIdentity;
  /** Aborted when the caller hung up, its deadline is over, or this server cuts it. */
  readonly signal: AbortSignal;
}

interface RouteHead {
  /** e.g. `/internal/v1/jobs/submit` */
  readonly path: string;
  /** Services whose tokens open it. */
  readonly openTo: readonly string[];
  /** Bytes of a parcel that is read whole; 1 MiB where it is not given. */
  readonly bodyBytes?: number;
  /** Names of errors whose message the caller is told; of others it learns only that something failed. */
  readonly tells?: readonly string[];
}

/** A parcel in, a parcel out. */
export interface PlainRoute extends RouteHead {
  readonly kind: 'plain';
  handle(call: IncomingCall): Promise<Parcel>;
}

/** A body is handed on as it arrives; it may be left unread to its end. */
export interface UploadRoute extends RouteHead {
  readonly kind: 'upload';
  handle(call: IncomingCall, body: Readable): Promise<Parcel>;
}

/** The answer is a stream, or only its head. */
export interface DownloadRoute extends RouteHead {
  readonly kind: 'download';
  handle(call: IncomingCall): Promise<{ readonly head: unknown; readonly body: Readable | null }>;
}

export type CallRoute = PlainRoute | UploadRoute | DownloadRoute;

/** Where routes are hung up; a service's routes are added before it listens. */
export interface CallRoutes {
  route(route: CallRoute): void;
}
