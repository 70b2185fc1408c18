// `npm run test:chaos [-- --seed 7 --minutes 10 --brokers 3 --json]`: clients and faults on a cluster, then the checks.
import { parseArgs } from 'node:util';
import { renderReport, reportOf } from './campaign-report.ts';
import { renderInvariants } from './invariants.ts';
import { runCampaign } from './run-campaign.ts';

const HELP = `npm run test:chaos [-- options]

  --seed <n>       repeats the choices of a campaign; new ones unless given
  --minutes <n>    how long faults go on (10)
  --brokers <n>    1 or 3 Kafka brokers (3)
  --only <text>    only faults whose name holds this text
  --json           the report as JSON on standard output
  --keep           keeps the folder of the cluster (logs, data) where it is
  --invariants     tells which check or test holds each invariant, and ends
  --help           this text, and the same table
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    brokers: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    invariants: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(flag: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= least && number <= most)) {
    throw new RangeError(`--${flag} is "${text}", expected a number from ${least} to ${most}`);
  }
  return number;
}

async function main(): Promise<number> {
  if (values.help) process.stdout.write(`${HELP}\n`);
  if (values.help || values.invariants) {
    process.stdout.write(`${renderInvariants()}\n`);
    return 0;
  }
  const seed = numberOf('seed', values.seed ?? String(Date.now() % 2 ** 31), 0, 2 ** 32);
  const minutes = numberOf('minutes', values.minutes, 0.1, 24 * 60);
  const brokers = numberOf('brokers', values.brokers, 1, 3);
  const begun = performance.now();
  const progress = (line: string): void =>
    void process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}\n`);
  progress(`seed ${seed}`);
  const { FAULTS } = await import('./fault-deck.ts');
  const faults = FAULTS.filter(({ name }) => name.includes(values.only));
  if (faults.length === 0) throw new RangeError(`--only is "${values.only}", which is in the name of no fault`);
  const result = await runCampaign({ seed, minutes, brokers, faults, progress });
  const report = reportOf(result);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${renderReport(report)}\n`);
  if (values.keep) {
    const { cp } = await import('node:fs/promises');
    const kept = `${result.dataDir}-logs`;
    await cp(`${result.dataDir}/logs`, kept, { recursive: true });
    progress(`the logs of the services are kept in ${kept}`);
  }
  await result.cluster.stop();
  return report.broken.length === 0 ? 0 : 1;
}

// Child processes end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`heddle: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(2);
  },
);
