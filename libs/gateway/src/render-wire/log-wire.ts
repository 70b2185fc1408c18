import type { JobLogWire } from '@heddle/contracts-api-v2';
import type { JobLog } from '@heddle/contracts-messages';

/** JSON carries every character of the text; terminals must escape it. */
export function renderLog({ text, truncated, capturedAt, complete }: JobLog): string {
  return JSON.stringify({ text, truncated, captured_at: capturedAt, complete } satisfies JobLogWire);
}
