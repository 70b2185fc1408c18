import { failed, EXIT } from '../failure.js';
import type { Command } from '../command-line/command.js';
import { fetchJob } from '../list-jobs/fetch-job.js';
import { oneJob, wholeJobId } from '../list-jobs/job-id.js';
import { escapedLines } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';

export const jobsLogsCommand: Command = {
  name: 'jobs logs',
  summary: 'print the execution log of an ended job',
  words: 'JOB',
  options: {},
  examples: ['heddle jobs logs 2f1c9d10', 'heddle jobs logs 2f1c9d10 > run.log'],
  notes: () => Promise.resolve(['Control characters are escaped on a terminal, and kept in a file or pipe.']),
  async run({ words, terminal, client: connect }) {
    const word = oneJob(words, 'jobs logs');
    const client = connect();
    const job = await fetchJob(client, await wholeJobId(client, word));
    if (job.urls.logs === null) return noLog(job.id, ': the service captures none on this surface', terminal);
    const { status, body } = await client.json('GET', job.urls.logs);
    if (status === 204) return noLog(job.id, '', terminal);
    const text = logText(body);
    if (text === null) throw failed('the service answered without a log; check --url');
    terminal.printJson(body as object);
    if (terminal.json) return EXIT.done;
    if (!terminal.showsResults) terminal.write(text);
    else for (const line of escapedLines(text.replace(/\n$/, ''))) terminal.print(line);
    return EXIT.done;
  },
};

function noLog(id: string, why: string, terminal: Terminal): number {
  terminal.printJson({ job_id: id, text: null });
  terminal.say(`no log of job ${id}${why}`);
  return EXIT.done;
}

function logText(body: unknown): string | null {
  const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : null;
  return typeof text === 'string' ? text : null;
}
