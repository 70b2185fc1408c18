import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MissingPrerequisiteError } from './missing-prerequisite.js';
import { toolEnvironment } from '../tool-environment.js';

const run = promisify(execFile);
const MIN_JAVA = 17;
const ANSWER_WITHIN_MS = 20_000;

/**
 * The build of the `java` on the PATH, e.g. `17.0.15+6-Debian-1deb12u1`. Fails with `MissingPrerequisiteError` unless
 * it is version 17 or newer.
 */
export async function requireJava(): Promise<string> {
  const said = await run('java', ['-version'], { env: toolEnvironment(), timeout: ANSWER_WITHIN_MS }).then(
    ({ stdout, stderr }) => stdout + stderr,
    () => '',
  );
  const version = /version "(\d+)(?:\.(\d+))?/.exec(said);
  // Java 8 and older report version 1.8.
  const major = Number(version?.[1] === '1' ? version[2] : version?.[1]);
  if (major >= MIN_JAVA) return /\(build ([\w.+-]+)/.exec(said)?.[1] ?? String(major);
  const found = version ? `only Java ${major} is` : 'none is';
  throw new MissingPrerequisiteError(
    `Apache Kafka needs Java ${MIN_JAVA} or newer as "java" on the PATH; ${found} there. On Debian: apt-get install openjdk-17-jre-headless.`,
  );
}

/** Fails with `MissingPrerequisiteError` unless Maven is on the PATH. */
export async function requireMaven(): Promise<void> {
  await run('mvn', ['-v'], { env: toolEnvironment(), timeout: ANSWER_WITHIN_MS }).catch(() => {
    throw new MissingPrerequisiteError(
      'Apache Kafka is fetched with Maven, but "mvn" is not on the PATH. On Debian: apt-get install maven.',
    );
  });
}
