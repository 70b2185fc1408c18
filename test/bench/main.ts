// `npm run bench [-- --rounds 3] [--only submit,streams] [--json]`: ratios of the product to floors of the same run.
import { parseArgs } from 'node:util';
import { measureClusterUploads } from './measures/cluster-uploads.ts';
import { measureCluster } from './measures/cluster.ts';
import { measureEngine } from './measures/engine.ts';
import { measureExportLoad } from './measures/export-load.ts';
import { measureHistory, measureLargeHistory } from './measures/history.ts';
import { measureKeyCheck } from './measures/key-check.ts';
import { measureLedger } from './measures/ledger.ts';
import { measureLifeCycle } from './measures/life-cycle.ts';
import { measureManaged } from './measures/managed.ts';
import { measurePartnerProxyMemory } from './measures/partner-proxy-memory.ts';
import { measurePartnerProxy } from './measures/partner-proxy.ts';
import { measureRegistryPublish } from './measures/registry-publish.ts';
import { measureRegistryReads } from './measures/registry-reads.ts';
import { measureRelay } from './measures/relay.ts';
import { measureStart } from './measures/start.ts';
import { measureStreams } from './measures/streams.ts';
import { measureSubmissions } from './measures/submit.ts';
import { measureUploads } from './measures/uploads.ts';
import { measureValidation } from './measures/validation.ts';
import { absentPeers, measurePeers } from './peers.ts';
import { judge, table } from './rows.ts';
import type { Sample } from './rows.ts';
import { startServers } from './servers.ts';
import type { BenchServers } from './servers.ts';

const MEASURES: Readonly<Record<string, (servers: BenchServers) => Promise<Sample>>> = {
  validation: measureValidation,
  submit: measureSubmissions,
  peers: measurePeers,
  start: measureStart,
  streams: measureStreams,
  uploads: measureUploads,
  history: measureHistory,
  life: measureLifeCycle,
  engine: measureEngine,
  cluster: measureCluster,
  'cluster-uploads': measureClusterUploads,
  relay: measureRelay,
  ledger: measureLedger,
  managed: measureManaged,
  'key-check': measureKeyCheck,
};
/** Measured only where they are named: they fill a database for minutes, or wait for tasks of vendors. */
const WHEN_NAMED: typeof MEASURES = {
  'registry-reads': measureRegistryReads,
  'registry-publish': measureRegistryPublish,
  'partner-proxy': measurePartnerProxy,
  'partner-proxy-memory': measurePartnerProxyMemory,
  'history-large': measureLargeHistory,
  'export-load': measureExportLoad,
};
const ALL = { ...MEASURES, ...WHEN_NAMED };

/** Measurements of a standalone that runs beside the floors; the others start their own servers. */
const WITH_STANDALONE = ['submit', 'streams', 'managed'];

const values = readOptions();
if (values.help) {
  console.log(`npm run bench -- [--rounds 3] [--only ${Object.keys(ALL).join(',')}] [--json]
Measures the product beside floors that are built in the same run and prints ratios: rates of the best round, CPU,
latencies and memory of the median round. Other work on the machine moves rates more than CPU per operation.`);
  process.exit(0);
}

const chosen = values.only.split(',').filter((name) => {
  if (name in ALL) return true;
  console.error(`there is no measure "${name}": choose from ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
});
const rounds: Record<string, number>[] = [];
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const sample: Record<string, number> = {};
  // New servers in each round, so that no round measures the leftovers of an earlier one.
  const servers = await startServers({ standalone: chosen.some((name) => WITH_STANDALONE.includes(name)) });
  try {
    for (const name of chosen) {
      process.stderr.write(`round ${round} of ${values.rounds}: ${name}\n`);
      Object.assign(sample, await ALL[name]!(servers));
    }
  } finally {
    await servers.stop();
  }
  rounds.push(sample);
}
const judged = judge(rounds);
if (values.json) {
  for (const { row, ...figures } of judged)
    console.log(JSON.stringify({ id: row.id, quantity: row.quantity, unit: row.unit, ...figures, bar: row.bar }));
} else {
  console.log(table(judged));
  for (const line of absentPeers()) console.log(line);
}
process.exitCode = judged.every(({ met }) => met) ? 0 : 1;

function readOptions() {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string', default: '3' },
        only: { type: 'string', default: Object.keys(MEASURES).join(',') },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}; npm run bench -- --help lists the options`,
    );
    process.exit(2);
  }
}
