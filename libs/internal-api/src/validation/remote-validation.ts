import type { NodePackage, PinnedCatalogue, SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import { BatchedCalls } from '@heddle/platform-service-calls/call';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { failureIn } from '../encode-values/call-failures.js';
import { ValidationServiceService } from '../generated/heddle/validation/v1/validation.js';
import type {
  SubmittedBody,
  ValidateRequest,
  ValidateResponse,
  Verdict,
} from '../generated/heddle/validation/v1/validation.js';
import { catalogueMessage, packageMessage, packageOf } from './catalogue-wire.js';
import { verdictOf } from './verdict-wire.js';

/** Calls the validation service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteValidation implements ValidationPort {
  readonly #validate: BatchedCalls<SubmittedBody, Verdict, ValidateRequest, ValidateResponse>;

  constructor(private readonly channel: ServiceChannel) {
    this.#validate = new BatchedCalls(channel, {
      method: ValidationServiceService.validate,
      bytesOf: ({ body }) => body.length,
      requestOf: (submissions) => ({ submissions }),
      answersIn: ({ verdicts }) => verdicts,
      failureIn,
    });
  }

  async validate(
    { buffer, byteOffset, length }: Uint8Array,
    pinned: PinnedCatalogue | null,
  ): Promise<SubmissionVerdict> {
    const body = Buffer.from(buffer, byteOffset, length);
    const catalogue = catalogueMessage(pinned);
    return verdictOf(await this.#validate.call((origin) => ({ body, origin, catalogue })));
  }

  async missingPackages(packages: readonly NodePackage[]): Promise<readonly NodePackage[] | null> {
    const request = { packages: packages.map(packageMessage) };
    const { isKnown, missing } = await this.channel.call(ValidationServiceService.missingPackages, request);
    return isKnown ? missing.map(packageOf) : null;
  }
}
