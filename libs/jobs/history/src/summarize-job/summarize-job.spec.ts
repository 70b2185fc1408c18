import { describe, expect, it } from 'vitest';
import { jobId, loggedJobs } from '../logged-jobs.fixture.js';
import { summarizeJob } from './summarize-job.js';

const EVENTS = loggedJobs(1);

describe('the summary of a job', () => {
  it('has its times, attempts, node runs and outputs', () => {
    const summary = summarizeJob(EVENTS);
    expect(summary).toMatchObject({
      job_id: jobId(0),
      status: 'succeeded',
      version: 6,
      queue_ms: 100,
      execution_ms: 600,
      labels: { team: 'a' },
      error: null,
      attempts: [{ attempt: 1, fence: 1, worker_id: 'w1', run_ms: 600, ended_by: 'succeeded', spent: true }],
      node_runs: [
        { position: 1, node_id: '1', run_ms: 200, wait_ms: 50 },
        { position: 2, node_id: '2', run_ms: 150, wait_ms: 0 },
      ],
      outputs: [{ ordinal: 0, key: '2/0/0', size_bytes: 10 }],
    });
  });

  it('of a purged job has what envelopes give', () => {
    const redacted = EVENTS.map((event) =>
      ['JobSubmitted', 'OutputCommitted'].includes(event.type) ? { ...event, data: null } : event,
    );
    const purge = { ...EVENTS[5]!, type: 'JobPurged', version: 7, isTerminal: false, data: null };
    expect(summarizeJob([...redacted, purge])).toMatchObject({
      status: 'succeeded',
      version: 7,
      labels: null,
      outputs: [{ ordinal: 0, key: null, name: null, size_bytes: null }],
      queue_ms: 100,
    });
  });

  it('of a failed job has its error with the names of api-v2', () => {
    const error = { code: 'node_execution_error', message: 'm', nodeId: '3', classType: 'C', traceback: null };
    const data = Buffer.from(JSON.stringify({ error, progress: null }));
    const failed = { ...EVENTS[2]!, type: 'JobFailed', schemaVersion: 1, isTerminal: true, data };
    expect(summarizeJob([EVENTS[0]!, EVENTS[1]!, failed]).error).toEqual({
      code: 'node_execution_error',
      message: 'm',
      node_id: '3',
      class_type: 'C',
      traceback: null,
    });
  });

  it('of a job that lost its lease has both attempts, the running one open', () => {
    const lost = {
      ...EVENTS[2]!,
      type: 'LeaseLost',
      data: Buffer.from('{"reason":"handed_back","detail":null,"attemptSpent":false,"progress":null}'),
    };
    const again = {
      ...EVENTS[1]!,
      version: 4,
      data: Buffer.from('{"attempt":1,"fence":2,"workerId":"w2","environment":"e","maxRuntimeMs":1}'),
    };
    const { status, attempts, completed_at: completedAt } = summarizeJob([EVENTS[0]!, EVENTS[1]!, lost, again]);
    expect([status, completedAt]).toEqual(['running', null]);
    expect(attempts).toMatchObject([
      { attempt: 1, fence: 1, ended_by: 'handed_back', spent: false },
      { attempt: 1, fence: 2, worker_id: 'w2', ended_by: null, run_ms: null, spent: null },
    ]);
    // A purge removes why the lease ended.
    const purged = summarizeJob([EVENTS[0]!, EVENTS[1]!, { ...lost, data: null }, again]);
    expect(purged.attempts[0]).toMatchObject({ ended_by: null, spent: null });
  });
});
