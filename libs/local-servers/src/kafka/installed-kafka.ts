import { join } from 'node:path';

/** Enough for a broker of tests and of one machine, and quick to start. */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
/** Kafka logs by slf4j; Log4j's own configuration would be read for nothing, at every start. */
const LOG4J = '-Dlog4j.provider=org.apache.logging.log4j.simple.internal.SimpleProvider';
/** What Java has to say about an archive that does not fit would stand at the head of every broker's log. */
const QUIET = '-Xlog:disable';

export const ARCHIVE = 'classes.jsa';

/** An Apache Kafka of this machine, as processes are started from it. */
export interface InstalledKafka {
  readonly jars: string;
  /** What a short run left behind so that later ones start sooner; empty or absent where that run failed. */
  readonly prepared: string;
}

/**
 * How Java runs a main class of Kafka. Classes come parsed and checked out of the archive that the preparation made; another Java,
 * other jars or no archive only mean a slower start.
 */
export function kafkaCommand({ jars, prepared }: InstalledKafka, heap: readonly string[], main: string): string[] {
  return command(jars, [...heap, `-XX:SharedArchiveFile=${join(prepared, ARCHIVE)}`, '-Xshare:auto', QUIET], main);
}

/** The same without an archive; this run writes one when it ends in order. */
export function preparingCommand({ jars, prepared }: InstalledKafka, heap: readonly string[], main: string): string[] {
  return command(jars, [...heap, `-XX:ArchiveClassesAtExit=${join(prepared, ARCHIVE)}`, QUIET], main);
}

function command(jars: string, options: readonly string[], main: string): string[] {
  return [...options, ...JVM, LOG4J, '-cp', join(jars, '*'), main];
}
