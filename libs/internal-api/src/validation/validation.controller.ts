import { VALIDATION_PORT } from '@heddle/contracts-messages';
import type { ValidationPort } from '@heddle/contracts-messages';
import { BatchAnswers, GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { failureResult } from '../encode-values/call-failures.js';
import { ValidationServiceService } from '../generated/heddle/validation/v1/validation.js';
import type { ValidateRequest, ValidateResponse } from '../generated/heddle/validation/v1/validation.js';
import { GATEWAYS } from '../internal-calls.js';
import { catalogueOf } from './catalogue-wire.js';
import { verdictMessage } from './verdict-wire.js';

/** Serves ValidationPort over gRPC, without state between calls. */
@GrpcController(ValidationServiceService)
export class ValidationController implements Serving<typeof ValidationServiceService> {
  constructor(
    @Inject(VALIDATION_PORT) private readonly validation: ValidationPort,
    private readonly answers: BatchAnswers,
  ) {}

  async validate({ submissions }: ValidateRequest): Promise<ValidateResponse> {
    const verdicts = await this.answers.of(
      submissions,
      async ({ body, catalogue }) => verdictMessage(await this.validation.validate(body, catalogueOf(catalogue))),
      failureResult,
    );
    return { verdicts };
  }
}

export const VALIDATION_CALLS = {
  definition: ValidationServiceService,
  rules: { validate: { openTo: GATEWAYS, maxBytes: 'body' } },
  controller: ValidationController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of other services to the validation service. */
export function servedValidation(validation: ValidationPort): readonly ServedContext[] {
  return [{ ...VALIDATION_CALLS, providers: [{ provide: VALIDATION_PORT, useValue: validation }] }];
}
