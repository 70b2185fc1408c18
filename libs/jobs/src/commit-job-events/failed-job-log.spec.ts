import { BackgroundLogger } from '@heddle/platform-database';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import { newUuid } from '@heddle/contracts-messages';
import { evolve, initial } from '@heddle/jobs-domain';
import type { JobEvent, JobState } from '@heddle/jobs-domain';
import { expect, it } from 'vitest';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { FailedJobLog } from './failed-job-log.js';

const leased: JobEvent = {
  type: 'JobLeased',
  data: { attempt: 1, fence: 1, workerId: 'w', environment: 'e', maxRuntimeMs: 1e6 },
};
const failed: JobEvent = {
  type: 'JobFailed',
  data: {
    error: {
      code: 'node_execution_error',
      message: 'private',
      nodeId: '7',
      classType: 'LoadImage',
      traceback: 'private',
    },
    progress: null,
    nodeRun: null,
  },
};

it('names the job, the code and the node of each failure once, and nothing of what the node said', () => {
  const lines: unknown[] = [];
  const logger = { info: (facts: unknown, text: unknown) => lines.push([facts, text]) };
  const log = new FailedJobLog(new BackgroundLogger(logger as never));
  const jobId = newUuid() as JobId;
  let before: JobState = initial;
  for (const event of [submittedJob, leased, failed]) {
    const recordedAt = '2026-01-01T00:00:00.000Z';
    const after = evolve(before, { event, recordedAt, workerSequence: null });
    const stored = { eventId: newUuid(), event, version: 1, fence: 1, recordedAt, workerSequence: null };
    log.onCommitted({
      jobId,
      accountId: newUuid() as AccountId,
      deploymentId: newUuid() as DeploymentId,
      before,
      after,
      events: [{ ...stored, status: 'running', state: after }],
    });
    before = after;
  }
  expect(lines).toEqual([
    [
      { job_id: jobId, code: 'node_execution_error', node_id: '7', class_type: 'LoadImage' },
      'job failed: node_execution_error',
    ],
  ]);
});
