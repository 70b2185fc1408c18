import { DEPLOYMENT_VERBS } from '@heddle/contracts-messages';
import type { DeploymentVerb } from '@heddle/contracts-messages';
import { DeploymentVerb as VerbMessage } from '../generated/heddle/deployments/v1/deployments.js';

const VERBS: Readonly<Record<DeploymentVerb, VerbMessage>> = {
  pause: VerbMessage.DEPLOYMENT_VERB_PAUSE,
  resume: VerbMessage.DEPLOYMENT_VERB_RESUME,
  drain: VerbMessage.DEPLOYMENT_VERB_DRAIN,
  start: VerbMessage.DEPLOYMENT_VERB_START,
  delete: VerbMessage.DEPLOYMENT_VERB_DELETE,
};

export function verbMessage(verb: DeploymentVerb): VerbMessage {
  return VERBS[verb];
}

/** Undefined: a verb that this version does not know. */
export function verbOf(message: VerbMessage): DeploymentVerb | undefined {
  return DEPLOYMENT_VERBS.find((verb) => VERBS[verb] === message);
}
