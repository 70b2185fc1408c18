import { readSettingFlags, SettingRefused, SETTINGS } from '@heddle/composition';
import { readReplicas, UsageError } from './replicas.js';
import type { Replicas } from './replicas.js';

/** The launcher's action; `run` and `detach` start a cluster. */
export type ClusterAction = 'run' | 'detach' | 'status' | 'down' | 'help';

export interface ClusterCommand {
  readonly action: ClusterAction;
  readonly replicas: Replicas;
  readonly brokers: number;
  readonly json: boolean;
  /** Settings from flags, by environment name; each goes to the services that read it. */
  readonly settings: Readonly<Record<string, string>>;
}

export const HELP = `npm run cluster [-- OPTIONS]

Starts PostgreSQL, Apache Kafka and an S3 server as local processes, then every service and a worker as processes of
their own, and prints "heddle ready URL". A process that ends is started again. Ctrl-C stops everything, in order.
HEDDLE_DATABASE_URL, HEDDLE_KAFKA_BROKERS and HEDDLE_S3_ENDPOINT name servers to use instead of local ones.
Needs Java 17, Maven and Go (for the local servers).

  --replicas jobs=2,gateway=2   replicas of a service; a local round-robin proxy serves several gateways;
                                worker=0 starts no worker, for workers of your own
  --brokers 3                   Kafka brokers (default 1)
  --detach                      return when the cluster is ready, and leave it running
  --status [--json]             processes of the cluster in the data folder: state, ports, logs, restarts
  --down                        stop the cluster in the data folder
  --data DIR                    folder for data, logs and state (default .heddle/cluster)
  --port PORT                   listen port of the API (default 8189)
  --<setting> VALUE             any other setting; npm run heddle -- serve --help lists them

  npm run cluster -- --replicas jobs=2,gateway=2 --detach
  npm run cluster -- --status`;

const ACTIONS: Readonly<Record<string, ClusterAction>> = {
  '--detach': 'detach',
  '--status': 'status',
  '--down': 'down',
  '--help': 'help',
};
const OWN_FLAGS = [...Object.keys(ACTIONS), '--replicas', '--brokers', '--json'];

/** Parses the command line; `UsageError` and `SettingRefused` describe mistakes. */
export function readCommand(words: readonly string[]): ClusterCommand {
  let replicas = readReplicas('');
  let brokers = 1;
  let action: ClusterAction = 'run';
  let json = false;
  const settingWords: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [flag = '', inline] = word.split(/=(.*)/s, 2);
    const value = (): string => {
      const found = inline ?? words[++at];
      if (found === undefined) throw new UsageError(`${flag} needs a value`);
      return found;
    };
    if (flag === '--replicas') replicas = readReplicas(value());
    else if (flag === '--brokers') brokers = readBrokers(value());
    else if (word === '--json') json = true;
    else if (ACTIONS[word] !== undefined) action = theOnly(action, word);
    else if (word.startsWith('--')) {
      const hasValue = inline === undefined && words[at + 1]?.startsWith('--') === false;
      settingWords.push(word, ...(hasValue ? [words[++at]!] : []));
    } else throw new UsageError(`"${word}" is not an option; --help lists them`);
  }
  if (json && action !== 'status') throw new UsageError('--json requires --status');
  const settings = readSettingFlags(settingWords, Object.values(SETTINGS), OWN_FLAGS);
  return { action, replicas, brokers, json, settings };
}

function theOnly(before: ClusterAction, word: string): ClusterAction {
  const action = ACTIONS[word]!;
  if (before !== 'run' && before !== action)
    throw new UsageError(`--${before} and ${word} exclude each other: give one of them`);
  return action;
}

function readBrokers(text: string): number {
  if (text === '1' || text === '3') return Number(text);
  throw new UsageError(`--brokers must be 1 or 3, not "${text}"`);
}

/** Errors that another command line or setting fixes. */
export function isUsage(error: unknown): error is UsageError | SettingRefused {
  return error instanceof UsageError || error instanceof SettingRefused;
}
