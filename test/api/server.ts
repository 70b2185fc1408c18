import { randomUUID } from 'node:crypto';
import { HeddleClient, sleepingGraph } from '@heddle/testing-api';
import { afterAll, beforeAll } from 'vitest';
import { ownShape, sharedShape, startServer, SUITE_SETTINGS } from './server-under-test.js';
import type { ServerShape, ServerUnderTest } from './server-under-test.js';
import { extraGateway, IDLE, sharedServer } from './shared-server.js';
import type { ExtraGateway } from './shared-server.js';
import { surface } from './surface.js';

/**
 * The one place where the API suite gets its server from: `HEDDLE_TEST_URL` names one that runs already (any topology),
 * otherwise each spec file starts one of its own, of the kind that `HEDDLE_TEST_TOPOLOGY` says (standalone, or cluster).
 * `HEDDLE_TEST_SURFACE` says which surface it is, `HEDDLE_TEST_TOKEN` and `HEDDLE_TEST_OTHER_TOKEN` are the credentials
 * of two accounts where the surface has accounts.
 */
const external = process.env['HEDDLE_TEST_URL'];

/** Specs that need settings of their own, a restart or the data directory run only where they start the server. */
export const ownServer = external === undefined || external === '';

export interface TestServer {
  readonly client: HeddleClient;
  readonly url: string;
  /** Of a process that takes requests; only where `ownServer`. */
  readonly opsUrl: string;
  /** What the process that takes requests has logged; only where `ownServer`, and where it is not shared. */
  readonly log: string;
  /** Jobs that run at once. */
  readonly slots: number;
  /** Its processes, what they keep and their log; only where `ownServer`. */
  readonly process: ServerUnderTest;
  /** Ends the processes and starts them again on the same data with the same port, with other settings where given. */
  restart(how: 'terminate' | 'kill9', changed?: Readonly<Record<string, string>>): Promise<void>;
}

/** Many processes on a machine that does other things too; for tests that start them again as well. */
export const START_WITHIN_MS = 180_000;

export interface ServerWishes {
  /** Nobody else's: the block stops it, counts its files, or has a queue in which nobody else stands. */
  readonly alone?: boolean;
  /** The settings are the gateway's alone, and nobody works off the queue: one more gateway before shared services is enough. */
  readonly gatewayBefore?: 'plain' | 'idle';
}

/** Settings of blocks that need jobs to wait, and no place of their own. */
export const waiting = ownServer ? IDLE : {};

/**
 * Starts (or finds) the server before the tests of the file or block and stops it after them. Blocks with equal settings
 * that need not be alone share one.
 */
export function useServer(settings: Readonly<Record<string, string>> = {}, wishes: ServerWishes = {}): TestServer {
  let client: HeddleClient | undefined;
  let running: ServerUnderTest | undefined;
  let gateway: ExtraGateway | undefined;
  let opsUrl: string | undefined;
  const token = settings['HEDDLE_STATIC_TOKEN'] ?? process.env['HEDDLE_TEST_TOKEN'];
  // Read at the start: a block may learn a setting, e.g. the address of an engine, only when it runs.
  const env = (): Record<string, string> => ({ ...SUITE_SETTINGS, ...settings });

  const shape = (): ServerShape => (wishes.alone === true ? sharedShape(env()) : ownShape(env()));

  beforeAll(async () => {
    const shared = ownServer && wishes.alone !== true ? sharedServer(settings) : undefined;
    if (ownServer && wishes.gatewayBefore !== undefined)
      gateway = await extraGateway(sharedServer(wishes.gatewayBefore === 'idle' ? IDLE : {}), settings);
    if (ownServer && shared === undefined && gateway === undefined) running = await startServer(env(), shape());
    const url = running?.url ?? gateway?.url ?? shared?.url ?? external ?? '';
    opsUrl = running?.opsUrl ?? shared?.opsUrl;
    client = await HeddleClient.connect(url, {
      signedUrls: surface.content === 'redirect',
      ...(token === undefined ? {} : { token }),
    });
  }, START_WITHIN_MS);
  afterAll(async () => {
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
    get opsUrl() {
      return started(opsUrl);
    },
    get log() {
      return gateway?.log ?? started(running).stderr();
    },
    get slots() {
      return ownServer ? shape().workers : Number(process.env['HEDDLE_TEST_SLOTS'] ?? 1);
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

/**
 * Sleeping jobs in every place where one can run, so that what is submitted next waits. Answers what cancels them. Where
 * the server is not the suite's own, `HEDDLE_TEST_SLOTS` says how many those are (1).
 */
export async function fillSlots({ client, slots }: TestServer): Promise<() => Promise<void>> {
  const jobs = await Promise.all(Array.from({ length: slots }, () => client.submitted(sleepingGraph(60))));
  for (const { id } of jobs) await client.reached(id, 'running');
  return async () => void (await Promise.all(jobs.map(({ id }) => client.cancel(id))));
}

/** A key as official clients make them. */
export function newKey(): string {
  return randomUUID();
}

/** An id in the form of Heddle's ids that nothing has. */
export function unknownId(): string {
  return randomUUID();
}
