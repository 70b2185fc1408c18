import type { HashVerdict, ModerationDecision, VerdictSource } from '@heddle/contracts-messages';
import { ModerationDecision as DecisionMessage } from '../generated/heddle/assets/v1/moderation.js';
import type { HashVerdict as VerdictMessage } from '../generated/heddle/assets/v1/moderation.js';

const DECISIONS: Readonly<Record<ModerationDecision, DecisionMessage>> = {
  block: DecisionMessage.MODERATION_DECISION_BLOCK,
  unblock: DecisionMessage.MODERATION_DECISION_UNBLOCK,
  hold: DecisionMessage.MODERATION_DECISION_HOLD,
  release: DecisionMessage.MODERATION_DECISION_RELEASE,
};

export function decisionMessage(decision: ModerationDecision): DecisionMessage {
  return DECISIONS[decision];
}

/** Undefined: a decision that this version does not know. */
export function decisionOf(message: DecisionMessage): ModerationDecision | undefined {
  return (Object.keys(DECISIONS) as ModerationDecision[]).find((decision) => DECISIONS[decision] === message);
}

export function verdictMessage({ source, decidedAt, ...verdict }: HashVerdict): VerdictMessage {
  return { ...verdict, source: source ?? undefined, decidedAt: decidedAt ?? undefined };
}

export function verdictOf({ source, decidedAt, ...verdict }: VerdictMessage): HashVerdict {
  return { ...verdict, source: (source as VerdictSource | undefined) ?? null, decidedAt: decidedAt ?? null };
}
