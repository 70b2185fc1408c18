import { Inject, Injectable, Optional } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, KEY_CHECK, SURFACES } from '@heddle/contracts-messages';
import type { Answer, DeploymentDirectory, KeyCheck } from '@heddle/contracts-messages';
import type { Route } from '@heddle/contracts-api-v2';
import { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import type { FastifyRequest } from 'fastify';
import { SurfaceHosts } from '../resolve-surface/surface-hosts.js';
import { GatewaySettings } from '../settings.js';
import type { Admission } from './admission.js';
import { KeyCaller } from './key-caller.js';
import { StaticCaller } from './static-caller.js';

/** Who calls, and whether they may: by the static token or by keys, as the surface has it. */
@Injectable()
export class CallerCheck {
  /** Answers synchronously if nothing has to be looked up. */
  readonly of: (request: FastifyRequest, route: Route | null) => Answer<Admission> | Promise<Answer<Admission>>;

  constructor(
    settings: GatewaySettings,
    @Optional() @Inject(KEY_CHECK) keys: KeyCheck | null,
    @Optional() @Inject(DEPLOYMENT_DIRECTORY) directory: DeploymentDirectory | null,
  ) {
    if (SURFACES[settings.surface].credential === 'static') {
      const owner = new StaticCaller(settings.staticToken);
      this.of = (request) => owner.of(request);
      return;
    }
    if (!keys || !directory) throw new Error(`the ${settings.surface} surface needs keys and deployments`);
    const hosts = new SurfaceHosts(settings, directory);
    const caller = new KeyCaller(keys, new FailedCredentials(settings.authFailures), hosts, settings);
    this.of = (request, route) => caller.of(request, route?.scope ?? null);
  }
}
