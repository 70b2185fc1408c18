import type {
  AccountCredits,
  AccountId,
  Answer,
  CreditChange,
  CreditCheck,
  CreditsPort,
  DeploymentId,
  DeploymentPrice,
  LedgerEntry,
  LedgerPart,
} from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf, EmptyAnswerError } from '../encode-values/call-answers.js';
import { CreditsServiceService } from '../generated/heddle/jobs/v1/credits.js';
import { entryOf } from './credits-wire.js';

/** The credits of the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteCredits implements CreditsPort {
  constructor(private readonly channel: ServiceChannel) {}

  async show(accountId: AccountId): Promise<AccountCredits> {
    const { credits } = await this.channel.call(CreditsServiceService.show, { accountId });
    if (credits === undefined) throw new EmptyAnswerError();
    return credits;
  }

  async balancesOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
    const { balances } = await this.channel.call(CreditsServiceService.balances, { accountIds: [...accountIds] });
    return new Map(balances.map(({ accountId, balance }) => [accountId as AccountId, balance]));
  }

  async grant(accountId: AccountId, { amount, note }: CreditChange): Promise<Answer<AccountCredits>> {
    const change = { accountId, amount, note: note ?? undefined };
    return answerOf(await this.channel.call(CreditsServiceService.grant, change), (credits) => credits);
  }

  async withdraw(accountId: AccountId, { amount, note }: CreditChange): Promise<Answer<AccountCredits>> {
    const change = { accountId, amount, note: note ?? undefined };
    return answerOf(await this.channel.call(CreditsServiceService.withdraw, change), (credits) => credits);
  }

  async ledger(accountId: AccountId, { after, limit }: LedgerPart): Promise<readonly LedgerEntry[]> {
    const part = { accountId, after: after ?? undefined, limit };
    return (await this.channel.call(CreditsServiceService.ledger, part)).entries.map(entryOf);
  }

  async pricesOf(deploymentIds: readonly DeploymentId[]): Promise<ReadonlyMap<DeploymentId, DeploymentPrice>> {
    const { prices } = await this.channel.call(CreditsServiceService.prices, { deploymentIds: [...deploymentIds] });
    return new Map(prices.map(({ deploymentId, ...price }) => [deploymentId as DeploymentId, price]));
  }

  async setPrice(deploymentId: DeploymentId, change: Partial<DeploymentPrice>): Promise<Answer<DeploymentPrice>> {
    const { perJob, perSecond } = change;
    const answer = await this.channel.call(CreditsServiceService.setPrice, { deploymentId, perJob, perSecond });
    return answerOf(answer, ({ deploymentId: _, ...price }) => price);
  }

  async check(from: string | null): Promise<CreditCheck> {
    const { next, ...part } = await this.channel.call(CreditsServiceService.check, { from: from ?? undefined });
    return { ...part, next: next ?? null };
  }
}
