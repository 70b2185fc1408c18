import { IsNumber } from 'class-validator';

/** Body of a rotation: how many seconds the old key is still good for. */
export class RotationBody {
  @IsNumber({}, { message: 'must be a number of seconds' })
  overlap: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.overlap = fields['overlap'];
  }

  toSeconds(): number {
    return this.overlap as number;
  }
}
