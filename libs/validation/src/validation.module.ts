import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { CATALOGUES_PORT, NODE_PACKAGES_PORT, VALIDATION_PORT } from '@heddle/contracts-messages';
import type { CataloguesPort, NodePackagesPort } from '@heddle/contracts-messages';
import { CatalogueHolder } from './hold-catalogue/catalogue-holder.js';
import { PinnedCatalogues } from './hold-catalogue/pinned-catalogues.js';
import type { CatalogueSources } from './hold-catalogue/pinned-catalogues.js';
import { MissingPackages } from './check-packages/missing-packages.js';
import { NamePackages } from './validate-submission/name-packages.js';
import { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';
import { ValidationLimits } from './settings.js';
import { LocalValidation } from './local-validation.js';

export interface ValidationModuleOptions extends Pick<CatalogueSources, 'ownEngine' | 'describe' | 'log'> {
  readonly limits: ValidationLimits;
  /**
   * Modules that may provide CATALOGUES_PORT, without which there are no stored catalogues, and NODE_PACKAGES_PORT, without
   * which refusals name no packages, and packages of environments add no classes.
   */
  readonly imports: readonly (Type<unknown> | DynamicModule)[];
}

/** Validates submissions against the catalogues of environments. */
@Module({})
export class ValidationModule {
  static register({ limits, imports, ...engines }: ValidationModuleOptions): DynamicModule {
    return {
      module: ValidationModule,
      imports: [...imports],
      providers: [
        { provide: ValidationLimits, useValue: limits },
        CatalogueHolder,
        {
          provide: PinnedCatalogues,
          inject: [
            CatalogueHolder,
            { token: CATALOGUES_PORT, optional: true },
            { token: NODE_PACKAGES_PORT, optional: true },
          ],
          useFactory: (own: CatalogueHolder, stored?: CataloguesPort, registry?: NodePackagesPort) =>
            new PinnedCatalogues(own, { ...engines, stored: stored ?? null, registry: registry ?? null }),
        },
        NamePackages,
        MissingPackages,
        ValidateSubmissionHandler,
        LocalValidation,
        { provide: VALIDATION_PORT, useExisting: LocalValidation },
      ],
      exports: [CatalogueHolder, ValidateSubmissionHandler, VALIDATION_PORT],
    };
  }
}
