import { existsSync } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { freePort, withFreePorts } from '@heddle/platform-database';
import { InstallLock } from '../install-lock.js';
import { BrokerProcess } from './broker-process.js';
import { brokerProperties } from './broker-properties.js';
import { keepFormatted } from './format-data-folder.js';
import { ARCHIVE, preparingCommand, type InstalledKafka } from './installed-kafka.js';

const PORTS_OF_A_BROKER = 3;
/** Java writes the archive at exit: three seconds of a core that others may need too. */
const ARCHIVED_WITHIN_MS = 90_000;
const PREPARED_BY_ANOTHER_WITHIN_MS = 180_000;
const LAST_OF_REASON = 500;

/**
 * Runs one broker briefly, which halves the work of every later start: Java archives the classes that it loaded, and
 * the formatter's output is kept. Once per jars and Java, by one process while others wait. A failure is reported and
 * not retried; brokers then start without it.
 */
export async function prepareKafka(kafka: InstalledKafka, onProgress: (line: string) => void): Promise<void> {
  if (existsSync(kafka.prepared)) return;
  try {
    const lock = await InstallLock.take(`${kafka.prepared}.lock`, PREPARED_BY_ANOTHER_WITHIN_MS);
    try {
      if (!existsSync(kafka.prepared)) await prepareInPlace(kafka, onProgress);
    } finally {
      await lock.release();
    }
  } catch (error) {
    onProgress(`Apache Kafka starts as slowly as it does unprepared: ${reasonOf(error)}`);
  }
}

async function prepareInPlace(kafka: InstalledKafka, onProgress: (line: string) => void): Promise<void> {
  const folder = `${kafka.prepared}.part`;
  const work = join(folder, 'broker');
  const part: InstalledKafka = { jars: kafka.jars, prepared: join(folder, 'prepared') };
  onProgress('running Apache Kafka for a moment, so that it starts in half the time from now on (once)');
  try {
    // Left by a preparation that was killed.
    await new BrokerProcess(part, work, 0).stop();
    await rm(folder, { recursive: true, force: true });
    await mkdir(part.prepared, { recursive: true });
    const failure = await withFreePorts([], async () => await runOnce(part, work)).then(() => undefined, reasonOf);
    if (failure !== undefined) {
      await rm(part.prepared, { recursive: true, force: true });
      await mkdir(part.prepared);
      await writeFile(join(part.prepared, 'failed'), `${failure}\n`);
    }
    await rename(part.prepared, kafka.prepared);
    if (failure !== undefined) throw new Error(`${failure} (remove ${kafka.prepared} to try again)`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  return errorMessage(error).slice(-LAST_OF_REASON).trim();
}

async function runOnce(part: InstalledKafka, work: string): Promise<void> {
  const client = await freePort(PORTS_OF_A_BROKER);
  const ports = [{ client, controller: client + 1, internal: client + 2 }];
  const broker = new BrokerProcess(part, work, client, preparingCommand);
  const killNow = (): void => broker.killNow();
  process.once('exit', killNow);
  try {
    await broker.prepare(brokerProperties({ id: 1, ports, logDir: broker.data }), 1);
    await keepFormatted(broker.data, part.prepared);
    await broker.start();
    await broker.stop(ARCHIVED_WITHIN_MS);
    await access(join(part.prepared, ARCHIVE));
  } finally {
    await broker.kill();
    process.off('exit', killNow);
  }
}
