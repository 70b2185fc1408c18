import { hasEnded } from '../api/wire.js';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { oneJob, wholeJobId } from '../list-jobs/job-id.js';
import { plainText } from '../terminal/plain-text.js';
import { cancelJob } from './cancel-job.js';

/** A canceled job may have ended before or by this request: the answer is the same. */
const wasEnded = (status: string): boolean => hasEnded(status) && status !== 'canceled';

export const cancelCommand: Command = {
  name: 'cancel',
  summary: 'request the cancellation of jobs',
  words: 'JOB...',
  options: {},
  examples: [
    'heddle cancel 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
    'heddle jobs --status queued --all --json | jq -r .id | xargs -r heddle cancel',
  ],
  async run({ words, terminal, client: connect }) {
    if (words.length === 0) throw wrongUsage('cancel takes at least one job', 'heddle jobs lists them');
    const given = words.map((word) => oneJob([word], 'cancel'));
    const client = connect();
    const ids: string[] = [];
    // Resolved before any is canceled: an ambiguous part of an id ends the command.
    for (const word of given) ids.push(await wholeJobId(client, word));
    for (const id of ids) {
      const job = await cancelJob(client, id);
      terminal.printJson(job.body);
      const said = wasEnded(job.status) ? `had already ended: ${job.status}` : job.status;
      if (!terminal.json) terminal.print(`${job.id} ${plainText(said)}`);
    }
    return EXIT.done;
  },
};
