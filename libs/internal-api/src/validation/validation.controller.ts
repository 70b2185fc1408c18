import { MAX_ENVIRONMENT_PACKAGES, VALIDATION_PORT } from '@heddle/contracts-messages';
import type { ValidationPort } from '@heddle/contracts-messages';
import { BatchAnswers, GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { failureResult } from '../encode-values/call-failures.js';
import { ValidationServiceService } from '../generated/heddle/validation/v1/validation.js';
import type {
  MissingPackagesRequest,
  MissingPackagesResponse,
  ValidateRequest,
  ValidateResponse,
} from '../generated/heddle/validation/v1/validation.js';
import { GATEWAYS } from '../internal-calls.js';
import { catalogueOf, packageMessage, packageOf } from './catalogue-wire.js';
import { verdictMessage } from './verdict-wire.js';

/** Serves ValidationPort over gRPC, without state between calls. */
@GrpcController(ValidationServiceService)
class ValidationController implements Serving<typeof ValidationServiceService> {
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

  async missingPackages({ packages }: MissingPackagesRequest): Promise<MissingPackagesResponse> {
    if (packages.length > MAX_ENVIRONMENT_PACKAGES)
      throw new MalformedCallError(`the call names more than ${MAX_ENVIRONMENT_PACKAGES} packages`);
    const missing = await this.validation.missingPackages(packages.map(packageOf));
    return { isKnown: missing !== null, missing: (missing ?? []).map(packageMessage) };
  }
}

export const VALIDATION_CALLS = {
  definition: ValidationServiceService,
  rules: { validate: { openTo: GATEWAYS, maxBytes: 'body' }, missingPackages: { openTo: GATEWAYS, maxBytes: 'body' } },
  controller: ValidationController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of other services to the validation service. */
export function servedValidation(validation: ValidationPort): readonly ServedContext[] {
  return [{ ...VALIDATION_CALLS, providers: [{ provide: VALIDATION_PORT, useValue: validation }] }];
}
