import { initial, leaseJob } from '@heddle/jobs-domain';
import type { JobDecision, JobState, NodeFinished } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { planChange } from './change-plan.js';
import type { Step } from './change-plan.js';

const offer = { workerId: 'worker', environment: 'e', revision: 0, maxRuntimeMs: 1_000, hasCredentials: false };
const at = '2026-01-01T00:00:00.000Z';
const finished = (nodeId: string): NodeFinished => ({
  type: 'NodeFinished',
  data: { nodeId, classType: 'PreviewAny', startedAt: at, endedAt: at, cached: false },
});

it("keeps a report's sequence with the first of its events: the log has it once", () => {
  const step = (decide: (state: JobState) => JobDecision, workerSequence: number | null): Step => ({
    decide,
    workerSequence,
    correlation: 'spec',
  });
  const steps = [
    step(() => ({ ok: true, events: [submittedJob] }), null),
    step((state) => leaseJob(state, offer), null),
    step(() => ({ ok: true, events: [finished('1'), finished('2')] }), 7),
    step(() => ({ ok: true, events: [finished('3')] }), 8),
  ];
  const { events, rejections } = planChange(initial, steps, newUuid);
  expect(rejections).toEqual([null, null, null, null]);
  expect(events.map(({ workerSequence }) => workerSequence)).toEqual([null, null, 7, null, 8]);
});
