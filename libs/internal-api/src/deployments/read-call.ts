import type { DeploymentName, DeploymentProvider, DeploymentVerb, EnvironmentSpec } from '@heddle/contracts-messages';
import { MalformedCallError } from '@heddle/platform-service-calls/serve';
import type {
  DeploymentName as NameMessage,
  DeploymentVerb as VerbMessage,
  EnvironmentSpec as SpecMessage,
} from '../generated/heddle/deployments/v1/deployments.js';
import { knownName, knownProvider } from './deployments-wire.js';
import { specOf } from './environment-wire.js';
import { verbOf } from './verb-wire.js';

/** What a call about deployments must name; a call of a later version may name what this one does not know. */
export function nameIn(message: NameMessage | undefined): DeploymentName {
  const name = knownName(message);
  if (name === undefined) throw new MalformedCallError('the call names no deployment: a label and a stage');
  return name;
}

export function environmentIn(message: SpecMessage | undefined): EnvironmentSpec {
  if (message === undefined) throw new MalformedCallError('the call names no environment');
  return specOf(message);
}

export function verbIn(message: VerbMessage): DeploymentVerb {
  const verb = verbOf(message);
  if (verb === undefined) throw new MalformedCallError('the call names no change that this version knows');
  return verb;
}

export function providerIn(name: string | undefined): DeploymentProvider | null {
  if (name === undefined) return null;
  const provider = knownProvider(name);
  if (provider !== undefined) return provider;
  throw new MalformedCallError(`${name} is not a provider that this version knows`);
}
