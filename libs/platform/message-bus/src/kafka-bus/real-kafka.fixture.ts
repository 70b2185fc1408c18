import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { installKafka, MissingPrerequisiteError, startKafka } from '@heddle/local-servers';
import type { KafkaOptions, RunningKafka } from '@heddle/local-servers';

const cacheDir = fileURLToPath(new URL('../../../../../.cache', import.meta.url));

/**
 * True if this machine cannot run Kafka and the run may skip such specs; if it may not, fails with the missing
 * software.
 */
export async function kafkaIsSkipped(): Promise<boolean> {
  try {
    await installKafka(cacheDir);
    return false;
  } catch (error) {
    if (error instanceof MissingPrerequisiteError && process.env['ALLOW_SKIP'] === '1') return true;
    throw error;
  }
}

/** Brokers in a folder of their own, which `stop` removes. */
export async function startedKafka(options: Partial<KafkaOptions> = {}): Promise<RunningKafka> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-kafka-'));
  const kafka = await startKafka({ cacheDir, dataDir, ...options });
  return {
    ...kafka,
    stop: async () => {
      await kafka.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function freshGroup(): string {
  return `group-${randomUUID()}`;
}

/** The plain client library, to send records that the bus never would. */
export function bareClient(brokers: readonly string[]): Kafka {
  return new Kafka({ brokers: [...brokers], clientId: 'spec', logLevel: logLevel.NOTHING });
}
