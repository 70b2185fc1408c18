import type { DeploymentPrice } from '@heddle/contracts-messages';
import { IsNumber, IsOptional } from 'class-validator';

const number = { message: 'must be a number' };

/** The parts of a price that change; their rules belong to the jobs service. */
export class PriceBody {
  @IsOptional()
  @IsNumber({}, number)
  per_job: unknown;

  @IsOptional()
  @IsNumber({}, number)
  per_second: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.per_job = fields['per_job'];
    this.per_second = fields['per_second'];
  }

  toChange(): Partial<DeploymentPrice> {
    return {
      ...(typeof this.per_job === 'number' ? { perJob: this.per_job } : {}),
      ...(typeof this.per_second === 'number' ? { perSecond: this.per_second } : {}),
    };
  }
}
