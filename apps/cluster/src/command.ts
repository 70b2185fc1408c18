import { SettingRefused } from '@heddle/composition';
import { readReplicas, UsageError } from './replicas.js';
import type { Replicas } from './replicas.js';

export interface ClusterCommand {
  readonly replicas: Replicas;
  readonly brokers: number;
  readonly down: boolean;
  readonly detach: boolean;
  readonly help: boolean;
  /** Flags that are settings: each goes to the services that read it. */
  readonly settingWords: readonly string[];
}

export const HELP = `npm run cluster [-- OPTIONS]

Starts PostgreSQL, Apache Kafka and an S3 server as local processes, then every service and a worker as processes of
their own, and prints "heddle ready URL". Ctrl-C stops everything. What HEDDLE_DATABASE_URL, HEDDLE_KAFKA_BROKERS and
HEDDLE_S3_ENDPOINT name is used instead of servers of its own. Needs Java 17, Maven and Go (for the servers).

  --replicas jobs=2,gateway=2   several processes of a service; gateways stand behind a local round-robin
  --brokers 3                   Kafka brokers (default 1)
  --detach                      return once it is ready and leave it running
  --down                        stop what was started in the same data folder
  --data DIR                    servers' data, logs and notes (default .heddle/cluster)
  --port PORT                   where the API listens (default 8189)
  --<setting> VALUE             any other setting, for the services that read it: npm run heddle -- serve --help lists them`;

/** Reads the words of the command line; `UsageError` says what is wrong with them. */
export function readCommand(words: readonly string[]): ClusterCommand {
  let replicas = readReplicas('');
  let brokers = 1;
  const flags = { down: false, detach: false, help: false };
  const settingWords: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [flag, inline] = word.split(/=(.*)/s, 2);
    const value = (): string => {
      const found = inline ?? words[++at];
      if (found === undefined) throw new UsageError(`${flag} needs a value`);
      return found;
    };
    if (flag === '--replicas') replicas = readReplicas(value());
    else if (flag === '--brokers') brokers = readBrokers(value());
    else if (word === '--down' || word === '--detach' || word === '--help')
      flags[word.slice(2) as keyof typeof flags] = true;
    else if (word.startsWith('--')) settingWords.push(`${flag}=${value()}`);
    else throw new UsageError(`"${word}" is no option: --help lists them`);
  }
  return { replicas, brokers, ...flags, settingWords };
}

function readBrokers(text: string): number {
  if (text === '1' || text === '3') return Number(text);
  throw new UsageError(`--brokers must be 1 or 3, not "${text}"`);
}

/** Errors that somebody mends by another command line or setting. */
export function isUsage(error: unknown): error is UsageError | SettingRefused {
  return error instanceof UsageError || error instanceof SettingRefused;
}
