import { DEPLOYMENT_REFUSAL_CODES } from '@heddle/contracts-messages';
import type {
  AccountId,
  DeploymentAnswer,
  DeploymentId,
  DeploymentName,
  DeploymentProvider,
  DeploymentRefusal,
  DeploymentRefusalKind,
  DeploymentStage,
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

const STATUSES = ['provisioning', 'starting', 'ready', 'unavailable', 'draining', 'stopped', 'deleted'] as const;
const PROVIDERS = ['local', 'external'] as const;
const REFUSALS = Object.keys(DEPLOYMENT_REFUSAL_CODES) as DeploymentRefusalKind[];

/** An answer of any of the calls. */
interface AnswerMessage {
  readonly result?: Result | undefined;
  readonly note?: string | undefined;
}

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

/** Undefined: a provider that this version does not know. */
export function knownProvider(name: string): DeploymentProvider | undefined {
  return PROVIDERS.find((known) => known === name);
}

export function answerMessage(answer: DeploymentAnswer): AnswerMessage & { result: Result } {
  if (answer.ok) return { result: { $case: 'deployment', value: viewMessage(answer.value) }, note: answer.note };
  return { result: { $case: 'refusal', value: answer.refusal } };
}

export function deploymentAnswerOf({ result, note }: AnswerMessage): DeploymentAnswer {
  if (result === undefined) throw new EmptyAnswerError();
  if (result.$case === 'deployment')
    return { ok: true, value: viewOf(result.value), ...(note === undefined ? {} : { note }) };
  const { kind, message } = result.value;
  return { ok: false, refusal: { kind: answered(REFUSALS, kind), message: message as DeploymentRefusal['message'] } };
}

export function viewMessage(view: DeploymentView): Deployment {
  const { label, stage, host, accountId, nextRevision, coldStartS, limits, environment, retiringRevisions, ...same } =
    view;
  return {
    ...same,
    name: nameMessage({ label, stage }),
    host: host ?? undefined,
    accountId: accountId ?? undefined,
    nextRevision: nextRevision ?? undefined,
    coldStartS: coldStartS ?? undefined,
    limits: limitsMessage(limits),
    environment: pinnedMessage(environment),
    retiringRevisions: [...retiringRevisions],
  };
}

export function viewOf(message: Deployment): DeploymentView {
  const { name, host, accountId, nextRevision, coldStartS, limits, environment, ...same } = message;
  return {
    ...same,
    ...answeredName(name),
    deploymentId: message.deploymentId as DeploymentId,
    host: host ?? null,
    accountId: (accountId ?? null) as AccountId | null,
    status: answered(STATUSES, message.status),
    provider: answered(PROVIDERS, message.provider),
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
    ...answeredName(name),
    deploymentId: message.deploymentId as DeploymentId,
    accountId: (accountId ?? null) as AccountId | null,
    status: answered(STATUSES, message.status),
    coldStartS: coldStartS ?? null,
    limits: limitsOf(limits),
    catalogue: pinned,
  };
}

function answeredName(message: NameMessage | undefined): DeploymentName {
  const name = knownName(message);
  if (name === undefined) throw new EmptyAnswerError();
  return name;
}

/** A word of an answer. An answer with a word that this version does not know is not valid. */
function answered<Word extends string>(known: readonly Word[], text: string): Word {
  const word = known.find((one) => one === text);
  if (word === undefined) throw new EmptyAnswerError();
  return word;
}
