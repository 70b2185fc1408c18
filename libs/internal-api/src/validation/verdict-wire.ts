import type { AssetId, CheckedSubmission, Rejection, SubmissionVerdict, UnknownFile } from '@heddle/contracts-messages';
import { credentialsMessage, credentialsOf } from '../encode-values/credentials.js';
import { labelMessages, labelsOf } from '../encode-values/labels.js';
import { rejectionMessage, rejectionOf } from '../encode-values/rejections.js';
import type {
  CheckedSubmission as CheckedMessage,
  UnknownFile as UnknownFileMessage,
  Verdict as VerdictMessage,
} from '../generated/heddle/validation/v1/validation.js';

/**
 * The message has no field for `no_catalogue`: it is sent as a malformed body, which a replica of an earlier build understands.
 * No malformed body has this code.
 */
const NO_CATALOGUE: Rejection['code'] = 'upstream_error';

export function verdictMessage(verdict: SubmissionVerdict): VerdictMessage {
  return verdict.kind === 'checked'
    ? { result: { $case: 'checked', value: checkedMessage(verdict) } }
    : { result: { $case: 'malformed', value: rejectionMessage(verdict.rejection) } };
}

export function verdictOf({ result }: VerdictMessage): SubmissionVerdict {
  switch (result?.$case) {
    case 'malformed':
      return refusalOf(rejectionOf(result.value));
    case 'checked':
      return checkedOf(result.value);
    default:
      throw new Error('the validation service answered with a verdict that this version does not know');
  }
}

function refusalOf(rejection: Rejection): SubmissionVerdict {
  return { kind: rejection.code === NO_CATALOGUE ? 'no_catalogue' : 'malformed', rejection };
}

function checkedMessage({ workflow, ...verdict }: CheckedSubmission): CheckedMessage {
  return {
    rejection: verdict.rejection === null ? undefined : rejectionMessage(verdict.rejection),
    workflowStart: workflow.start,
    workflowEnd: workflow.end,
    nodesTotal: verdict.nodesTotal,
    metadata: labelMessages(verdict.metadata),
    credentials: credentialsMessage(verdict.credentials),
    assetIds: [...verdict.assetIds],
    namesJson: verdict.names.map((name) => JSON.stringify(name)),
    unknownFiles: verdict.unknownFiles.map(unknownFileMessage),
  };
}

function checkedOf(message: CheckedMessage): CheckedSubmission {
  return {
    kind: 'checked',
    rejection: message.rejection === undefined ? null : rejectionOf(message.rejection),
    workflow: { start: message.workflowStart, end: message.workflowEnd },
    nodesTotal: message.nodesTotal,
    metadata: labelsOf(message.metadata),
    credentials: credentialsOf(message.credentials),
    assetIds: message.assetIds as AssetId[],
    names: message.namesJson.map(textIn),
    unknownFiles: message.unknownFiles.map(unknownFileOf),
  };
}

function unknownFileMessage({ name, nodeId, field, reason, isCause, sentence, hint }: UnknownFile): UnknownFileMessage {
  const [nameJson, nodeIdJson, fieldJson] = [JSON.stringify(name), JSON.stringify(nodeId), JSON.stringify(field)];
  return { nameJson, nodeIdJson, fieldJson, reason, isCause, sentence: sentence ?? undefined, hint: hint ?? undefined };
}

function unknownFileOf({ reason, isCause, sentence, hint, ...texts }: UnknownFileMessage): UnknownFile {
  return {
    name: textIn(texts.nameJson),
    nodeId: textIn(texts.nodeIdJson),
    field: textIn(texts.fieldJson),
    reason,
    isCause,
    sentence: sentence ?? null,
    hint: hint ?? null,
  };
}

function textIn(json: string): string {
  return JSON.parse(json) as string;
}
