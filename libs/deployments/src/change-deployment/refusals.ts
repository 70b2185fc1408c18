import type { DeploymentName, DeploymentRefusal } from '@heddle/contracts-messages';
import type { DeploymentState } from '@heddle/deployments-domain';
import type { CommitAnswer } from '../commit-events/deployment-log.js';

/** Why nothing changed, in words of the operator. */
export function refusalOf(
  { rejection, status }: Extract<CommitAnswer, { ok: false }>,
  { label, stage }: DeploymentName,
): DeploymentRefusal {
  const name = stage === 'production' ? label : `${label} (${stage})`;
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
        message: `The deployment ${name} is ${status}: this cannot be done now. ${nextStep(status)}`,
      };
  }
}

function nextStep(status: DeploymentState['status']): string {
  if (status === 'draining') return 'Wait until it is stopped, or start it to keep it in service.';
  return status === 'stopped' ? 'Start it first.' : 'Drain it first, and wait until it is stopped.';
}

export function unknown({ label, stage }: DeploymentName): DeploymentRefusal {
  return { kind: 'unknown', message: `There is no deployment ${label} with the stage ${stage}.` };
}
