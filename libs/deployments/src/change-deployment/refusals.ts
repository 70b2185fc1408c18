import { nameText } from '@heddle/contracts-messages';
import type { DeploymentName, DeploymentRefusal, DeploymentVerb } from '@heddle/contracts-messages';
import type { DeploymentState } from '@heddle/deployments-domain';
import type { CommitAnswer, StoredDeployment } from '../commit-events/deployment-log.js';

export type DeploymentChange = DeploymentVerb | 'create' | 'set' | 'repin';

/** Why nothing changed, in words of the operator. */
export function refusalOf(
  { rejection, status }: Extract<CommitAnswer, { ok: false }>,
  { label, stage }: DeploymentName,
  change: DeploymentChange,
): DeploymentRefusal {
  const name = nameText({ label, stage });
  switch (rejection) {
    case 'not_found':
      return unknown({ label, stage });
    case 'already_exists':
      return {
        kind: 'exists',
        message: `The name ${name} is taken: it belongs to a deployment for ever, also after its deletion.`,
      };
    case 'has_jobs':
      return {
        kind: 'state',
        message: `The deployment ${name} has jobs that have not ended. Drain it, and wait until it is stopped.`,
      };
    case 'wrong_status':
      return {
        kind: 'state',
        message: `The deployment ${name} is ${status}: ${sentenceOf({ label, stage }, change, status)}`,
      };
  }
}

/** Why it cannot be done now, and the command that does what was wanted. */
function sentenceOf(name: DeploymentName, change: DeploymentChange, status: DeploymentState['status']): string {
  if (change === 'start') return `it is paused, and ${commandOf('resume', name)} ends a pause.`;
  if (change === 'delete')
    return status === 'draining'
      ? 'delete it once it is stopped.'
      : `stop it with ${commandOf('drain', name)}, and delete it then.`;
  if (status === 'stopped') return `${commandOf('start', name)} starts it.`;
  if (status === 'draining') return `wait until it is stopped, or keep it in service with ${commandOf('start', name)}.`;
  return `${change} is possible once it is ready.`;
}

/** What a command changed nothing of, because it was already so. */
export function nothingChanged({ state }: StoredDeployment, change: DeploymentChange): string {
  const { status, facts } = state;
  const name = nameText(facts);
  if (change === 'set') return `The deployment ${name} has these options already. Nothing was changed.`;
  if (change === 'repin') {
    const { revision } = (facts.next ?? facts).environment;
    return `The deployment ${name} has this environment already, as revision ${revision}. Nothing was changed.`;
  }
  if (change === 'pause') return `The deployment ${name} is already paused. Nothing was changed.`;
  const rest = status === 'unavailable' ? `${status} (${facts.reason})` : status;
  return `The deployment ${name} ${change === 'resume' ? 'is not paused: it is' : 'is already'} ${rest}. Nothing was changed.`;
}

function commandOf(verb: DeploymentVerb, { label, stage }: DeploymentName): string {
  return `heddle deployments ${verb} ${label}${stage === 'production' ? '' : ` --stage ${stage}`}`;
}

export function unknown({ label, stage }: DeploymentName): DeploymentRefusal {
  return { kind: 'unknown', message: `There is no ${stage} deployment ${label}.` };
}
