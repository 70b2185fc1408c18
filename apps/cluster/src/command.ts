import { readSettingFlags, SettingRefused, SETTINGS } from '@heddle/composition';
import { readDeployments } from './deployments/asked-deployments.js';
import type { AskedDeployment } from './deployments/asked-deployments.js';
import { readReplicas, UsageError } from './replicas.js';
import type { Replicas } from './replicas.js';

/** The launcher's action; `run` and `detach` start a cluster. */
type ClusterAction = 'run' | 'detach' | 'status' | 'down' | 'help';

export interface ClusterCommand {
  readonly action: ClusterAction;
  readonly replicas: Replicas;
  readonly deployments: readonly AskedDeployment[];
  readonly brokers: number;
  readonly json: boolean;
  /** Settings from flags, by environment name; each goes to the services that read it. */
  readonly settings: Readonly<Record<string, string>>;
}

const ACTIONS: Readonly<Record<string, ClusterAction>> = {
  '--detach': 'detach',
  '--status': 'status',
  '--down': 'down',
  '--help': 'help',
};
const OWN_FLAGS = [...Object.keys(ACTIONS), '--replicas', '--deployments', '--brokers', '--json'];

/** Parses the command line; `UsageError` and `SettingRefused` describe mistakes. */
export function readCommand(words: readonly string[]): ClusterCommand {
  let replicas = readReplicas('');
  let deployments: readonly AskedDeployment[] = [];
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
    else if (flag === '--deployments') deployments = readDeployments(value());
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
  return { action, replicas, deployments, brokers, json, settings };
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
