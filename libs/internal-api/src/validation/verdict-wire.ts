import type { Rejection, SubmissionVerdict } from '@heddle/contracts-messages';
import type { Parcel } from '@heddle/platform-service-calls';
import { revealCredentials } from '../encode-values/credentials.js';
import type { WireCredentials } from '../encode-values/credentials.js';

export type CheckedVerdict = Extract<SubmissionVerdict, { kind: 'checked' }>;

/** What `finish` answers: when assets have none of the names, and when they have all of them. */
export interface WireFinish {
  readonly none: Rejection | null;
  readonly all: Rejection | null;
}

export type WireVerdict =
  | { readonly kind: 'malformed'; readonly rejection: Rejection }
  | (Omit<CheckedVerdict, 'workflow' | 'credentials' | 'finish'> & {
      readonly credentials: WireCredentials | null;
      /** Where the workflow lies in the body that was sent; null when it follows the head instead. */
      readonly span: { readonly start: number; readonly end: number } | null;
      readonly finish: WireFinish;
    });

/** The body came from the caller: of the workflow it gets only the place. */
export async function encodeVerdict(verdict: SubmissionVerdict, body: Uint8Array): Promise<Parcel> {
  if (verdict.kind === 'malformed') return { head: verdict satisfies WireVerdict };
  const { workflow, credentials, finish: _, ...rest } = verdict;
  const none = await verdict.finish(new Set());
  const all = rest.names.length === 0 ? none : await verdict.finish(new Set(rest.names));
  const span = spanOf(workflow, body);
  const head: WireVerdict = { ...rest, credentials: revealCredentials(credentials), span, finish: { none, all } };
  return span === null ? { head, bytes: [workflow] } : { head };
}

function spanOf(part: Uint8Array, whole: Uint8Array): { start: number; end: number } | null {
  const start = part.byteOffset - whole.byteOffset;
  const isInside = part.buffer === whole.buffer && start >= 0 && start + part.length <= whole.length;
  return isInside ? { start, end: start + part.length } : null;
}
