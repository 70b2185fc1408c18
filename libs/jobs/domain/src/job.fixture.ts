import { secondAt } from '@heddle/testing-decisions';
import { FREE } from './charge.js';
import { fold } from './evolve.js';
import type { JobEvent, RecordedJobEvent, RecordedOutput, RecordedProgress } from './job.events.js';
import { initial } from './job.state.js';
import type { JobState } from './job.state.js';

/** A sequence of events with fixed ids, one each second; those of a worker have its sequence number. */
export class JobStory {
  constructor(readonly recorded: readonly RecordedJobEvent[] = []) {}

  and(...events: readonly JobEvent[]): JobStory {
    return events.reduce<JobStory>((story, event) => story.recordedAs(event, null), this);
  }

  submitted(facts: Partial<Extract<JobEvent, { type: 'JobSubmitted' }>['data']> = {}): JobStory {
    return this.and({ type: 'JobSubmitted', data: { ...submission, ...facts } });
  }

  leased(fence = 1, attempt = fence): JobStory {
    const data = { attempt, fence, workerId: 'worker-a', environment: 'builtin/0.1.0', maxRuntimeMs: 3_600_000 };
    return this.and({ type: 'JobLeased', data });
  }

  /** Events that a worker reported under this sequence number. */
  reported(sequence: number, ...events: readonly JobEvent[]): JobStory {
    return events.reduce<JobStory>((story, event) => story.recordedAs(event, sequence), this);
  }

  committed(key: string, sequence: number): JobStory {
    return this.reported(sequence, { type: 'OutputCommitted', data: outputOf(key) });
  }

  leaseLost(attemptSpent = true, progress: RecordedProgress | null = null): JobStory {
    return this.and({ type: 'LeaseLost', data: { reason: 'expired', detail: null, attemptSpent, progress } });
  }

  cancelRequested(): JobStory {
    return this.and({ type: 'CancelRequested', data: {} });
  }

  succeeded(progress: RecordedProgress | null = null): JobStory {
    return this.and({ type: 'JobSucceeded', data: { progress } });
  }

  state(): JobState {
    return fold(this.recorded, initial);
  }

  private recordedAs(event: JobEvent, workerSequence: number | null): JobStory {
    const recordedAt = secondAt(this.recorded.length);
    return new JobStory([...this.recorded, { event, recordedAt, workerSequence }]);
  }
}

export const submission: Extract<JobEvent, { type: 'JobSubmitted' }>['data'] = {
  workflowHash: `blake3:${'0'.repeat(64)}`,
  nodesTotal: 3,
  inputs: [],
  metadata: {},
  idempotencyKey: null,
  hasCredentials: false,
  maxAttempts: 3,
  retentionMs: 2_592_000_000,
  maxQueueWaitMs: 86_400_000,
  surface: 'self-hosted',
  price: FREE,
  reserved: 0,
  revision: 0,
  traceparent: null,
};

export const nothing = new JobStory();
export const aQueuedJob = nothing.submitted();
export const aRunningJob = aQueuedJob.leased();
export const aCancelingJob = aRunningJob.cancelRequested();
export const aSucceededJob = aRunningJob.succeeded();

export function outputOf(key: string): RecordedOutput {
  return {
    nodeId: key.split('/')[0]!,
    key,
    name: 'image.png',
    type: 'image',
    contentType: 'image/png',
    sizeBytes: 12,
    assetId: '01900000-0000-7000-8000-000000000001',
    hash: `blake3:${'1'.repeat(64)}`,
  };
}

export function progressOf(value: number): RecordedProgress {
  return {
    value,
    nodesDone: 1,
    nodesTotal: 3,
    currentNode: '4',
    currentNodeClass: 'ImageScale',
    step: 2,
    steps: 8,
    message: null,
  };
}
