import type { GivenOptions, DeploymentRefusal, EnvironmentSpec } from '@heddle/contracts-messages';
import type { Options } from '@heddle/deployments-domain';
import { httpUrlFault } from '@heddle/platform-settings';
import { compileCatalogue } from '@heddle/workflow-graph';
import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { hashOf } from '../commit-events/stored-catalogues.js';

const MAX_SLOTS = 1_000;
const MAX_DELAY_S = 86_400;
const MAX_NUMBER = 1_000_000_000;
const MAX_PACKAGES = 1_000;
const MAX_TEXT = 500;

const NO_OPTIONS: Options = {
  slots: 1,
  publicDemo: false,
  startDelayS: 0,
  limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
};

/** The options after a change, or the refusal that names the first wrong one. */
export function checkedOptions(
  given: GivenOptions,
  before: Options = NO_OPTIONS,
): { readonly ok: true; readonly value: Options } | { readonly ok: false; readonly refusal: DeploymentRefusal } {
  const value: Options = { ...before, ...given, limits: { ...before.limits, ...given.limits } };
  const { maxRuntimeS, jobRetentionS, queueDepth } = value.limits;
  const fault =
    outOf('slots', value.slots, 1, MAX_SLOTS, true) ??
    outOf('start-delay', value.startDelayS, 0, MAX_DELAY_S, false) ??
    outOf('max-runtime', maxRuntimeS, 0.001, MAX_NUMBER, false) ??
    outOf('job-retention', jobRetentionS, 0.001, MAX_NUMBER, false) ??
    outOf('queue-depth', queueDepth, 0, MAX_NUMBER, true);
  return fault === null ? { ok: true, value } : { ok: false, refusal: { kind: 'option', message: fault } };
}

/** What is wrong with a pinned environment, as a sentence; null: nothing. */
export function environmentFault(spec: EnvironmentSpec): string | null {
  const { engine, image, engineVersion, packages, catalogue, catalogueHash } = spec;
  const fault = engine === 'builtin' ? null : httpUrlFault(engine);
  // The URL is not repeated: it may hold a password.
  if (fault !== null)
    return `The engine must be builtin or the URL of an engine: the given one ${fault}.${meant(engine)}`;
  const texts = [engine, image ?? '', engineVersion ?? '', ...packages.flatMap(({ id, version }) => [id, version])];
  if (texts.some((text) => text.length > MAX_TEXT))
    return `A text of an environment has at most ${MAX_TEXT} characters.`;
  if (packages.length > MAX_PACKAGES) return `An environment has at most ${MAX_PACKAGES} packages.`;
  return catalogue instanceof Uint8Array ? catalogueFault(catalogue, catalogueHash) : null;
}

function meant(engine: string): string {
  return new NearestName(['builtin']).of(engine) === null ? '' : ' Did you mean builtin?';
}

/** No stored document has the hash that the environment names. */
export function unknownCatalogue({ catalogue }: EnvironmentSpec): string {
  return `No catalogue with the hash ${String(catalogue)} is stored here: give the /object_info document itself as catalogue.`;
}

function catalogueFault(catalogue: Uint8Array, wanted = hashOf(catalogue)): string | null {
  try {
    compileCatalogue(catalogue);
    const hash = hashOf(catalogue);
    if (hash === wanted) return null;
    return `The catalogue_hash is ${wanted}, but the catalogue beside it has ${hash}: leave out the one that is not meant.`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return 'The catalogue of the environment must be an /object_info document, with a node class that has inputs or outputs.';
  }
}

function outOf(name: string, value: number | null, min: number, max: number, isWhole: boolean): string | null {
  if (value === null || (value >= min && value <= max && (!isWhole || Number.isInteger(value)))) return null;
  return `The option ${name} must be ${isWhole ? 'a whole number' : 'a number'} from ${min} to ${max}, not ${value}.`;
}
