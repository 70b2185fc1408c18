import type { Command } from '../command-line/command.js';
import { EXIT } from '../failure.js';
import { fetchJob } from './fetch-job.js';
import { oneJob, wholeJobId } from './job-id.js';
import { renderJobDetails } from './render-jobs.js';

export const jobsShowCommand: Command = {
  name: 'jobs show',
  summary: 'show everything about one job',
  words: 'JOB',
  options: {},
  examples: ['heddle jobs show 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10', 'heddle jobs show 2f1c9d10'],
  async run({ words, terminal, client: connect }) {
    const word = oneJob(words, 'jobs show');
    const client = connect();
    const job = await fetchJob(client, await wholeJobId(client, word));
    terminal.printJson(job.body);
    if (!terminal.json) for (const line of renderJobDetails(job, terminal.width)) terminal.print(line);
    return EXIT.done;
  },
};
