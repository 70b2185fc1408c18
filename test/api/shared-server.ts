import { freePort, withFreePorts } from '@heddle/platform-database';
import { eventually } from '@heddle/testing-api';
import { LoneProcess } from '../observability/service-process.js';
import { topology } from './server-under-test.js';

type Env = Readonly<Record<string, string>>;

/** A queue that nobody works off, of which any number of blocks takes what it needs. */
export const IDLE = { HEDDLE_WORKERS: '0', HEDDLE_QUEUE_DEPTH_ACCOUNT: '5000' };

/** What the servers that blocks share are started with, by their names. */
export const SHARED_SETTINGS: Readonly<Record<SharedName, Env>> = { plain: {}, idle: IDLE };
export type SharedName = 'plain' | 'idle';

/** A Heddle that lives as long as the run. */
export interface SharedServer {
  readonly url: string;
  /** Of a process that takes requests. */
  readonly opsUrl: string;
  /** What one of its gateways was started with; null where no process is a gateway alone. */
  readonly gatewayEnv: Env | null;
}

/** By this variable the run's workers are told; its name is none of Heddle's settings. */
const VARIABLE = 'API_SUITE_SERVERS';

export function tellSharedServers(servers: Readonly<Record<SharedName, SharedServer>>): void {
  process.env[VARIABLE] = JSON.stringify(servers);
}

/** The server that blocks with exactly these settings share; undefined where each starts its own. */
export function sharedServer(settings: Env): SharedServer | undefined {
  const servers = JSON.parse(process.env[VARIABLE] ?? '{}') as Partial<Record<SharedName, SharedServer>>;
  const equal = (other: Env): boolean =>
    Object.keys(other).length === Object.keys(settings).length &&
    Object.entries(other).every(([name, value]) => settings[name] === value);
  const name = (Object.keys(SHARED_SETTINGS) as SharedName[]).find((known) => equal(SHARED_SETTINGS[known]));
  return name === undefined ? undefined : servers[name];
}

/** One more gateway before the services of a shared cluster, with settings of its own. */
export interface ExtraGateway {
  readonly url: string;
  readonly log: string;
  stop(): Promise<void>;
}

/** Undefined where the settings of a gateway are those of everything, and a block needs a server of its own. */
export async function extraGateway(shared: SharedServer | undefined, settings: Env): Promise<ExtraGateway | undefined> {
  if (topology !== 'cluster' || shared === undefined || shared.gatewayEnv === null) return undefined;
  const { HEDDLE_OPS_PORT: _, HEDDLE_CALLS_PORT: __, ...env } = shared.gatewayEnv;
  return await withFreePorts([], async () => await startGateway({ ...env, ...settings }));
}

async function startGateway(env: Env): Promise<ExtraGateway> {
  const port = await freePort();
  const gateway = await LoneProcess.start('gateway', { ...env, HEDDLE_PORT: String(port) });
  await gateway.ready;
  try {
    if ((await gateway.alive()) === null) throw new Error('the gateway has ended');
    await eventually('a ready gateway', async () => (await gateway.readiness())?.ready === true);
  } catch (error) {
    await gateway.stop();
    throw new Error(`${String(error)}:\n${gateway.log}`, { cause: error });
  }
  return {
    url: `http://127.0.0.1:${port}`,
    get log() {
      return gateway.log;
    },
    stop: async () => void (await gateway.stop()),
  };
}
