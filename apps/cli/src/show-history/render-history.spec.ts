import type { JobEvent } from '@heddle/jobs-domain';
import { describe, expect, it } from 'vitest';
import { renderHistory } from './render-history.js';

const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 21, 8, 0, 0) + seconds * 1000).toISOString();
const entry = (version: number, seconds: number, event: JobEvent) => ({
  version,
  type: event.type,
  recordedAt: at(seconds),
  event,
});
const progress = {
  value: 1,
  nodesDone: 2,
  nodesTotal: 2,
  currentNode: null,
  currentNodeClass: null,
  step: null,
  steps: null,
  message: null,
};

describe('the history of a job', () => {
  it('is a line per event, with the time since the submission', () => {
    const input = { assetId: 'a', hash: 'h', sizeBytes: 1, filePath: 'photo.png', name: null };
    const submitted = {
      workflowHash: 'h',
      nodesTotal: 2,
      inputs: [input],
      metadata: { who: 'me' },
      idempotencyKey: null,
      hasCredentials: false,
      maxAttempts: 3,
      retentionMs: 1,
      maxQueueWaitMs: 1,
      surface: 'self-hosted',
      price: { perJob: 0, perSecondMicros: 0 },
      reserved: 0,
      revision: 0,
      traceparent: null,
    };
    const node = { nodeId: '2', classType: 'ImageScale', startedAt: at(0.05), endedAt: at(0.062), cached: false };
    const output = {
      nodeId: '3',
      key: '3/0/0',
      name: 'a.png',
      type: 'image',
      contentType: 'image/png',
      sizeBytes: 2048,
      assetId: 'b',
      hash: 'h',
    } as const;
    const lines = renderHistory(
      [
        entry(1, 0, { type: 'JobSubmitted', data: submitted }),
        entry(2, 0.04, {
          type: 'JobLeased',
          data: { attempt: 1, fence: 1, workerId: 'w1', environment: 'builtin/0.1.0', maxRuntimeMs: 1 },
        }),
        entry(3, 0.07, { type: 'NodeFinished', data: node }),
        entry(4, 0.08, { type: 'OutputCommitted', data: output }),
        entry(5, 61, { type: 'JobSucceeded', data: { progress } }),
      ],
      120,
    );
    expect(lines).toEqual([
      '2026-11-21 08:00:00.000Z        +0 ms  submitted: 2 nodes, 1 input (photo.png), who=me',
      '2026-11-21 08:00:00.040Z       +40 ms  leased to w1: attempt 1, fence 1, builtin/0.1.0',
      '2026-11-21 08:00:00.070Z       +70 ms  node 2 ImageScale ran 12 ms',
      '2026-11-21 08:00:00.080Z       +80 ms  output of node 3: a.png, image/png, 2.0 KiB',
      '2026-11-21 08:01:01.000Z  +1 min 01 s  succeeded: 2/2 nodes',
    ]);
  });

  it('names an event that a newer version wrote by its type alone', () => {
    expect(renderHistory([{ version: 1, type: 'JobPaused', recordedAt: at(0), event: null }], 80)[0]).toMatch(
      /JobPaused$/,
    );
  });
});
