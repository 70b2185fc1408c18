import { randomInt } from 'node:crypto';
import type { FrameEvent, PreviewFrameWire, StatusFrameWire } from '@heddle/contracts-api-v2';
import type { JobOutput, JobProgress, JobStatus } from '@heddle/contracts-messages';
import { outputWire, progressWire } from '../render-wire/job-wire.js';
import type { OutputJob } from '../render-wire/job-wire.js';
import type { RenderContext } from '../render-wire/render-context.js';

export interface Preview {
  readonly nodeId: string;
  readonly contentType: string;
  readonly dataBase64: string;
}

export const HEARTBEAT = Buffer.from(': hb\n\n');

/** Clients of a stopped process come back at different times. */
const RETRY_MS = { min: 500, max: 3_000 };

/** The last bytes of a stream that ends because the process stops. */
export function stoppingComment(): Buffer {
  return Buffer.from(`: stopping\nretry: ${randomInt(RETRY_MS.min, RETRY_MS.max + 1)}\n\n`);
}

/**
 * Frames as bytes, built once per event for all streams (decisions, Events). JSON.stringify leaves no line break in the
 * data.
 */
export function statusFrame(status: JobStatus, queuePosition: number | null): Buffer {
  return frame('status', { status, queue_position: queuePosition } satisfies StatusFrameWire);
}

export function progressFrame(progress: JobProgress): Buffer {
  return frame('progress', progressWire(progress));
}

export function previewFrame({ nodeId, contentType, dataBase64 }: Preview): Buffer {
  const data: PreviewFrameWire = { node_id: nodeId, content_type: contentType, data_base64: dataBase64 };
  return frame('preview', data);
}

export function outputFrame(output: JobOutput, job: OutputJob, context: RenderContext): Buffer {
  return frame('output', outputWire(output, job, context));
}

function frame(event: FrameEvent, data: object): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
