import { freePort, withFreePorts } from '@heddle/platform-database';
import { eventually } from '@heddle/testing-api';
import { LoneProcess } from '../observability/service-process.js';
import { topology } from './server-under-test.js';

type Env = Readonly<Record<string, string>>;

/** A queue without workers, which any number of blocks can share. */
export const IDLE = { HEDDLE_WORKERS: '0', HEDDLE_QUEUE_DEPTH_ACCOUNT: '5000' };

/** Settings of the shared servers, by name */
export const SHARED_SETTINGS: Readonly<Record<SharedName, Env>> = { plain: {}, idle: IDLE };
export type SharedName = 'plain' | 'idle';

/** A Heddle that lives for the whole run */
export interface SharedServer {
  readonly url: string;
  readonly registryUrl: string;
  /** Health port of a process that accepts requests */
  readonly opsUrl: string;
  /** Environment of one gateway; null if there is no separate gateway. */
  readonly gatewayEnv: Env | null;
}

/** Passes the servers to the workers of the run. The name is not a setting of Heddle. */
const VARIABLE = 'API_SUITE_SERVERS';

export function tellSharedServers(servers: Readonly<Record<SharedName, SharedServer>>): void {
  process.env[VARIABLE] = JSON.stringify(servers);
}

/** The shared server with exactly these settings; undefined if each block starts its own. */
export function sharedServer(settings: Env): SharedServer | undefined {
  const servers = JSON.parse(process.env[VARIABLE] ?? '{}') as Partial<Record<SharedName, SharedServer>>;
  const equal = (other: Env): boolean =>
    Object.keys(other).length === Object.keys(settings).length &&
    Object.entries(other).every(([name, value]) => settings[name] === value);
  const name = (Object.keys(SHARED_SETTINGS) as SharedName[]).find((known) => equal(SHARED_SETTINGS[known]));
  return name === undefined ? undefined : servers[name];
}

/** An extra gateway with its own settings before the services of a shared cluster */
export interface ExtraGateway {
  readonly url: string;
  readonly log: string;
  stop(): Promise<void>;
}

/** Undefined in standalone, where the block needs its own server. */
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
