import { CREDITS_PORT, MAX_ASKED_CREDITS, MAX_LEDGER_PART } from '@heddle/contracts-messages';
import type { AccountId, CreditsPort, DeploymentId, LedgerPart } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { resultOf } from '../encode-values/call-answers.js';
import { idOf, idsOf } from '../encode-values/call-values.js';
import { CreditsServiceService } from '../generated/heddle/jobs/v1/credits.js';
import type {
  BalancesRequest,
  BalancesResponse,
  CheckRequest,
  CheckResponse,
  GrantRequest,
  GrantResponse,
  LedgerRequest,
  LedgerResponse,
  PricesRequest,
  PricesResponse,
  SetPriceRequest,
  SetPriceResponse,
  ShowRequest,
  ShowResponse,
  WithdrawRequest,
  WithdrawResponse,
} from '../generated/heddle/jobs/v1/credits.js';
import { GATEWAYS } from '../internal-calls.js';
import { entryMessage } from './credits-wire.js';

/** Serves CreditsPort over gRPC. */
@GrpcController(CreditsServiceService)
class CreditsController implements Serving<typeof CreditsServiceService> {
  constructor(@Inject(CREDITS_PORT) private readonly credits: CreditsPort) {}

  async show({ accountId }: ShowRequest): Promise<ShowResponse> {
    return { credits: await this.credits.show(idOf<AccountId>(accountId, 'account')) };
  }

  async balances({ accountIds }: BalancesRequest): Promise<BalancesResponse> {
    const balances = await this.credits.balancesOf(idsOf<AccountId>(accountIds, 'account_ids', MAX_ASKED_CREDITS));
    return { balances: [...balances].map(([accountId, balance]) => ({ accountId, balance })) };
  }

  async grant({ accountId, amount, note }: GrantRequest): Promise<GrantResponse> {
    const change = { amount, note: note ?? null };
    return resultOf('credits', await this.credits.grant(idOf<AccountId>(accountId, 'account'), change), itself);
  }

  async withdraw({ accountId, amount, note }: WithdrawRequest): Promise<WithdrawResponse> {
    const change = { amount, note: note ?? null };
    return resultOf('credits', await this.credits.withdraw(idOf<AccountId>(accountId, 'account'), change), itself);
  }

  async ledger(request: LedgerRequest): Promise<LedgerResponse> {
    const accountId = idOf<AccountId>(request.accountId, 'account');
    return { entries: (await this.credits.ledger(accountId, partOf(request))).map(entryMessage) };
  }

  async prices({ deploymentIds }: PricesRequest): Promise<PricesResponse> {
    const ids = idsOf<DeploymentId>(deploymentIds, 'deployment_ids', MAX_ASKED_CREDITS);
    return {
      prices: [...(await this.credits.pricesOf(ids))].map(([deploymentId, price]) => ({ deploymentId, ...price })),
    };
  }

  async setPrice({ deploymentId, perJob, perSecond }: SetPriceRequest): Promise<SetPriceResponse> {
    const change = { ...(perJob === undefined ? {} : { perJob }), ...(perSecond === undefined ? {} : { perSecond }) };
    const answer = await this.credits.setPrice(idOf<DeploymentId>(deploymentId, 'deployment'), change);
    return resultOf('price', answer, (price) => ({ deploymentId, ...price }));
  }

  async check({ from }: CheckRequest): Promise<CheckResponse> {
    const { problems, next, ...counts } = await this.credits.check(from ?? null);
    return { ...counts, problems: [...problems], next: next ?? undefined };
  }
}

function partOf({ after, limit }: Pick<LedgerRequest, 'after' | 'limit'>): LedgerPart {
  if (limit >= 1 && limit <= MAX_LEDGER_PART) return { after: after ?? null, limit };
  throw new MalformedCallError(`limit must be a whole number from 1 to ${MAX_LEDGER_PART}`);
}

function itself<T>(value: T): T {
  return value;
}

export const CREDITS_CALLS = {
  definition: CreditsServiceService,
  rules: {
    show: { openTo: GATEWAYS },
    balances: { openTo: GATEWAYS },
    grant: { openTo: GATEWAYS },
    withdraw: { openTo: GATEWAYS },
    ledger: { openTo: GATEWAYS },
    prices: { openTo: GATEWAYS },
    setPrice: { openTo: GATEWAYS },
    check: { openTo: GATEWAYS },
  },
  controller: CreditsController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of the admin API, which gateways serve, to the jobs service. */
export function servedCredits(credits: CreditsPort): ServedContext {
  return { ...CREDITS_CALLS, providers: [{ provide: CREDITS_PORT, useValue: credits }] };
}
