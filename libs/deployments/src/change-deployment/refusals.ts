import { nameText, refuseChange } from '@heddle/contracts-messages';
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
      return refuseChange('exists', { case: 'deployment', name });
    case 'has_jobs':
      return refuseChange('state', { case: 'has_jobs', name });
    case 'wrong_status':
      return wrongStatus({ label, stage }, change, status);
  }
}

/** Why it cannot be done now, and the command that does what was wanted. */
function wrongStatus(
  { label, stage }: DeploymentName,
  change: DeploymentChange,
  status: DeploymentState['status'],
): DeploymentRefusal {
  const name = nameText({ label, stage });
  const [drain, start] = [commandOf('drain', { label, stage }), commandOf('start', { label, stage })];
  if (change === 'start')
    return refuseChange('state', { case: 'paused', name, status, command: commandOf('resume', { label, stage }) });
  if (change === 'delete')
    return status === 'draining'
      ? refuseChange('state', { case: 'delete_draining', name })
      : refuseChange('state', { case: 'delete_in_service', name, status, command: drain });
  if (status === 'stopped') return refuseChange('state', { case: 'stopped', name, command: start });
  if (status === 'draining') return refuseChange('state', { case: 'draining', name, command: start });
  return refuseChange('state', { case: 'not_ready', name, status, change });
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
  return refuseChange('unknown', { case: 'deployment', label, stage });
}
