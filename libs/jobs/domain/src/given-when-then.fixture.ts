import { expect } from 'vitest';
import { FREE } from './charge.js';
import { fold } from './evolve.js';
import type { JobEvent, JobEventType, RecordedJobEvent, RecordedOutput, RecordedProgress } from './job.events.js';
import type { JobDecision, JobRejection } from './job.js';
import { initial } from './job.state.js';
import type { JobState } from './job.state.js';

/** Tests a decision: given these events, when it is made, then these events (or none, or a rejection). */
export function given(past: Story): { when(decide: (state: JobState) => JobDecision): Outcome } {
  const state = past.state();
  return { when: (decide) => new Outcome(state, decide(state), past) };
}

class Outcome {
  constructor(
    readonly before: JobState,
    private readonly decision: JobDecision,
    private readonly past: Story,
  ) {}

  then(...events: readonly JobEvent[]): JobState {
    expect(this.decision).toEqual({ ok: true, events });
    return this.state();
  }

  thenTypes(...types: readonly JobEventType[]): JobState {
    expect(this.decision.ok ? this.decision.events.map((event) => event.type) : this.decision).toEqual(types);
    return this.state();
  }

  thenNothing(): void {
    expect(this.decision).toEqual({ ok: true, events: [] });
  }

  thenRejected(rejection: JobRejection): void {
    expect(this.decision).toEqual({ ok: false, rejection });
  }

  private state(): JobState {
    const events = this.decision.ok ? this.decision.events : [];
    return this.past.and(...events).state();
  }
}

/** A sequence of events with fixed ids and times: one event per second from 2026-01-01T00:00:00Z. */
export class Story {
  constructor(readonly recorded: readonly RecordedJobEvent[] = []) {}

  and(...events: readonly JobEvent[]): Story {
    return events.reduce<Story>((story, event) => story.recordedAs(event, null), this);
  }

  submitted(facts: Partial<Extract<JobEvent, { type: 'JobSubmitted' }>['data']> = {}): Story {
    return this.and({ type: 'JobSubmitted', data: { ...submission, ...facts } });
  }

  leased(fence = 1, attempt = fence): Story {
    const data = { attempt, fence, workerId: 'worker-a', environment: 'builtin/0.1.0', maxRuntimeMs: 3_600_000 };
    return this.and({ type: 'JobLeased', data });
  }

  committed(key: string, sequence: number): Story {
    return this.recordedAs({ type: 'OutputCommitted', data: outputOf(key) }, sequence);
  }

  leaseLost(attemptSpent = true, progress: RecordedProgress | null = null): Story {
    return this.and({ type: 'LeaseLost', data: { reason: 'expired', detail: null, attemptSpent, progress } });
  }

  cancelRequested(): Story {
    return this.and({ type: 'CancelRequested', data: {} });
  }

  succeeded(progress: RecordedProgress | null = null): Story {
    return this.and({ type: 'JobSucceeded', data: { progress } });
  }

  state(): JobState {
    return fold(this.recorded, initial);
  }

  private recordedAs(event: JobEvent, workerSequence: number | null): Story {
    const recordedAt = new Date(Date.UTC(2026, 0, 1) + this.recorded.length * 1000).toISOString();
    return new Story([...this.recorded, { event, recordedAt, workerSequence }]);
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

export const nothing = new Story();
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
