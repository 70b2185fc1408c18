import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kafkaCommand, type InstalledKafka } from './installed-kafka.js';
import { toolEnvironment } from '../tool-environment.js';

const run = promisify(execFile);

const CLUSTER_ID = 'AAAAAAAAAAAAAAAAAAAAAQ';
const FORMAT_WITHIN_MS = 60_000;
const ID_BYTES = 16;
/**
 * Identifies the owner of the folder; the other file holds the first records of the metadata log, the same for every
 * broker.
 */
const META = 'meta.properties';
const BOOTSTRAP = 'bootstrap.checkpoint';

/** The folder of a broker that has not run yet. */
interface BrokerFolder {
  /** From 1. */
  readonly id: number;
  readonly properties: string;
  readonly data: string;
}

/**
 * Formats a broker's data folder unless that is done. Kafka's own formatter is a Java process that writes two files, in
 * which only two ids differ between brokers: if the preparation kept its output, that is copied with new ids.
 */
export async function formatDataFolder(kafka: InstalledKafka, folder: BrokerFolder): Promise<void> {
  if (existsSync(join(folder.data, META))) return;
  if (existsSync(join(kafka.prepared, META))) return await copyFormatted(kafka.prepared, folder);
  const format = ['format', '-t', CLUSTER_ID, '-c', folder.properties];
  const command = kafkaCommand(kafka, ['-Xmx128m'], 'kafka.tools.StorageTool');
  await run('java', [...command, ...format], { env: toolEnvironment(), timeout: FORMAT_WITHIN_MS });
}

/** Keeps the two files of a freshly formatted folder. */
export async function keepFormatted(data: string, prepared: string): Promise<void> {
  await copyFile(join(data, BOOTSTRAP), join(prepared, BOOTSTRAP));
  await copyFile(join(data, META), join(prepared, META));
}

async function copyFormatted(prepared: string, { id, data }: BrokerFolder): Promise<void> {
  await mkdir(data, { recursive: true });
  await copyFile(join(prepared, BOOTSTRAP), join(data, BOOTSTRAP));
  const meta = (await readFile(join(prepared, META), 'utf8'))
    .replace(/^node\.id=.*$/m, `node.id=${id}`)
    .replace(/^directory\.id=.*$/m, `directory.id=${directoryId()}`);
  // Written last: with it the folder counts as formatted.
  await writeFile(join(data, META), meta);
}

/** Kafka ids use base64url and must not begin like a command-line option. */
function directoryId(): string {
  const id = randomBytes(ID_BYTES).toString('base64url');
  return id.startsWith('-') ? directoryId() : id;
}
