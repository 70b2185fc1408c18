import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { InstalledKafka } from './installed-kafka.js';
import { requireJava, requireMaven } from './java.js';
import { prepareKafka } from './prepare-kafka.js';
import { toolEnvironment } from '../tool-environment.js';

const run = promisify(execFile);

export const KAFKA_VERSION = '4.3.1';
const SLF4J_VERSION = '1.7.36';
const MARKER = 'complete';
const FETCH_WITHIN_MS = 600_000;
const LAST_OF_OUTPUT = 2_000;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>heddle.local</groupId><artifactId>kafka-server</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>${SLF4J_VERSION}</version></dependency>
  </dependencies>
</project>
`;

/**
 * Fetches the jars of the pinned Apache Kafka into `cacheDir/kafka/<version>` and prepares them for this machine's
 * Java; if both are done it only asks Java for its version. The marker is written last and the folder renamed into
 * place, so an interrupted fetch is repeated and concurrent ones do no harm. Fails with `MissingPrerequisiteError` if
 * Java or Maven is missing.
 */
export async function installKafka(
  cacheDir: string,
  onProgress: (line: string) => void = () => {},
  signal?: AbortSignal,
): Promise<InstalledKafka> {
  const java = await requireJava();
  const jars = join(resolve(cacheDir), 'kafka', KAFKA_VERSION);
  if (!existsSync(join(jars, MARKER))) await fetchKafka(jars, onProgress, signal);
  const kafka = { jars, prepared: join(jars, `prepared-for-java-${java}-${await archiveKeyOf(jars)}`) };
  await prepareKafka(kafka, onProgress);
  return kafka;
}

/** Java accepts its archive only for the same files: a cache that was moved or copied is prepared again. */
async function archiveKeyOf(jars: string): Promise<string> {
  const { mtimeMs } = await stat(join(jars, MARKER));
  return createHash('sha256').update(`${jars} ${mtimeMs}`).digest('hex').slice(0, 8);
}

async function fetchKafka(folder: string, onProgress: (line: string) => void, signal?: AbortSignal): Promise<void> {
  await requireMaven();
  onProgress(`fetching Apache Kafka ${KAFKA_VERSION} with Maven (45 MB, once)`);
  const fetched = `${folder}.${process.pid}.part`;
  await rm(fetched, { recursive: true, force: true });
  await mkdir(fetched, { recursive: true });
  try {
    await fetchJars(fetched, signal);
    await writeFile(join(fetched, MARKER), `${KAFKA_VERSION}\n`);
    await putInPlace(fetched, folder);
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
  onProgress(`Apache Kafka ${KAFKA_VERSION} is in ${folder}`);
}

async function fetchJars(folder: string, signal?: AbortSignal): Promise<void> {
  const pom = join(folder, 'kafka-pom.xml');
  await writeFile(pom, POM);
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
  await run('mvn', ['-B', '-q', '-f', pom, ...goal], {
    env: toolEnvironment(),
    timeout: FETCH_WITHIN_MS,
    ...(signal && { signal }),
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
    signal?.throwIfAborted();
    const output = `${error.stdout ?? ''}${error.stderr ?? ''}`.slice(-LAST_OF_OUTPUT);
    throw new Error(`Maven could not fetch Apache Kafka ${KAFKA_VERSION}: ${output || error.message}`);
  });
}

async function putInPlace(fetched: string, folder: string): Promise<void> {
  // A folder without a marker is the rest of an older way of fetching.
  if (!existsSync(join(folder, MARKER))) await rm(folder, { recursive: true, force: true });
  await rename(fetched, folder).catch((error: unknown) => {
    if (!existsSync(join(folder, MARKER))) throw error;
  });
}
