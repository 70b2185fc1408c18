import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AssetsModule } from '@heddle/assets';
import { assetsSettings } from '@heddle/assets/settings';
import type { MintedListener } from '@heddle/assets';
import { describeEngine } from '@heddle/composition';
import type { ServiceProcess, Settings } from '@heddle/composition';
import { NODE_PACKAGES_PORT, SURFACES } from '@heddle/contracts-messages';
import type { LiveItem, NodePackagesPort } from '@heddle/contracts-messages';
import { GatewayModule, GatewaySettings } from '@heddle/gateway';
import { gatewaySettings } from '@heddle/gateway/settings';
import { JobsModule } from '@heddle/jobs';
import { checkpointsOf, jobsSettings } from '@heddle/jobs/settings';
import type { CredentialKeys } from '@heddle/jobs';
import { LogsModule } from '@heddle/logs';
import type { BlobStore, TargetSigner } from '@heddle/platform-blob-store';
import type { Database } from '@heddle/platform-database';
import type { JobFeed, MessageBus } from '@heddle/platform-message-bus';
import type { Tracer } from '@heddle/platform-telemetry';
import { LocalNodePackages } from '@heddle/registry/node-packages';
import { REGISTRY_ROLE } from '@heddle/registry/schema';
import { ValidationModule } from '@heddle/validation';
import { validationLimits } from '@heddle/validation/settings';
import type { KeyedSurface } from './keyed-surface.js';

/** What a standalone opens before its services. */
interface OpenedParts {
  readonly database: Database;
  readonly store: BlobStore;
  /** Null: no signed URLs of Heddle's own are given out. */
  readonly signer: TargetSigner | null;
  /** Null: no surface of this process stores partner credentials. */
  readonly credentialKeys: CredentialKeys | null;
  readonly bus: MessageBus;
  readonly feed: JobFeed<LiveItem>;
  readonly tracer: Tracer | null;
  /** Told of each new asset. */
  readonly onMinted: MintedListener | null;
  /** What the surface has beside the services, such as accounts and their keys; null on self-hosted. */
  readonly surface: Pick<KeyedSurface, 'modules'> | null;
}

/** Self-hosted has neither execution logs nor a schema for them. */
export function servesLogs({ surface }: Pick<Settings, 'surface'>): boolean {
  return SURFACES[surface].logs !== 'no-route';
}

/** The registry's answer to the validation, without the registry. */
class NodePackagesModule {}

function provided(packages: NodePackagesPort): Pick<DynamicModule, 'providers' | 'exports'> {
  return { providers: [{ provide: NODE_PACKAGES_PORT, useValue: packages }], exports: [NODE_PACKAGES_PORT] };
}

/** Every service in one application: the ports between them are direct calls. */
@Module({})
export class StandaloneModule {
  static register(service: ServiceProcess, opened: OpenedParts): DynamicModule {
    const { settings, metrics, logger } = service;
    const { database, feed, tracer } = opened;
    // An embedded server is used only by this process; an external one may be shared.
    const alone = database.server !== undefined;
    const jobs = JobsModule.register({
      database,
      settings: jobsSettings(settings),
      metrics,
      logger,
      tracer,
      feed,
      bus: opened.bus,
      alone,
      credentialKeys: opened.credentialKeys,
      readiness: { push: (check) => service.addReadiness(check) },
      checkpoints: checkpointsOf(settings, join(settings.data, 'checkpoints')),
    });
    const assets = AssetsModule.register({
      database,
      store: opened.store,
      metrics,
      onMinted: opened.onMinted ?? undefined,
      imports: [jobs],
      settings: { ...assetsSettings(settings), soleProcess: alone },
    });
    const beside = opened.surface?.modules(jobs, assets) ?? [];
    const packages = new LocalNodePackages(database.pool(REGISTRY_ROLE));
    const validation = ValidationModule.register({
      limits: validationLimits(settings),
      ownEngine: settings.engine,
      describe: (engine) => describeEngine(service, engine),
      log: (line) => logger.warn({}, line),
      imports: [...beside, { module: NodePackagesModule, ...provided(packages) }],
    });
    const logs = servesLogs(settings) ? [LogsModule.register({ database, metrics, imports: [jobs] })] : [];
    const gateway = GatewayModule.register({
      settings: new GatewaySettings(gatewaySettings(settings)),
      feed,
      metrics,
      tracer,
      signer: opened.signer,
      healthUrl: () => service.healthUrl,
      imports: [assets, validation, jobs, ...logs, ...beside],
    });
    return { module: StandaloneModule, imports: [assets, validation, jobs, ...logs, gateway] };
  }
}
