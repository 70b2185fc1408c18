import { CREDITS_PORT, TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type {
  AccountCredits,
  Answer,
  CreditsPort,
  DeploymentPrice,
  LedgerEntry,
  Principal,
  TaskCreditsPort,
} from '@heddle/contracts-messages';
import type { OpenJobs } from './open-jobs.fixture.js';
import { valueOf } from './open-jobs.fixture.js';

export function creditsOf(one: OpenJobs): CreditsPort {
  return one.get<CreditsPort>(CREDITS_PORT);
}

export function taskCreditsOf(one: OpenJobs): TaskCreditsPort {
  return one.get<TaskCreditsPort>(TASK_CREDITS_PORT);
}

/** The outcome of a call about the credits of a task, or the code of its refusal. */
export function outcomeOf(answer: Answer<{ readonly kind: string }>): string {
  return answer.ok ? answer.value.kind : answer.rejection.code;
}

/** Sets the price of the principal's deployment, and grants its account so much. */
export async function priced(
  one: OpenJobs,
  { accountId, deploymentId }: Principal,
  price: Partial<DeploymentPrice>,
  granted = 0,
): Promise<void> {
  valueOf(await creditsOf(one).setPrice(deploymentId, price));
  if (granted > 0) valueOf(await creditsOf(one).grant(accountId, { amount: granted, note: null }));
}

export async function entriesOf(one: OpenJobs, { accountId }: Principal): Promise<readonly LedgerEntry[]> {
  return await creditsOf(one).ledger(accountId, { after: null, limit: 1_000 });
}

/** Throws if the sums of an account do not hold. */
export async function sumsOf(one: OpenJobs, { accountId }: Principal): Promise<AccountCredits> {
  const sums = await creditsOf(one).show(accountId);
  const { balance, reserved, charged, withdrawn, granted } = sums;
  if (balance + reserved + charged + withdrawn !== granted)
    throw new Error(`the sums do not hold: ${JSON.stringify(sums)}`);
  return sums;
}
