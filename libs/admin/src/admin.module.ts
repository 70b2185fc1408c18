import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { ShowVersionController } from './show-version/show-version.controller.js';

export interface AdminModuleOptions {
  /** Modules that provide the ports which the controllers ask. */
  readonly imports: readonly (Type<unknown> | DynamicModule)[];
}

/** The admin API of an operator, below `/admin/v1` on the operations port (accounts, Commands). */
@Module({})
export class AdminModule {
  static register({ imports }: AdminModuleOptions): DynamicModule {
    return { module: AdminModule, imports: [...imports], controllers: [ShowVersionController] };
  }
}
