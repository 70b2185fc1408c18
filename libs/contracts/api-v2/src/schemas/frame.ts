import type { JobWire } from './job.js';
import type { JsonSchema } from './json-schema.js';
import { nullable, object, ref } from './json-schema.js';

/** The events of a stream by name (decisions, Events): `log` is reserved and never sent. */
export type FrameEvent = 'status' | 'progress' | 'preview' | 'output';

/** Payload of a `status` frame. */
export interface StatusFrameWire {
  readonly status: JobWire['status'];
  readonly queue_position: number | null;
}

/** Payload of a `preview` frame; only the newest of a job is kept. */
export interface PreviewFrameWire {
  readonly node_id: string;
  readonly content_type: string;
  readonly data_base64: string;
}

const text: JsonSchema = { type: 'string' };

export const FRAME_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  StatusFrame: object({ status: ref('JobStatus'), queue_position: nullable({ type: 'integer', minimum: 1 }) }),
  PreviewFrame: object({ node_id: text, content_type: text, data_base64: text }),
};

/** The schema of each event's `data` line. */
export const FRAME_PAYLOADS = {
  status: 'StatusFrame',
  progress: 'Progress',
  preview: 'PreviewFrame',
  output: 'Output',
} as const satisfies Record<FrameEvent, string>;
