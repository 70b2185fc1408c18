import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerProperties } from './broker-properties.js';
import { installKafka } from './install-kafka.js';
import { MissingPrerequisiteError } from './missing-prerequisite.js';
import { startKafka, stopKafka, type RunningKafka } from './start-kafka.js';

const cacheDir = fileURLToPath(new URL('../../../../../.cache', import.meta.url));
// Fails here, with what to install, unless the run allows to leave out what this machine cannot do.
const missing = await installKafka(cacheDir).then(
  () => undefined,
  (error: unknown) => error,
);
const skipped = missing instanceof MissingPrerequisiteError && process.env['ALLOW_SKIP'] === '1';
if (missing instanceof Error && !skipped) throw missing;

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
    // The controller's port of the second would be the client port of the first.
    const starting = startKafka({ cacheDir, dataDir: other, ports: [port - 1] });
    await expect(starting).rejects.toThrow(/did not run: it ended with exit code 1[^]*already in use/);
    rmSync(other, { recursive: true, force: true });
  });
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
