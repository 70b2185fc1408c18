import { randomUUID } from 'node:crypto';
import { HeddleClient } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll } from 'vitest';
import { surface } from './surface.js';

/**
 * The one place where the API suite gets its server from: `HEDDLE_TEST_URL` names one that runs already (any topology),
 * otherwise each spec file starts a standalone of its own. `HEDDLE_TEST_SURFACE` says which surface it is,
 * `HEDDLE_TEST_TOKEN` and `HEDDLE_TEST_OTHER_TOKEN` are the credentials of two accounts where the surface has accounts.
 */
const external = process.env['HEDDLE_TEST_URL'];

/** Specs that need settings of their own, a restart or the data directory run only where they start the server. */
export const ownServer = external === undefined || external === '';

/** Settings of every server that the suite starts: test nodes, and polling that the suite's pace does not exhaust. */
const SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_READ_RATE: '1000',
  HEDDLE_READ_BURST: '2000',
  HEDDLE_LOG_LEVEL: 'info',
  // Tests that leave a job asleep need not wait for it at the end.
  HEDDLE_DRAIN_S: '0.2',
};

export interface TestServer {
  readonly client: HeddleClient;
  readonly url: string;
  /** The process, its data directory and its log; only where `ownServer`. */
  readonly process: Standalone;
  /** Ends the process and starts it again on the same data with the same port, with other settings where given. */
  restart(how: 'terminate' | 'kill9', changed?: Readonly<Record<string, string>>): Promise<void>;
}

/** Starts (or finds) the server before the tests of the file or block and stops it after them. */
export function useServer(settings: Readonly<Record<string, string>> = {}): TestServer {
  let client: HeddleClient | undefined;
  let running: Standalone | undefined;
  const token = settings['HEDDLE_STATIC_TOKEN'] ?? process.env['HEDDLE_TEST_TOKEN'];
  // Read at the start: a block may learn a setting, e.g. the address of an engine, only when it runs.
  const env = (): Record<string, string> => ({ ...SETTINGS, ...settings });

  beforeAll(async () => {
    if (ownServer) running = await startStandalone({ env: env() });
    const url = running?.url ?? external ?? '';
    client = await HeddleClient.connect(url, {
      signedUrls: surface.content === 'redirect',
      ...(token === undefined ? {} : { token }),
    });
  });
  afterAll(async () => {
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
    get process() {
      return started(running);
    },
    async restart(how, changed = {}) {
      const before = started(running);
      await before[how]();
      const after = await startStandalone({ env: { ...env(), ...changed }, dataDir: before.dataDir, port: before.port });
      // The folder belongs to the first start, which removes it: the last `stop` has to end both.
      running = { ...after, stop: async () => void (await after.stop(), await before.stop()) };
    },
  };
}

/** A key as official clients make them. */
export function newKey(): string {
  return randomUUID();
}

/** An id in the form of Heddle's ids that nothing has. */
export function unknownId(): string {
  return randomUUID();
}
