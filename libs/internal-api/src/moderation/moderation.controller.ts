import { MODERATION_PORT } from '@heddle/contracts-messages';
import type { ModerationPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { resultOf } from '../encode-values/call-answers.js';
import { ModerationServiceService } from '../generated/heddle/assets/v1/moderation.js';
import type {
  DecideRequest,
  DecideResponse,
  VerdictRequest,
  VerdictResponse,
} from '../generated/heddle/assets/v1/moderation.js';
import { GATEWAYS } from '../internal-calls.js';
import { decisionOf, verdictMessage } from './moderation-wire.js';

/** Serves ModerationPort over gRPC. */
@GrpcController(ModerationServiceService)
class ModerationController implements Serving<typeof ModerationServiceService> {
  constructor(@Inject(MODERATION_PORT) private readonly moderation: ModerationPort) {}

  async decide({ hash, decision }: DecideRequest): Promise<DecideResponse> {
    const known = decisionOf(decision);
    if (known === undefined) throw new MalformedCallError('the call names no decision that this version knows');
    return resultOf('verdict', await this.moderation.decide(hash, known), verdictMessage);
  }

  async verdict({ hash }: VerdictRequest): Promise<VerdictResponse> {
    return resultOf('verdict', await this.moderation.verdict(hash), verdictMessage);
  }
}

export const MODERATION_CALLS = {
  definition: ModerationServiceService,
  rules: { decide: { openTo: GATEWAYS }, verdict: { openTo: GATEWAYS } },
  controller: ModerationController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of operators, through gateways, to the assets service. */
export function servedModeration(moderation: ModerationPort): readonly ServedContext[] {
  return [{ ...MODERATION_CALLS, providers: [{ provide: MODERATION_PORT, useValue: moderation }] }];
}
