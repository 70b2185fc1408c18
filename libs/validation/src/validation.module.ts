import { Module, type DynamicModule } from '@nestjs/common';
import { CatalogueHolder } from './hold-catalogue/catalogue-holder.js';
import { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';
import { ValidationLimits } from './validation-limits.js';

/** Judges submissions against the engine's catalogue. */
@Module({})
export class ValidationModule {
  static register(limits: ValidationLimits = new ValidationLimits()): DynamicModule {
    return {
      module: ValidationModule,
      providers: [{ provide: ValidationLimits, useValue: limits }, CatalogueHolder, ValidateSubmissionHandler],
      exports: [CatalogueHolder, ValidateSubmissionHandler],
    };
  }
}
