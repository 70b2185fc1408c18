import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningKafka } from '@heddle/local-servers';
import { aMessage, until } from '../bus/message-bus.suite.js';
import { BusRefusedError } from './bus-failures.js';
import { ensureTopics } from './ensure-topics.js';
import type { KafkaBusOptions } from './kafka-bus-options.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { kafkaIsSkipped, startedKafka } from './real-kafka.fixture.js';

const USER = { user: 'heddle', password: 'right-password' };

async function refusal(options: KafkaBusOptions): Promise<BusRefusedError> {
  const error: unknown = await KafkaMessageBus.connect({ startPatienceMs: 30_000, ...options }).then(
    async (bus) => await bus.close(),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(BusRefusedError);
  return error as BusRefusedError;
}

describe.skipIf(await kafkaIsSkipped())('a broker that asks for a password', () => {
  let kafka: RunningKafka;
  const options = (): KafkaBusOptions => ({ brokers: kafka.brokers, clientId: 'spec' });

  beforeAll(async () => {
    kafka = await startedKafka({ sasl: USER });
  });
  afterAll(async () => {
    await kafka.stop();
  });

  it('lets in who knows it', async () => {
    const sasl = { mechanism: 'plain', ...USER } as const;
    const topic = { name: 'heddle.sasl.events.v1', partitions: 1, replicas: 1, retentionMs: 3_600_000 };
    await ensureTopics({ ...options(), sasl }, [topic]);
    const bus = await KafkaMessageBus.connect({ ...options(), sasl });
    let got = 0;
    await bus.subscribe(topic.name, 'group', async (batch) => await Promise.resolve(void (got += batch.length)));
    await bus.publish(topic.name, [aMessage('job', 1)]);
    await until('it came', () => got === 1);
    await bus.close();
  });

  it('refuses a wrong one, an unknown mechanism and none at all at the start, and no message holds the password', async () => {
    const wrong = { mechanism: 'plain', user: 'heddle', password: 'wrong-password' } as const;
    const refused = await refusal({ ...options(), sasl: wrong });
    expect(refused.subject).toBe('credentials');
    expect(refused.message).toContain('Kafka refuses the credentials');
    expect(JSON.stringify([refused.message, refused.stack])).not.toContain('wrong-password');
    const scram = { mechanism: 'scram-sha-256', ...USER } as const;
    expect((await refusal({ ...options(), sasl: scram })).subject).toBe('credentials');
    const none = await refusal(options());
    expect(none.message).toContain('TLS is off and SASL off here');
    await expect(ensureTopics({ ...options(), sasl: wrong }, [])).rejects.toBeInstanceOf(BusRefusedError);
  });

  it('refuses TLS where its listener has none', async () => {
    const refused = await refusal({ ...options(), tls: {} });
    expect(refused.subject).toBe('tls');
  });
});

describe('TLS to a broker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-tls-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];

  beforeAll(() => {
    const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
    execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is refused at the start where the certificate is of an authority that is not trusted', async () => {
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) =>
      socket.on('error', () => socket.destroy()),
    );
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const refused = await refusal({ brokers: [`127.0.0.1:${port}`], clientId: 'spec', tls: {} });
    expect(refused.subject).toBe('tls');
    expect(refused.message).toMatch(/The TLS connection to Kafka failed: .*certificate/);
    server.close();
  });

  it('names the file that cannot be read', async () => {
    const caFile = join(folder, 'nowhere.pem');
    const refused = await refusal({ brokers: ['127.0.0.1:9'], clientId: 'spec', tls: { caFile } });
    expect(refused.message).toBe(`The authorities file for Kafka, ${caFile}, cannot be read: ENOENT.`);
    writeFileSync(join(folder, 'ca.pem'), '');
  });
});
