import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { pepperFileOf } from '@heddle/accounts/settings';
import { readPepper } from '@heddle/platform-credentials';
import { answeredHosts, listening, openAddressLines, urlOf } from '@heddle/composition';
import { deleteAdminNote, newAdminToken, noteAdminApi } from '@heddle/composition/admin-note';
import { openSigningKeys } from '@heddle/composition/registry-signing-keys';
import { DEFAULT_DEPLOYMENT, defaultPoolOf, servesEveryHost, SURFACES } from '@heddle/contracts-messages';
import { openCredentialKeys } from '@heddle/jobs';
import { freePort } from '@heddle/platform-database';
import { planCluster } from './cluster-plan.js';
import type { ClusterPlan, ClusterPlanOptions, KeyedGateways, PlannedProcess } from './cluster-plan.js';
import type { ClusterWatch } from './cluster-watch.js';
import { AdminDeployments } from './deployments/admin-deployments.js';
import { DeploymentWorkers } from './deployments/deployment-workers.js';
import type { WorkerFleet } from './deployments/deployment-workers.js';
import type { Infrastructure } from './infrastructure.js';
import type { Progress } from './progress/progress.js';
import { SERVICES } from './replicas.js';
import { RoundRobin } from './round-robin.js';
import type { ClusterOptions, RunningCluster } from './cluster.js';
import { SupervisedProcess } from './supervise/supervised-process.js';
import { TokenIssuer } from './token-issuer.js';
import { Undo } from './undo.js';

type Services = Pick<RunningCluster, 'url' | 'registryUrl' | 'processes' | 'stop'>;

/** Starts every process of the plan, and the address shared by several gateways. */
export async function startServices(
  options: ClusterOptions,
  infrastructure: Infrastructure,
  watch: ClusterWatch,
): Promise<Services> {
  const { settings, dataDir, progress } = options;
  const undo = new Undo((line) => progress.say(line));
  const codes = new Map<string, number | null>();
  const port = settings.port === 0 ? await freePort() : settings.port;
  const logDir = join(dataDir, 'logs');
  await mkdir(logDir, { recursive: true });
  const tokens = new TokenIssuer(join(dataDir, 'tokens'), settings.serviceTokenLife, (error) =>
    progress.say(`service tokens cannot be renewed: ${errorMessage(error)}`),
  );
  undo.add(() => tokens.stop());
  const keyed = SURFACES[settings.surface].credential === 'keys' ? keyedGateways(options) : null;
  // For this run, unless the operator gives it.
  const adminToken = settings.adminToken ?? newAdminToken();
  const credentialKeys = await openCredentialKeys({ ...settings, data: dataDir }, true);
  const { replicas, deployments } = workersOf(options);
  const plan = await planCluster({
    registry: await registryFiles(options),
    keyed,
    adminToken,
    credentialKeys: credentialKeys?.file ?? null,
    trustedKeys: settings.servicePublicKey,
    stopMs: settings.stop * 1_000,
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
  const processes = plan.processes.map((one) => new SupervisedProcess(one, watch));
  watch.followServices(processes);
  const killAll = (): void => processes.forEach((one) => void one.destroy());
  process.once('exit', killAll);
  undo.add(() => process.off('exit', killAll));
  const ports = plan.processes.flatMap(({ service, apiPort }) =>
    service === 'gateway' && apiPort !== null ? [apiPort] : [],
  );
  const roundRobin = ports.length > 1 ? new RoundRobin(ports) : null;
  // Closed after the gateways, which end their open streams with a comment when they stop.
  undo.add(() => roundRobin?.close());
  undo.add(() => stopInOrder(processes, codes));
  try {
    await unlessAborted(startAll(processes, progress), options.signal);
    if (roundRobin !== null) {
      await listening('HEDDLE_PORT', port, async () => await roundRobin.listen(port, settings.host));
    }
    const gateway = plan.processes.find(({ service }) => service === 'gateway');
    if (gateway !== undefined) {
      const url = `http://127.0.0.1:${gateway.opsPort}`;
      noteAdminApi(dataDir, { url, token: adminToken });
      undo.add(() => deleteAdminNote(dataDir));
      if (keyed !== null) {
        const admin = new AdminDeployments(url, adminToken);
        const workers = new DeploymentWorkers(deployments, admin, fleetOf(plan, processes, watch));
        undo.add(() => workers.stop());
        await unlessAborted(startDeployments(workers, options, port), options.signal);
      }
    }
  } catch (error) {
    await undo.run();
    throw error;
  }
  const stop = async (): Promise<typeof codes> => {
    await undo.run();
    return codes;
  };
  for (const line of openAddressLines(settings, port)) progress.say(line);
  const registry = plan.processes.find(({ service }) => service === 'registry');
  const registryUrl = registry === undefined ? null : urlOf(settings.host, registry.apiPort!);
  return { url: urlOf(settings.host, port), registryUrl, processes, stop };
}

/** The key that signs versions and the pepper of tokens are made in the data folder, unless the operator gives them. */
async function registryFiles({ settings, dataDir }: ClusterOptions): Promise<ClusterPlanOptions['registry']> {
  const pepper = pepperFileOf({ ...settings, data: dataDir }, true);
  readPepper(pepper, settings.keyPepper === null);
  const { file: signingKeys } = await openSigningKeys({ ...settings, data: dataDir }, true);
  return { data: join(dataDir, 'registry'), pepper, signingKeys };
}

/** The pepper is made in the data folder, unless the operator gives it. */
function keyedGateways({ settings, dataDir }: ClusterOptions): KeyedGateways {
  const pepper = pepperFileOf({ ...settings, data: dataDir }, true);
  readPepper(pepper, settings.keyPepper === null);
  return { pepper };
}

/** On dedicated each worker belongs to one deployment: without hosts of deployments, to the one that every host is. */
function workersOf({
  settings,
  replicas,
  deployments,
}: ClusterOptions): Pick<ClusterOptions, 'replicas' | 'deployments'> {
  if (settings.surface !== 'dedicated') return { replicas, deployments };
  const workers = replicas.worker;
  const isDefault = servesEveryHost(settings) && workers > 0;
  return {
    replicas: { ...replicas, worker: 0 },
    deployments: isDefault ? [{ label: DEFAULT_DEPLOYMENT.label, workers }] : deployments,
  };
}

/** Workers that are added while the cluster runs. */
function fleetOf(plan: ClusterPlan, processes: SupervisedProcess<PlannedProcess>[], watch: ClusterWatch): WorkerFleet {
  return {
    start: async (name, pool) => {
      const worker = new SupervisedProcess(await plan.worker(name, pool), watch);
      processes.push(worker);
      const remove = (): void => {
        processes.splice(processes.indexOf(worker), 1);
        watch.changed();
      };
      await worker.start().catch((error: unknown) => {
        remove();
        throw error;
      });
      return { stop: async () => (await worker.stop(), remove()) };
    },
    say: (line) => watch.say(line),
  };
}

async function startDeployments(
  workers: DeploymentWorkers,
  { settings, progress }: ClusterOptions,
  port: number,
): Promise<void> {
  const shown = await workers.make(settings.engine);
  if (shown.length === 0) return;
  await progress.step(`workers of ${shown.map(({ label }) => label).join(', ')}`, async () => {
    await workers.startFor(shown);
    await workers.taken();
  });
  for (const { label, host } of shown) {
    if (host !== null) progress.say(`the deployment ${label} is served at http://${host}:${port}`);
  }
  workers.follow();
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
  for (const group of [['gateway', 'registry'], ['worker'], ['jobs', 'assets', 'validation', 'logs']]) {
    const members = processes.filter(({ plan }) => group.includes(plan.service));
    await Promise.all(members.map(async (one) => codes.set(one.plan.name, await one.stop())));
  }
}
