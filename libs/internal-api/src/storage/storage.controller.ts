import { MAX_ASKED_USAGE, STORAGE_PORT } from '@heddle/contracts-messages';
import type { AccountId, StoragePort } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { idOf, idsOf } from '../encode-values/call-values.js';
import { StorageServiceService } from '../generated/heddle/assets/v1/storage.js';
import type {
  LimitAccountRequest,
  LimitAccountResponse,
  StoredBytesRequest,
  StoredBytesResponse,
} from '../generated/heddle/assets/v1/storage.js';
import { GATEWAYS } from '../internal-calls.js';

/** Serves StoragePort over gRPC. */
@GrpcController(StorageServiceService)
class StorageController implements Serving<typeof StorageServiceService> {
  constructor(@Inject(STORAGE_PORT) private readonly storage: StoragePort) {}

  async limitAccount({ accountId, bytes, version }: LimitAccountRequest): Promise<LimitAccountResponse> {
    await this.storage.limitAccount(idOf<AccountId>(accountId, 'account'), bytes ?? null, version);
    return {};
  }

  async storedBytes({ accountIds }: StoredBytesRequest): Promise<StoredBytesResponse> {
    const stored = await this.storage.storedBy(idsOf<AccountId>(accountIds, 'account_ids', MAX_ASKED_USAGE));
    return { accounts: [...stored].map(([accountId, bytes]) => ({ accountId, bytes })) };
  }
}

export const STORAGE_CALLS = {
  definition: StorageServiceService,
  rules: { limitAccount: { openTo: GATEWAYS }, storedBytes: { openTo: GATEWAYS } },
  controller: StorageController,
} satisfies Omit<ServedContext, 'providers'>;

/** What gateways pass on from operators to the assets service. */
export function servedStorage(storage: StoragePort): ServedContext {
  return { ...STORAGE_CALLS, providers: [{ provide: STORAGE_PORT, useValue: storage }] };
}
