import { BackgroundLogger } from '@heddle/platform-database';
import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { CATALOGUES_PORT, DEPLOYMENT_DIRECTORY, DEPLOYMENT_FEED, DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import { ChangeDeploymentHandler } from './change-deployment/change-deployment.handler.js';
import { DeploymentLog } from './commit-events/deployment-log.js';
import { StoredCatalogues } from './commit-events/stored-catalogues.js';
import { CreateDeploymentHandler } from './create-deployment/create-deployment.handler.js';
import { DefaultDeployment } from './create-deployment/default-deployment.js';
import { DeploymentsMetrics } from './deployments-metrics.js';
import { DEPLOYMENTS_POOL } from './deployments-pool.js';
import { DeploymentsRuntime, OwnDirectory } from './deployments-runtime.js';
import { DEPLOYMENTS_ROLE } from './deployments-schema/deployments-migrations.js';
import { LocalFeed } from './follow-directory/local-feed.js';
import { MemoryDirectory } from './follow-directory/memory-directory.js';
import { LeaseMetrics } from './lease-metrics.js';
import { LocalDeployments } from './local-deployments.js';
import { DeploymentsSettings } from './settings.js';
import { ReadPoolFigures } from './show-deployments/pool-figures.js';
import { ViewSources } from './show-deployments/view-sources.js';
import { ShowDeploymentsHandler } from './show-deployments/show-deployments.handler.js';
import { UnreachableDeployments } from './show-deployments/unreachable-deployments.js';
import { DeploymentWatch, WatchParts } from './watch-workers/deployment-watch.js';
import { SharedLimits } from './watch-workers/shared-limits.js';
import { sequencer } from './sequence-events/sequencer.provider.js';
import { LookRepeater } from './watch-workers/look-repeater.js';
import { OwnProviders } from './watch-workers/own-providers.js';
import { WorkerPresence } from './watch-workers/worker-presence.js';
import { externalProvider, WORKER_PROVIDERS } from './watch-workers/worker-provider.js';
import type { WorkerProvider, WorkerProviders } from './watch-workers/worker-provider.js';

export interface DeploymentsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly settings?: Partial<DeploymentsSettings>;
  readonly metrics?: MetricsRegistry;
  readonly logger?: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Starts workers in this process; absent: workers come by themselves. */
  readonly local?: WorkerProvider;
  /** Modules that provide WORKER_POOLS_PORT. */
  readonly imports: readonly (Type<unknown> | DynamicModule)[];
}

/** Dedicated deployments: their log, their directory, and the life that their workers give them. */
@Module({})
export class DeploymentsModule {
  static register(options: DeploymentsModuleOptions): DynamicModule {
    const { database, metrics = new MetricsRegistry(), local } = options;
    const providers: WorkerProviders = { external: externalProvider, ...(local === undefined ? {} : { local }) };
    return {
      module: DeploymentsModule,
      imports: [...options.imports],
      providers: [
        { provide: DEPLOYMENTS_POOL, useValue: database.pool(DEPLOYMENTS_ROLE) },
        { provide: DeploymentsSettings, useValue: new DeploymentsSettings(options.settings) },
        { provide: BackgroundLogger, useValue: new BackgroundLogger(options.logger ?? null) },
        {
          provide: DeploymentsMetrics,
          useFactory: (figures: ReadPoolFigures) => new DeploymentsMetrics(metrics, () => figures.all()),
          inject: [ReadPoolFigures],
        },
        { provide: MetricsRegistry, useValue: metrics },
        LeaseMetrics,
        { provide: WORKER_PROVIDERS, useValue: providers },
        { provide: OwnProviders, useValue: new OwnProviders(providers) },
        { provide: DEPLOYMENT_DIRECTORY, useValue: new MemoryDirectory() },
        LocalFeed,
        { provide: DEPLOYMENT_FEED, useExisting: LocalFeed },
        DeploymentLog,
        StoredCatalogues,
        { provide: CATALOGUES_PORT, useExisting: StoredCatalogues },
        CreateDeploymentHandler,
        ChangeDeploymentHandler,
        ViewSources,
        ShowDeploymentsHandler,
        ReadPoolFigures,
        UnreachableDeployments,
        WorkerPresence,
        SharedLimits,
        WatchParts,
        DeploymentWatch,
        LookRepeater,
        OwnDirectory,
        DefaultDeployment,
        sequencer,
        DeploymentsRuntime,
        { provide: DEPLOYMENTS_PORT, useClass: LocalDeployments },
      ],
      exports: [CATALOGUES_PORT, DEPLOYMENTS_PORT, DEPLOYMENT_DIRECTORY, DEPLOYMENT_FEED, LocalFeed],
    };
  }
}
