import type { ApiClient } from '../api/api-client.js';
import { isRecord, readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import type { Command, CommandCall } from '../command-line/command.js';
import { pairs, wholeNumber } from '../command-line/read-arguments.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { renderJobs } from './render-jobs.js';

const PAGE = 100;
const DEFAULT_LIMIT = 20;

export const jobsListCommand: Command = {
  name: 'jobs list',
  summary: 'list jobs, newest first ("heddle jobs" for short)',
  words: '',
  options: {
    status: { value: 'A,B', meaning: 'only jobs in these states' },
    metadata: { value: 'KEY=VALUE', meaning: 'only jobs with this label', multiple: true },
    key: { value: 'KEY', meaning: 'only the job that was submitted with this idempotency key' },
    limit: { value: 'N', meaning: `how many (${DEFAULT_LIMIT})` },
    all: { value: null, meaning: 'every one, page by page' },
  },
  examples: ['heddle jobs', 'heddle jobs list --status queued,running', 'heddle jobs list --all --json | jq -r .id'],
  run: listJobs,
};

async function listJobs({ words, options, terminal, client: connect }: CommandCall): Promise<number> {
  if (words.length > 0) throw wrongUsage(`jobs has no command "${words[0]}"`, 'there are: jobs list, jobs show JOB');
  const limit = options.on('all')
    ? Infinity
    : (wholeNumber(options, 'limit', { min: 1, max: 1_000_000 }) ?? DEFAULT_LIMIT);
  const query = new URLSearchParams();
  const status = options.text('status');
  if (status !== null) query.set('status', status);
  const key = options.text('key');
  if (key !== null) query.set('idempotency_key', key);
  for (const [name, value] of pairs(options, 'metadata')) query.set(`metadata[${name}]`, value);
  const client = connect();
  const shown: WireJob[] = [];
  let count = 0;
  for await (const job of pages(client, query, limit)) {
    count += 1;
    terminal.printJson(job.body);
    if (!terminal.json) shown.push(job);
    // A screenful at a time: a list of a million jobs is never held in memory.
    if (shown.length === PAGE) for (const line of renderJobs(shown.splice(0), terminal.width)) terminal.print(line);
  }
  if (shown.length > 0) for (const line of renderJobs(shown, terminal.width)) terminal.print(line);
  if (count === 0 && !terminal.json) terminal.say('no jobs');
  return EXIT.done;
}

async function* pages(client: ApiClient, query: URLSearchParams, limit: number): AsyncGenerator<WireJob> {
  let left = limit;
  let cursor: string | null = null;
  do {
    query.set('limit', String(Math.min(PAGE, left)));
    if (cursor !== null) query.set('cursor', cursor);
    const { body } = await client.json('GET', `/api/v2/jobs?${query.toString()}`);
    if (!isRecord(body) || !Array.isArray(body['jobs']))
      throw failed('the service answered without a list; check --url');
    const jobs = (body['jobs'] as readonly unknown[]).map(readJob).filter((job) => job !== null);
    yield* jobs.slice(0, left);
    left -= jobs.length;
    const next: unknown = body['next_cursor'];
    // A cursor that does not move would never end.
    cursor = typeof next === 'string' && next !== cursor && jobs.length > 0 ? next : null;
  } while (cursor !== null && left > 0);
}
