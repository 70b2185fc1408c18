import { JOB_STATUSES } from '@heddle/contracts-api-v2';
import type { ApiClient } from '../api/api-client.js';
import type { WireJob } from '../api/wire.js';
import type { Command, CommandCall } from '../command-line/command.js';
import { pairs, wholeNumber } from '../command-line/read-arguments.js';
import { EXIT, wrongUsage } from '../failure.js';
import { fetchJob } from './fetch-job.js';
import { jobPages } from './job-pages.js';
import { renderJobs } from './render-jobs.js';

/** Rows that share one header and column widths. */
const SCREENFUL = 50;
const DEFAULT_LIMIT = 20;

export const jobsListCommand: Command = {
  name: 'jobs list',
  summary: 'list jobs, newest first ("heddle jobs" for short)',
  words: '',
  options: {
    status: { value: 'A,B', meaning: 'only jobs in these states', choices: JOB_STATUSES },
    metadata: { value: 'KEY=VALUE', meaning: 'only jobs with this label', multiple: true },
    key: { value: 'KEY', meaning: 'only the job that was submitted with this idempotency key' },
    limit: { value: 'N', meaning: `how many (${DEFAULT_LIMIT})` },
    all: { value: null, meaning: 'all jobs, page by page' },
  },
  examples: ['heddle jobs', 'heddle jobs list --status queued,running', 'heddle jobs list --all --json | jq -r .id'],
  run: listJobs,
};

async function listJobs({ words, options, terminal, client: connect }: CommandCall): Promise<number> {
  if (words.length > 0) throw wrongUsage('jobs list takes no arguments', 'heddle jobs show JOB shows one job');
  const given = wholeNumber(options, 'limit', { min: 1, max: 1_000_000 });
  if (given !== null && options.on('all')) throw wrongUsage('--limit does not go with --all', 'leave one of them out');
  const limit = options.on('all') ? Infinity : (given ?? DEFAULT_LIMIT);
  const query = new URLSearchParams();
  const status = options.text('status');
  if (status !== null) query.set('status', knownStatuses(status));
  const key = options.text('key');
  if (key !== null) query.set('idempotency_key', key);
  for (const [name, value] of pairs(options, 'metadata')) query.set(`metadata[${name}]`, value);
  const client = connect();
  let count = 0;
  const shown: WireJob[] = [];
  const print = async (jobs: readonly WireJob[]): Promise<void> => {
    const view = { columns: terminal.width, shortIds: terminal.showsResults, now: Date.now() };
    // Reads of single jobs are rate limited, so longer lists omit the errors.
    const rows = count > SCREENFUL ? jobs : await withErrors(client, jobs);
    for (const line of renderJobs(rows, view)) terminal.print(line);
  };
  for await (const job of jobPages(client, query, limit)) {
    count += 1;
    terminal.printJson(job.body);
    if (!terminal.json) shown.push(job);
    // Printed a screenful at a time: a list of a million jobs is never held in memory.
    if (shown.length === SCREENFUL) await print(shown.splice(0));
  }
  if (shown.length > 0) await print(shown);
  if (count === 0 && !terminal.json) terminal.say('no jobs');
  return EXIT.done;
}

/** Refused here, because the service would answer with its own word for the parameter. */
function knownStatuses(given: string): string {
  const unknown = given.split(',').find((status) => !(JOB_STATUSES as readonly string[]).includes(status));
  if (unknown === undefined) return given;
  throw wrongUsage(`--status "${unknown}" is unknown; statuses are ${JOB_STATUSES.join(', ')}`);
}

/** List entries have no errors (decisions, List): read each failed job on the screen. */
async function withErrors(client: ApiClient, jobs: readonly WireJob[]): Promise<readonly WireJob[]> {
  return Promise.all(
    jobs.map(async (job) => (job.status === 'failed' ? await fetchJob(client, job.id).catch(() => job) : job)),
  );
}
