import { Module, type DynamicModule } from '@nestjs/common';
import { CatalogueHolder } from './hold-catalogue/catalogue-holder.js';
import { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';
import { ValidationLimits } from './settings.js';
import { LocalValidation } from './local-validation.js';
import { VALIDATION_PORT } from '@heddle/contracts-messages';

/** Validates submissions against the engine's catalogue. */
@Module({})
export class ValidationModule {
  static register(limits: ValidationLimits = new ValidationLimits()): DynamicModule {
    return {
      module: ValidationModule,
      providers: [
        { provide: ValidationLimits, useValue: limits },
        CatalogueHolder,
        ValidateSubmissionHandler,
        LocalValidation,
        { provide: VALIDATION_PORT, useExisting: LocalValidation },
      ],
      exports: [CatalogueHolder, ValidateSubmissionHandler, VALIDATION_PORT],
    };
  }
}
