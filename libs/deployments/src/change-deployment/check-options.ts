import type { OptionRange } from '@heddle/contracts-api-v2';
import { MAX_ENVIRONMENT_PACKAGES, refuseChange } from '@heddle/contracts-messages';
import type { GivenOptions, DeploymentRefusal, EnvironmentSpec } from '@heddle/contracts-messages';
import type { Options } from '@heddle/deployments-domain';
import { httpUrlFault } from '@heddle/platform-settings';
import { compileCatalogue } from '@heddle/workflow-graph';
import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { hashOf } from '../commit-events/stored-catalogues.js';

const MAX_SLOTS = 1_000;
const MAX_DELAY_S = 86_400;
const MAX_NUMBER = 1_000_000_000;
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
  const refusal =
    outOf('slots', value.slots, { min: 1, max: MAX_SLOTS, isWhole: true }) ??
    outOf('start-delay', value.startDelayS, { min: 0, max: MAX_DELAY_S, isWhole: false }) ??
    outOf('max-runtime', maxRuntimeS, { min: 0.001, max: MAX_NUMBER, isWhole: false }) ??
    outOf('job-retention', jobRetentionS, { min: 0.001, max: MAX_NUMBER, isWhole: false }) ??
    outOf('queue-depth', queueDepth, { min: 0, max: MAX_NUMBER, isWhole: true });
  return refusal === null ? { ok: true, value } : { ok: false, refusal };
}

/** What is wrong with a pinned environment; null: nothing. */
export function environmentRefusal(spec: EnvironmentSpec): DeploymentRefusal | null {
  const { engine, image, engineVersion, packages, catalogue, catalogueHash } = spec;
  const fault = engine === 'builtin' ? null : httpUrlFault(engine);
  if (fault !== null) {
    const meantBuiltin = new NearestName(['builtin']).of(engine) !== null;
    return refuseChange('option', { case: 'engine', fault, meantBuiltin });
  }
  const texts = [engine, image ?? '', engineVersion ?? '', ...packages.flatMap(({ id, version }) => [id, version])];
  if (texts.some((text) => text.length > MAX_TEXT))
    return refuseChange('option', { case: 'environment_text', limit: MAX_TEXT });
  if (packages.length > MAX_ENVIRONMENT_PACKAGES)
    return refuseChange('option', { case: 'environment_packages', limit: MAX_ENVIRONMENT_PACKAGES });
  return catalogue instanceof Uint8Array ? catalogueRefusal(catalogue, catalogueHash) : null;
}

/** No stored document has the hash that the environment names. */
export function unknownCatalogue({ catalogue }: EnvironmentSpec): DeploymentRefusal {
  return refuseChange('option', { case: 'catalogue_unknown', hash: String(catalogue) });
}

function catalogueRefusal(catalogue: Uint8Array, wanted = hashOf(catalogue)): DeploymentRefusal | null {
  try {
    compileCatalogue(catalogue);
    const hash = hashOf(catalogue);
    return hash === wanted ? null : refuseChange('option', { case: 'catalogue_hash', hash, wanted });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuseChange('option', { case: 'catalogue' });
  }
}

function outOf(option: string, value: number | null, range: OptionRange): DeploymentRefusal | null {
  const { min, max, isWhole } = range;
  if (value === null || (value >= min && value <= max && (!isWhole || Number.isInteger(value)))) return null;
  return refuseChange('option', { case: 'option', option, value, ...range });
}
