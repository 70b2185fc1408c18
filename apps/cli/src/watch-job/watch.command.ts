import { ApiError } from '../api/api-error.js';
import type { ApiClient } from '../api/api-client.js';
import { isRecord } from '../api/wire.js';
import type { Command, CommandCall } from '../command-line/command.js';
import { seconds } from '../command-line/read-arguments.js';
import { wrongUsage } from '../failure.js';
import { followToEnd, printOutcome } from '../follow-job/follow-to-end.js';
import { outlineGraph } from '../follow-job/graph-outline.js';
import type { OutlineNode } from '../follow-job/graph-outline.js';
import { fetchJob } from '../list-jobs/fetch-job.js';
import { oneJob, wholeJobId } from '../list-jobs/job-id.js';
import { assertOutputFolder } from '../run-workflow/output-folder.js';
import { downloadOutputs } from '../run-workflow/download-outputs.js';

export const watchCommand: Command = {
  name: 'watch',
  summary: 'follow a job to its end',
  words: 'JOB',
  options: {
    out: { value: 'DIR', meaning: 'download the outputs into DIR when the job has ended' },
    overwrite: { value: null, meaning: 'replace files of the same name in DIR' },
    timeout: { value: 'SECONDS', meaning: 'stop waiting after this time; the job continues' },
  },
  examples: ['heddle watch 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10', 'heddle watch 2f1c9d10 --out results --json'],
  run: watchJob,
};

async function watchJob({ words, options, terminal, client: connect }: CommandCall): Promise<number> {
  const word = oneJob(words, 'watch');
  const folder = options.text('out');
  if (folder === null && options.on('overwrite'))
    throw wrongUsage('--overwrite goes with --out DIR', 'without --out no file is written');
  const timeoutMs = seconds(options, 'timeout');
  if (folder !== null) await assertOutputFolder(folder);
  const client = connect();
  const id = await wholeJobId(client, word);
  const job = await fetchJob(client, id);
  const nodes = await nodesOf(client, id);
  const ended = await followToEnd(job, { client, terminal, nodes, timeoutMs });
  await downloadOutputs(
    client,
    ended,
    folder === null ? null : { folder, overwrite: options.on('overwrite') },
    terminal,
  );
  return printOutcome(ended, terminal);
}

/** The graph is only needed for the node bars: without it the job's own bar remains. */
async function nodesOf(client: ApiClient, id: string): Promise<readonly OutlineNode[]> {
  try {
    const { body } = await client.json('GET', `/api/v2/jobs/${id}/workflow`);
    return isRecord(body) && body['format'] === 'api' ? outlineGraph(body['workflow']) : [];
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}
