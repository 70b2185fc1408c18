import { join } from 'node:path';

/** Enough for a broker of tests and of one machine, and quick to start. */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
/** Kafka logs through slf4j; this avoids reading Log4j's configuration at every start. */
const LOG4J = '-Dlog4j.provider=org.apache.logging.log4j.simple.internal.SimpleProvider';
/** Java's warnings about an unusable archive would be at the head of every broker's log. */
const QUIET = '-Xlog:disable';

export const ARCHIVE = 'classes.jsa';

/** An installed Apache Kafka. */
export interface InstalledKafka {
  readonly jars: string;
  /** Output of a short run that makes later starts faster; empty or absent if that run failed. */
  readonly prepared: string;
}

/**
 * The Java command for a main class of Kafka. It loads classes from the archive of the preparation; another Java, other
 * jars or no archive only make the start slower.
 */
export function kafkaCommand({ jars, prepared }: InstalledKafka, heap: readonly string[], main: string): string[] {
  return command(jars, [...heap, `-XX:SharedArchiveFile=${join(prepared, ARCHIVE)}`, '-Xshare:auto', QUIET], main);
}

/** The same command without an archive; this run writes one when it exits normally. */
export function preparingCommand({ jars, prepared }: InstalledKafka, heap: readonly string[], main: string): string[] {
  return command(jars, [...heap, `-XX:ArchiveClassesAtExit=${join(prepared, ARCHIVE)}`, QUIET], main);
}

function command(jars: string, options: readonly string[], main: string): string[] {
  return [...options, ...JVM, LOG4J, '-cp', join(jars, '*'), main];
}
