import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPepper } from '@heddle/accounts';
import { answeredHosts, listening, openAddressLines, urlOf } from '@heddle/composition';
import { forgetAdminApi, newAdminToken, noteAdminApi } from '@heddle/composition/admin-note';
import { openCredentialKeys } from '@heddle/composition/credential-keys';
import { defaultPoolOf, SURFACES } from '@heddle/contracts-messages';
import { freePort } from '@heddle/platform-database';
import { planCluster } from './cluster-plan.js';
import type { KeyedGateways } from './cluster-plan.js';
import type { ClusterWatch } from './cluster-watch.js';
import type { Infrastructure } from './infrastructure.js';
import type { Progress } from './progress/progress.js';
import { SERVICES } from './replicas.js';
import { RoundRobin } from './round-robin.js';
import type { ClusterOptions, RunningCluster } from './cluster.js';
import { SupervisedProcess } from './supervise/supervised-process.js';
import { TokenIssuer } from './token-issuer.js';
import { Undo } from './undo.js';

type Services = Pick<RunningCluster, 'url' | 'processes' | 'stop'>;

/** Starts every process of the plan, and the address shared by several gateways. */
export async function startServices(
  options: ClusterOptions,
  infrastructure: Infrastructure,
  watch: ClusterWatch,
): Promise<Services> {
  const { settings, replicas, dataDir, progress } = options;
  const undo = new Undo((line) => progress.say(line));
  const codes = new Map<string, number | null>();
  const port = settings.port === 0 ? await freePort() : settings.port;
  const logDir = join(dataDir, 'logs');
  await mkdir(logDir, { recursive: true });
  const tokens = new TokenIssuer(join(dataDir, 'tokens'), settings.serviceTokenLife, (error) =>
    progress.say(`service tokens cannot be renewed: ${error instanceof Error ? error.message : String(error)}`),
  );
  undo.add(() => tokens.stop());
  const keyed = SURFACES[settings.surface].credential === 'keys' ? keyedGateways(options) : null;
  const credentialKeys = await openCredentialKeys({ ...settings, data: dataDir }, true);
  const plan = await planCluster({
    keyed,
    credentialKeys: credentialKeys?.file ?? null,
    replicas,
    tokens,
    workerPool: defaultPoolOf(settings.surface),
    infrastructure,
    logDir,
    checkpoints: join(dataDir, 'checkpoints'),
    env: options.env,
    port,
    hosts: answeredHosts(settings),
    ...(options.calledAt === undefined ? {} : { calledAt: options.calledAt }),
  });
  const processes = plan.map((one) => new SupervisedProcess(one, watch));
  watch.followServices(processes);
  const killAll = (): void => processes.forEach((one) => void one.destroy());
  process.once('exit', killAll);
  undo.add(() => process.off('exit', killAll));
  undo.add(() => stopInOrder(processes, codes));
  try {
    await unlessAborted(startAll(processes, progress), options.signal);
    const ports = plan.flatMap(({ apiPort }) => (apiPort === null ? [] : [apiPort]));
    if (ports.length > 1) {
      const roundRobin = new RoundRobin(ports);
      await listening('HEDDLE_PORT', port, async () => await roundRobin.listen(port, settings.host));
      undo.add(() => roundRobin.close());
    }
  } catch (error) {
    await undo.run();
    throw error;
  }
  const stop = async (): Promise<typeof codes> => {
    await undo.run();
    return codes;
  };
  const gateway = plan.find(({ service }) => service === 'gateway');
  if (keyed !== null && gateway !== undefined) {
    noteAdminApi(dataDir, { url: `http://127.0.0.1:${gateway.opsPort}`, token: keyed.adminToken });
    undo.add(() => forgetAdminApi(dataDir));
  }
  for (const line of openAddressLines(settings, port)) progress.say(line);
  return { url: urlOf(settings.host, port), processes, stop };
}

/** The pepper is made in the data folder, and the token for this run, unless the operator gives them. */
function keyedGateways({ settings, dataDir }: ClusterOptions): KeyedGateways {
  const pepper = settings.keyPepper ?? join(dataDir, 'key-pepper');
  readPepper(pepper, settings.keyPepper === null);
  return { pepper, adminToken: settings.adminToken ?? newAdminToken() };
}

/** In parallel; each service is one step, however many processes it has. */
async function startAll(processes: RunningCluster['processes'], progress: Progress): Promise<void> {
  const steps = SERVICES.map(async (service) => {
    const members = processes.filter(({ plan }) => plan.service === service);
    if (members.length === 0) return;
    const name = members.length === 1 ? service : `${service} (${members.length})`;
    await progress.step(name, async () => await Promise.all(members.map(async (one) => await one.start())));
  });
  await Promise.all(steps);
}

/** Stops waiting when a stop is requested: the caller ends what was started. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
  });
  await Promise.race([work, aborted]);
}

/** Stops those that accept work from outside first, then the workers, then the services that these call. */
async function stopInOrder(processes: RunningCluster['processes'], codes: Map<string, number | null>): Promise<void> {
  for (const group of [['gateway'], ['worker'], ['jobs', 'assets', 'validation', 'logs']]) {
    const members = processes.filter(({ plan }) => group.includes(plan.service));
    await Promise.all(members.map(async (one) => codes.set(one.plan.name, await one.stop())));
  }
}
