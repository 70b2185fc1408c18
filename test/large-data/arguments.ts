import { parseArgs } from 'node:util';
import type { SlopeOptions } from './slopes.ts';
import type { LargeDataOptions } from './write-jobs.ts';

export const HELP = `npm run large-data -- --jobs N --accounts N --deployments N [options]
npm run large-data -- --measure [options]

Writes jobs with their events, outputs, assets and keys as Heddle would have written them, over the last 30 days. Half of them
belong to the account and deployment that this surface serves, the rest to N other accounts in N deployments.
On managed and dedicated the deployments are written too, with their log. The accounts are ids without a key.

  HEDDLE_DATA          the data folder of a Heddle, running or stopped; Heddle must have been started once on it
  HEDDLE_DATABASE_URL  or the owner's connection string of its database

  --jobs N         jobs to write
  --accounts N     accounts beside the served one (1000)
  --deployments N  deployments, the served one among them (10)
  --seed N         repeats the choices of another run (a new one)
  --json           one JSON line at the end
  --help           this text

With --measure it makes data folders of its own and prints how each figure grows from one size to the next:

  --sizes N,N          jobs of the folders, after an empty one (200000,2000000)
  --only NAME,NAME     lists, submissions, purges, collection, queue, snapshot
  --keep FOLDER        keeps the folders there for another run; measures add jobs to them
  --snapshot-jobs N    jobs that are done beside the open snapshot (50000)

example: HEDDLE_DATA=.heddle npm run large-data -- --jobs 200000 --accounts 1000 --deployments 10
The bytes of assets are not written: the scrubber reports the objects as missing when it comes to them.
`;

export const MEASURES = ['lists', 'submissions', 'purges', 'collection', 'queue', 'snapshot'];

export type Arguments =
  | { readonly kind: 'help' }
  | { readonly kind: 'measure'; readonly json: boolean; readonly options: SlopeOptions }
  | { readonly kind: 'write'; readonly json: boolean; readonly options: LargeDataOptions };

/** Throws an error with a sentence if the arguments are invalid. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      jobs: { type: 'string' },
      accounts: { type: 'string', default: '1000' },
      deployments: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 999_999_999)) },
      measure: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '200000,2000000' },
      only: { type: 'string', default: MEASURES.join(',') },
      keep: { type: 'string' },
      'snapshot-jobs': { type: 'string', default: '50000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { json } = values;
  if (values.help) return { kind: 'help' };
  if (values.measure) {
    const only = values.only.split(',');
    const unknown = only.find((name) => !MEASURES.includes(name));
    if (unknown !== undefined) throw new Error(`unknown measure "${unknown}"; choose from ${MEASURES.join(', ')}`);
    const sizes = values.sizes.split(',').map((size) => count('--sizes', size));
    const snapshotJobs = count('--snapshot-jobs', values['snapshot-jobs']);
    return { kind: 'measure', json, options: { sizes, only, keep: values.keep ?? null, snapshotJobs } };
  }
  if (values.jobs === undefined) throw new Error('no number of jobs given; for example --jobs 200000');
  const options = {
    jobs: count('--jobs', values.jobs),
    accounts: count('--accounts', values.accounts),
    deployments: count('--deployments', values.deployments),
    seed: count('--seed', values.seed),
  };
  return { kind: 'write', json, options };
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < 1)
    throw new Error(`${name} takes a whole number from 1 to 999999999, not "${text}"`);
  return value;
}
