import { Injectable } from '@nestjs/common';
import { DeploymentsSettings } from '../settings.js';
import { OwnProviders } from '../watch-workers/own-providers.js';

/** What a deployment is shown with beside its workers and jobs. */
@Injectable()
export class ViewSources {
  constructor(
    readonly settings: DeploymentsSettings,
    readonly providers: OwnProviders,
  ) {}
}
