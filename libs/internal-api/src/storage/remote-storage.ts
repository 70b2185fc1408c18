import type { AccountId, StoragePort } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { StorageServiceService } from '../generated/heddle/assets/v1/storage.js';

/** The storage of accounts in the assets service of another process. Throws ServiceAwayError if it does not answer. */
export class RemoteStorage implements StoragePort {
  constructor(private readonly channel: ServiceChannel) {}

  async limitAccount(accountId: AccountId, bytes: number | null, version: number): Promise<void> {
    await this.channel.call(StorageServiceService.limitAccount, { accountId, bytes: bytes ?? undefined, version });
  }

  async storedBy(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
    const { accounts } = await this.channel.call(StorageServiceService.storedBytes, { accountIds: [...accountIds] });
    return new Map(accounts.map(({ accountId, bytes }) => [accountId as AccountId, bytes]));
  }
}
