import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerProperties } from './broker-properties.js';
import { installKafka, KAFKA_VERSION } from './install-kafka.js';
import { ARCHIVE, type InstalledKafka } from './installed-kafka.js';
import { MissingPrerequisiteError } from './missing-prerequisite.js';
import { startKafka, stopKafka, type RunningKafka } from './start-kafka.js';

const cacheDir = fileURLToPath(new URL('../../../../.cache', import.meta.url));
// Fails with installation instructions, unless the run may skip what this machine cannot do.
const installed = await installKafka(cacheDir).catch((error: unknown) => {
  if (error instanceof MissingPrerequisiteError && process.env['ALLOW_SKIP'] === '1') return null;
  throw error;
});
const skipped = installed === null;

function prepared(): string {
  return installed?.prepared ?? '';
}

function accepts(broker: string): Promise<boolean> {
  const [host, port] = broker.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}

describe.skipIf(skipped)('a local Kafka', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-kafka-'));
  let kafka: RunningKafka;

  beforeAll(async () => {
    kafka = await startKafka({ cacheDir, dataDir });
  });
  afterAll(async () => {
    await kafka.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('starts from the classes that the preparation kept, in a folder of its own identity', () => {
    const meta = (folder: string): string => readFileSync(join(folder, 'meta.properties'), 'utf8');
    const own = meta(join(dataDir, 'broker-1', 'data'));
    expect(own).toContain('node.id=1\n');
    expect(own).toMatch(/^directory\.id=[\w-]{22}$/m);
    expect(/directory.*/.exec(own)).not.toEqual(/directory.*/.exec(meta(prepared())));
    const pid = readFileSync(join(dataDir, 'broker-1', 'broker.pid'), 'utf8');
    // Other systems do not show a process's mappings.
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).toContain(join(prepared(), ARCHIVE));
    }
  });

  it('keeps its data from other users of the machine', () => {
    const modeOf = (...path: string[]): string => (statSync(join(dataDir, ...path)).mode & 0o777).toString(8);
    const data = readdirSync(join(dataDir, 'broker-1', 'data'));
    expect(modeOf()).toBe('700');
    const written = data.find((name) => name.startsWith('__cluster_metadata'))!;
    expect(modeOf('broker-1', 'data', written)).toBe('700');
    const checkpoint = data.find((name) => name === 'recovery-point-offset-checkpoint' || name === '.lock')!;
    expect(modeOf('broker-1', 'data', checkpoint)).toBe('600');
  });

  it('takes connections when it has started, none when it is killed, and again on the same port', async () => {
    const [broker = ''] = kafka.brokers;
    expect(await accepts(broker)).toBe(true);
    await kafka.kill(0);
    expect(await accepts(broker)).toBe(false);
    await kafka.start(0);
    expect(await accepts(broker)).toBe(true);
  });

  it('is found and stopped over its folder by whoever comes later, and started again on its port', async () => {
    const [broker = ''] = kafka.brokers;
    const pid = Number(readFileSync(join(dataDir, 'broker-1', 'broker.pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).not.toThrow();
    await stopKafka(dataDir);
    expect(await accepts(broker)).toBe(false);
    kafka = await startKafka({ cacheDir, dataDir });
    expect(kafka.brokers).toEqual([broker]);
  });

  it('says at once why it does not start, with the end of the log', async () => {
    const port = Number(kafka.brokers[0]?.split(':')[1]);
    const other = mkdtempSync(join(tmpdir(), 'heddle-kafka-'));
    // The second broker's controller port would be the first broker's client port.
    const starting = startKafka({ cacheDir, dataDir: other, ports: [port - 1] });
    await expect(starting).rejects.toThrow(/did not run: it ended with exit code 1[^]*already in use/);
    rmSync(other, { recursive: true, force: true });
  });
});

describe.skipIf(skipped)('the preparation of a local Kafka', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-kafka-cache-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A separate cache with these jars, fetched long ago. */
  function cacheWith(name: string, bringJars: (jars: string) => void): { cacheDir: string; jars: string } {
    const cache = join(folder, name);
    const jars = join(cache, 'kafka', KAFKA_VERSION);
    mkdirSync(join(cache, 'kafka'), { recursive: true });
    bringJars(jars);
    if (!existsSync(join(jars, 'complete'))) writeFileSync(join(jars, 'complete'), '');
    return { cacheDir: cache, jars };
  }

  it('that fails is reported once, however many callers wait for it, and leaves the installation unchanged', async () => {
    const { cacheDir: cache, jars } = cacheWith('no-jars', (folder) => mkdirSync(folder));
    const said: string[] = [];
    const install = (): Promise<InstalledKafka> => installKafka(cache, (line) => void said.push(line));
    const [one, other] = await Promise.all([install(), install()]);
    expect(one).toEqual({ jars, prepared: expect.stringContaining(join(jars, 'prepared-for-java-')) as string });
    expect(other).toEqual(one);
    await install();
    expect(said).toEqual([
      expect.stringMatching(/^running Apache Kafka for a moment/),
      expect.stringMatching(/^Apache Kafka starts as slowly as it does unprepared: [^]*StorageTool[^]*try again/),
    ]);
  });

  const unprepared = { timeout: 300_000 };

  it(
    'is made again where its cache was moved, and costs nothing but time where what it left does not fit',
    unprepared,
    async () => {
      const { cacheDir: cache } = cacheWith('moved', (jars) =>
        cpSync(installed?.jars ?? '', jars, { recursive: true }),
      );
      const moved = await installKafka(cache);
      expect(basename(moved.prepared)).not.toBe(basename(prepared()));
      expect(existsSync(join(moved.prepared, ARCHIVE))).toBe(true);
      // Archive of the same jars from another place and time.
      cpSync(join(prepared(), ARCHIVE), join(moved.prepared, ARCHIVE));
      const dataDir = join(folder, 'data');
      const kafka = await startKafka({ cacheDir: cache, dataDir });
      await kafka.stop();
      expect(readFileSync(join(dataDir, 'broker-1', 'broker.log'), 'utf8')).not.toMatch(/archive|cds|aot/i);
    },
  );
});

describe('the settings of a local broker', () => {
  const ports = [1, 2, 3].map((i) => ({ client: i * 10, controller: i * 10 + 1, internal: i * 10 + 2 }));

  it('keep three replicas of which two must have a message where there are three brokers, one where there is one', () => {
    const three = brokerProperties({ id: 2, ports, logDir: '/data' });
    expect(three).toContain('default.replication.factor=3\nmin.insync.replicas=2\n');
    expect(three).toContain('controller.quorum.voters=1@127.0.0.1:11,2@127.0.0.1:21,3@127.0.0.1:31\n');
    expect(brokerProperties({ id: 1, ports: ports.slice(0, 1), logDir: '/data' })).toContain(
      'default.replication.factor=1\nmin.insync.replicas=1\n',
    );
  });

  it('refuse a password that would break out of its line, and a broker without ports', () => {
    const place = { id: 1, ports, logDir: '/data' };
    expect(() => brokerProperties({ ...place, sasl: { user: 'heddle', password: 'a"\nb' } })).toThrow('letters');
    expect(() => brokerProperties({ ...place, id: 4 })).toThrow('Broker 4 has no ports');
  });
});
