import type { Readable } from 'node:stream';
import type { CallTarget } from './call-target.js';

export interface AnyCall {
  readonly path: string;
  readonly head: unknown;
  /** Milliseconds until an answer must be there; for downloads, until it begins. */
  readonly deadlineMs?: number;
}

export interface PlainCall extends AnyCall {
  readonly bytes?: readonly Uint8Array[];
  readonly repeatable: boolean;
  /** It may share a request with others of its path while the service is busy; for small calls that come in numbers. */
  readonly gather?: boolean;
  /** Bytes of the longest answer. */
  readonly answerBytes?: number;
  /** This target and no other. */
  readonly at?: CallTarget;
}

export interface UploadCall extends AnyCall {
  readonly body: Readable;
  /** The service may leave bytes untaken for so long, or the body unanswered once it has all of it. */
  readonly stallMs?: number;
}

export interface DownloadCall extends AnyCall {
  /** The service may send nothing for so long. */
  readonly stallMs?: number;
}
