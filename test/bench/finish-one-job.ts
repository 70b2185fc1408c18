import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, DurableReport, JobLease, JobProgress } from '@heddle/contracts-messages';
import { PRINCIPAL } from './jobs-process.ts';
import type { JobsProcess } from './jobs-process.ts';

/** Runs a job with the usual events: submitted, leased, sixteen nodes, an output, succeeded. */
export async function finishOneJob({ jobs, worker, submission }: JobsProcess, principal = PRINCIPAL): Promise<void> {
  const answer = await jobs.submit(principal, submission());
  if (!answer.ok) throw new Error(answer.rejection.message);
  const { session, next } = worker(principal.deploymentId);
  await session.report(reports(await next()));
  await session.close();
}

function reports(lease: JobLease): DurableReport[] {
  const { jobId, fence } = lease;
  let sequence = 0;
  const head = () => ({ jobId, fence, sequence: (sequence += 1) });
  const at = new Date().toISOString();
  const nodes = Array.from({ length: 16 }, (_, node): DurableReport => ({
    ...head(),
    kind: 'node_finished',
    nodeId: String(node),
    classType: 'ImageScale',
    startedAt: at,
    endedAt: at,
    cached: false,
  }));
  const key = '15/images/0';
  const output: DurableReport = {
    ...head(),
    kind: 'output_committed',
    output: {
      nodeId: '15',
      key,
      name: 'bench_00001_.png',
      type: 'image',
      contentType: 'image/png',
      sizeBytes: 1000,
      assetId: newUuid() as AssetId,
      hash: `blake3:${'0'.repeat(64)}`,
    },
  };
  const progress: JobProgress = {
    value: 1,
    nodesDone: 16,
    nodesTotal: 16,
    currentNode: null,
    currentNodeClass: null,
    step: null,
    steps: null,
    message: null,
  };
  return [...nodes, output, { ...head(), kind: 'outcome', outcome: { kind: 'succeeded' }, progress }];
}
