import { randomUUID } from 'node:crypto';
import { HeddleClient, sleepingGraph } from '@heddle/testing-api';
import { afterAll, beforeAll } from 'vitest';
import { ownShape, sharedShape, startServer, SUITE_SETTINGS } from './server-under-test.js';
import type { ServerShape, ServerUnderTest } from './server-under-test.js';
import { extraGateway, IDLE, sharedServer } from './shared-server.js';
import type { ExtraGateway } from './shared-server.js';
import { suiteKey, surface } from './surface.js';

/**
 * The source of the API suite's servers. `HEDDLE_TEST_URL` names a running server of any topology. Otherwise, each spec file
 * starts one of the kind in `HEDDLE_TEST_TOPOLOGY` (standalone or cluster). `HEDDLE_TEST_SURFACE` names the surface;
 * `HEDDLE_TEST_TOKEN` is the credential of an account if the surface has accounts. Of the running server,
 * `HEDDLE_TEST_REGISTRY_URL` is the registry (by default below the API), `HEDDLE_TEST_SLOTS` the number of jobs that run at
 * once (1), and `HEDDLE_TEST_STORE=s3` says that its signed URLs lead to the object store.
 */
const external = process.env['HEDDLE_TEST_URL'];

/** True if the suite starts the server. Specs that need their own settings, a restart or the data directory require it. */
export const ownServer = external === undefined || external === '';

export interface TestServer {
  readonly client: HeddleClient;
  readonly url: string;
  readonly registryUrl: string;
  /** Credential of the suite's account; undefined if none is needed. */
  readonly token: string | undefined;
  /** Health port of a process that accepts requests; only if `ownServer`. */
  readonly opsUrl: string;
  /** Log of the process that accepts requests; only if `ownServer` and not shared. */
  readonly log: string;
  /** Jobs that run at once */
  readonly slots: number;
  /** Its processes, state and logs; only if `ownServer`. */
  readonly process: ServerUnderTest;
  /** Restarts the processes on the same data and port, with changed settings. */
  restart(how: 'terminate' | 'kill9', changed?: Readonly<Record<string, string>>): Promise<void>;
}

/** Start time-out: many processes on a busy machine, also for restarts. */
export const START_WITHIN_MS = 180_000;

/** Longer than a block of tests runs. */
const BLOCK_S = 600;

export interface ServerWishes {
  /** Not shared: the block stops the server, counts its files, or needs the queue for itself. */
  readonly alone?: boolean;
  /** Only the gateway reads these settings: an extra gateway before shared services is enough. */
  readonly gatewayBefore?: 'plain' | 'idle';
  /** The block speaks to the registry. */
  readonly registry?: boolean;
}

/** Settings of blocks whose jobs must wait, on a shared server. The slots of a running server are filled instead. */
export const waiting = IDLE;

/**
 * Starts or finds the server before the tests of the file or block, and stops it after them. Blocks with equal settings share
 * a server unless `alone` is set.
 */
export function useServer(settings: Readonly<Record<string, string>> = {}, wishes: ServerWishes = {}): TestServer {
  let client: HeddleClient | undefined;
  let running: ServerUnderTest | undefined;
  let gateway: ExtraGateway | undefined;
  let freeSlots: (() => Promise<void>) | undefined;
  let opsUrl: string | undefined;
  let registryUrl: string | undefined;
  const token = settings['HEDDLE_STATIC_TOKEN'] ?? process.env['HEDDLE_TEST_TOKEN'] ?? suiteKey;
  // Read at the start, because a block may learn a setting late, for example the address of an engine.
  const env = (): Record<string, string> => ({ ...SUITE_SETTINGS, ...settings });

  const shape = (): ServerShape =>
    wishes.alone === true ? sharedShape(env()) : ownShape(env(), wishes.registry === true);

  const slots = (): number => (ownServer ? shape().workers : Number(process.env['HEDDLE_TEST_SLOTS'] ?? 1));

  beforeAll(async () => {
    const shared = ownServer && wishes.alone !== true ? sharedServer(settings) : undefined;
    if (ownServer && wishes.gatewayBefore !== undefined)
      gateway = await extraGateway(sharedServer(wishes.gatewayBefore === 'idle' ? IDLE : {}), settings);
    if (ownServer && shared === undefined && gateway === undefined) running = await startServer(env(), shape());
    const url = running?.url ?? gateway?.url ?? shared?.url ?? external ?? '';
    opsUrl = running?.opsUrl ?? shared?.opsUrl;
    registryUrl = running?.registryUrl ?? shared?.registryUrl ?? process.env['HEDDLE_TEST_REGISTRY_URL'];
    registryUrl ??= `${url}/registry`;
    client = await HeddleClient.connect(url, {
      signedUrls: surface.content === 'redirect',
      ...(token === undefined ? {} : { token }),
    });
    if (!ownServer && settings === waiting) freeSlots = await fillSlots({ client, slots: slots() }, BLOCK_S);
  }, START_WITHIN_MS);
  afterAll(async () => {
    await freeSlots?.();
    await gateway?.stop();
    await running?.stop();
  });

  const started = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined)
      throw new Error('the server is there only while tests run, and its process only where it is our own');
    return thing;
  };
  return {
    get client() {
      return started(client);
    },
    get url() {
      return started(client).origin;
    },
    get registryUrl() {
      return started(registryUrl);
    },
    token,
    get opsUrl() {
      return started(opsUrl);
    },
    get log() {
      return gateway?.log ?? started(running).stderr();
    },
    get slots() {
      return slots();
    },
    get process() {
      return started(running);
    },
    async restart(how, changed = {}) {
      const before = started(running);
      await before[how]();
      running = await before.again({ ...env(), ...changed });
    },
  };
}

/** Fills every slot with a sleeping job, so that the next job waits. Returns a function that cancels them. */
export async function fillSlots(
  { client, slots }: Pick<TestServer, 'client' | 'slots'>,
  sleepS = 60,
): Promise<() => Promise<void>> {
  const jobs = await Promise.all(Array.from({ length: slots }, () => client.submitted(sleepingGraph(sleepS))));
  for (const { id } of jobs) await client.reached(id, 'running');
  return async () => void (await Promise.all(jobs.map(({ id }) => client.cancel(id))));
}

/** An idempotency key as official clients generate it. */
export function newKey(): string {
  return randomUUID();
}

/** A valid id that does not exist. */
export function unknownId(): string {
  return randomUUID();
}
