import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { isRecord } from '../api/wire.js';
import type { JsonRecord } from '../api/wire.js';
import type { Arguments, Option } from '../command-line/command.js';
import { notANumber } from '../command-line/read-arguments.js';
import { wrongUsage } from '../failure.js';
import { unreadableText } from '../file-error.js';
import type { Terminal } from '../terminal/terminal.js';

export const STAGE: Option = {
  value: 'STAGE',
  meaning: 'production (default) or staging',
  choices: ['production', 'staging'],
};

export const ENVIRONMENT: Option = {
  value: 'FILE',
  meaning: 'environment file (JSON), or builtin',
};

export const ENVIRONMENT_NOTES: readonly string[] = [
  'deployments show --json prints an environment in the form of the file.',
  'The field catalogue of the file is the path of an /object_info document, relative to the file.',
];

const NUMBERS: Readonly<Record<string, { readonly field: string; readonly meaning: string }>> = {
  slots: { field: 'slots', meaning: 'jobs that its workers run at once' },
  'start-delay': { field: 'start_delay_s', meaning: 'seconds that the local provider waits before each start' },
  'max-runtime': { field: 'max_runtime_s', meaning: 'seconds; default: as the setting' },
  'job-retention': { field: 'job_retention_s', meaning: 'seconds; default: as the setting' },
  'queue-depth': { field: 'queue_depth', meaning: 'jobs that may wait; default: as the setting' },
};
const RESETTABLE: ReadonlySet<string> = new Set(['max-runtime', 'job-retention', 'queue-depth']);

export const DEPLOYMENT_OPTIONS: Readonly<Record<string, Option>> = {
  ...Object.fromEntries(Object.entries(NUMBERS).map(([name, { meaning }]) => [name, { value: 'N', meaning }])),
  'public-demo': { value: 'BOOL', meaning: 'true: logs of its jobs are withheld', choices: ['true', 'false'] },
};

/** The options that are given, as the admin API names them; `default` takes the setting again. */
export function deploymentFields(options: Arguments): Record<string, number | boolean | null> {
  const fields: Record<string, number | boolean | null> = {};
  for (const [name, { field }] of Object.entries(NUMBERS)) {
    const text = options.text(name);
    if (text === null) continue;
    if (text === 'default' && RESETTABLE.has(name)) fields[field] = null;
    else if (/^\d{1,12}(\.\d{1,6})?$/.test(text)) fields[field] = Number(text);
    else throw notANumber(name, text, RESETTABLE.has(name));
  }
  const demo = options.text('public-demo');
  if (demo === null) return fields;
  // A mistyped `true` must not publish the logs that it was to withhold.
  if (demo !== 'true' && demo !== 'false') throw wrongUsage(`--public-demo must be true or false, not "${demo}"`);
  return { ...fields, public_demo: demo === 'true' };
}

/** The path of a deployment below the admin API, with `?stage=`. */
export function deploymentPath(label: string, options: Arguments, verb = ''): string {
  const stage = encodeURIComponent(options.text('stage') ?? 'production');
  return `deployments/${encodeURIComponent(label)}${verb === '' ? '' : `/${verb}`}?stage=${stage}`;
}

/** The environment of `--environment`; its catalogue is read from the file beside it. */
export async function environmentIn(file: string | null): Promise<JsonRecord> {
  if (file === null || file === 'builtin') return { engine: 'builtin' };
  const environment = await jsonIn(file);
  const { catalogue } = environment;
  if (catalogue === undefined || catalogue === null) return environment;
  if (typeof catalogue !== 'string')
    throw wrongUsage(`${file}: catalogue must be the path of an /object_info document`);
  return { ...environment, catalogue: await jsonIn(resolve(dirname(file), catalogue)) };
}

/**
 * Says what was pinned other than the file may mean: the built-in engine where it names none, and a revision of the
 * deployment's own numbering.
 */
export function tellPinned(environment: JsonRecord, deployment: JsonRecord, terminal: Terminal): void {
  if ((environment['engine'] ?? null) === null)
    terminal.say('heddle: the environment names no engine: the built-in one is pinned');
  const given = environment['revision'];
  const pinned = deployment['next_revision'] ?? deployment['revision'];
  if (given === undefined || given === null || given === pinned) return;
  terminal.say(
    `heddle: the environment is pinned as revision ${String(pinned)}; revision ${String(given)} of the file is not read`,
  );
}

async function jsonIn(file: string): Promise<JsonRecord> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const meant = new NearestName(['builtin']).of(file) === null ? null : 'did you mean builtin?';
    throw wrongUsage(unreadableText(file, error), meant);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    throw wrongUsage(`${file} is not valid JSON`);
  }
  throw wrongUsage(`${file} must hold a JSON object`);
}
