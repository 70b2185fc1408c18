import type {
  AccountId,
  DeploymentAnswer,
  DeploymentId,
  DeploymentName,
  DeploymentProvider,
  DeploymentRefusal,
  DeploymentStage,
  DeploymentStatus,
  DeploymentView,
  DirectoryEntry,
} from '@heddle/contracts-messages';
import { EmptyAnswerError } from '../encode-values/call-answers.js';
import { DeploymentStage as StageMessage } from '../generated/heddle/deployments/v1/deployments.js';
import type {
  Deployment,
  DeploymentName as NameMessage,
  DirectoryEntry as EntryMessage,
  Refusal,
} from '../generated/heddle/deployments/v1/deployments.js';
import { catalogueMessage, catalogueOf } from '../validation/catalogue-wire.js';
import { pinnedMessage, pinnedOf } from './environment-wire.js';
import { limitsMessage, limitsOf } from './options-wire.js';

type Result = { $case: 'deployment'; value: Deployment } | { $case: 'refusal'; value: Refusal };

const STAGES: Readonly<Record<DeploymentStage, StageMessage>> = {
  production: StageMessage.DEPLOYMENT_STAGE_PRODUCTION,
  staging: StageMessage.DEPLOYMENT_STAGE_STAGING,
};

export function nameMessage({ label, stage }: DeploymentName): NameMessage {
  return { label, stage: STAGES[stage] };
}

/** Undefined: no name, or a stage that this version does not know. */
export function knownName(message: NameMessage | undefined): DeploymentName | undefined {
  const stage = (Object.keys(STAGES) as DeploymentStage[]).find((known) => STAGES[known] === message?.stage);
  return message === undefined || stage === undefined ? undefined : { label: message.label, stage };
}

export function answerMessage(answer: DeploymentAnswer): { result: Result } {
  if (answer.ok) return { result: { $case: 'deployment', value: viewMessage(answer.value) } };
  return { result: { $case: 'refusal', value: answer.refusal } };
}

export function deploymentAnswerOf({ result }: { readonly result?: Result | undefined }): DeploymentAnswer {
  if (result === undefined) throw new EmptyAnswerError();
  if (result.$case === 'deployment') return { ok: true, value: viewOf(result.value) };
  return { ok: false, refusal: result.value as DeploymentRefusal };
}

export function viewMessage(view: DeploymentView): Deployment {
  const { label, stage, host, accountId, nextRevision, coldStartS, limits, environment, ...same } = view;
  return {
    ...same,
    name: nameMessage({ label, stage }),
    host: host ?? undefined,
    accountId: accountId ?? undefined,
    nextRevision: nextRevision ?? undefined,
    coldStartS: coldStartS ?? undefined,
    limits: limitsMessage(limits),
    environment: pinnedMessage(environment),
  };
}

export function viewOf(message: Deployment): DeploymentView {
  const { name, host, accountId, nextRevision, coldStartS, limits, environment, ...same } = message;
  return {
    ...same,
    ...nameIn(name),
    deploymentId: message.deploymentId as DeploymentId,
    host: host ?? null,
    accountId: (accountId ?? null) as AccountId | null,
    status: message.status as DeploymentStatus,
    provider: message.provider as DeploymentProvider,
    nextRevision: nextRevision ?? null,
    coldStartS: coldStartS ?? null,
    limits: limitsOf(limits),
    environment: pinnedOf(environment),
  };
}

export function entryMessage(entry: DirectoryEntry): EntryMessage {
  const { label, stage, accountId, coldStartS, limits, catalogue, ...same } = entry;
  return {
    ...same,
    name: nameMessage({ label, stage }),
    accountId: accountId ?? undefined,
    coldStartS: coldStartS ?? undefined,
    limits: limitsMessage(limits),
    catalogue: catalogueMessage(catalogue),
  };
}

export function entryOf(message: EntryMessage): DirectoryEntry {
  const { name, accountId, coldStartS, limits, catalogue, ...same } = message;
  // A service that names no catalogue validates nothing against the wrong one.
  const pinned = catalogueOf(catalogue);
  if (pinned === null) throw new EmptyAnswerError();
  return {
    ...same,
    ...nameIn(name),
    deploymentId: message.deploymentId as DeploymentId,
    accountId: (accountId ?? null) as AccountId | null,
    status: message.status as DeploymentStatus,
    coldStartS: coldStartS ?? null,
    limits: limitsOf(limits),
    catalogue: pinned,
  };
}

/** The name in an answer. */
function nameIn(message: NameMessage | undefined): DeploymentName {
  const name = knownName(message);
  if (name === undefined) throw new EmptyAnswerError();
  return name;
}
