import type { PostedClasses } from '@heddle/contracts-messages';
import { IsBoolean, IsObject, IsOptional, IsString, ValidateIf } from 'class-validator';
import type { Fields } from '../read-request/admin-body.js';

/** Body of an external extractor; the rules of its classes belong to the registry. */
export class ClassesBody {
  @IsBoolean({ message: 'must be true or false' })
  success: unknown;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  reason: unknown;

  @ValidateIf(({ success }: ClassesBody, value: unknown) => success === true || (value !== undefined && value !== null))
  @IsObject({ message: 'must be an object' })
  nodes: unknown;

  constructor(fields: Fields) {
    this.success = fields['success'];
    this.reason = fields['reason'];
    this.nodes = fields['nodes'];
  }

  toClasses(): PostedClasses {
    return {
      success: this.success as boolean,
      reason: (this.reason ?? '') as string,
      nodes: (this.nodes ?? {}) as PostedClasses['nodes'],
    };
  }
}
