import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Secret } from '@heddle/contracts-messages';
import type { ProxyPrices } from '@heddle/partner-proxy-domain';
import { SweepClock } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import type { Logger, MetricsRegistry } from '@heddle/platform-telemetry';
import { ProxyGate } from './authorize/proxy-gate.js';
import { openVendors } from './call-vendors/open-vendors.js';
import type { VendorAccesses } from './call-vendors/open-vendors.js';
import { Vendors } from './call-vendors/vendors.js';
import { CallbackAddresses } from './create-task/callback-addresses.js';
import { TargetUrls } from './create-task/target-urls.js';
import { TaskCreation } from './create-task/task-creation.js';
import { VendorHandover } from './create-task/vendor-handover.js';
import { CreateUpscaleController } from './create-upscale/create-upscale.controller.js';
import { CreateUpscaleHandler } from './create-upscale/create-upscale.handler.js';
import { CreateVideoController } from './create-video/create-video.controller.js';
import { CreateVideoHandler } from './create-video/create-video.handler.js';
import { Deliveries } from './send-callbacks/deliveries.js';
import { DeliveryAttempts } from './send-callbacks/delivery-attempts.js';
import { DeliveryLoop } from './send-callbacks/delivery-loop.js';
import { DeliverySender } from './send-callbacks/delivery-sender.js';
import { TaskEnds } from './follow-task/task-ends.js';
import { TaskFollower } from './follow-task/task-follower.js';
import { TaskTimes } from './follow-task/task-times.js';
import { TaskReads } from './follow-task/task-reads.js';
import { Tasks } from './keep-tasks/tasks.js';
import { ProxyDepth } from './observe-tasks/proxy-depth.js';
import { ProxyPricesHolder } from './price-tasks/price-list.js';
import { ProxyLogger } from './proxy-logger.js';
import { ProxyMetrics } from './proxy-metrics.js';
import { PROXY_POOL } from './proxy-pool.js';
import { ProxyRuntime } from './proxy-runtime.js';
import { PARTNER_PROXY_ROLE } from './proxy-schema/proxy-migrations.js';
import { TaskPurge } from './purge-tasks/task-purge.js';
import { PriceReserve } from './reserve-price/price-reserve.js';
import { ReadUpscaleController } from './read-upscale/read-upscale.controller.js';
import { ReadVideoController } from './read-video/read-video.controller.js';
import { CallbacksController } from './receive-callbacks/callbacks.controller.js';
import { BelievedCallbacks } from './receive-callbacks/believed-callbacks.js';
import { ReceiveCallbackHandler } from './receive-callbacks/receive-callback.handler.js';
import { VendorSignatures } from './receive-callbacks/vendor-signatures.js';
import type { VendorSecrets } from './receive-callbacks/vendor-signatures.js';
import { PartnerProxySettings } from './settings.js';
import { ProxySweepLoop } from './sweep-tasks/sweep-loop.js';
import { LeftTask } from './sweep-tasks/left-task.js';
import { TaskSweep } from './sweep-tasks/task-sweep.js';
import { WebhookSecretController } from './webhook-secret/webhook-secret.controller.js';
import { PROXY_PEPPER, WebhookSecrets } from './webhook-secret/webhook-secrets.js';

export interface PartnerProxyModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly settings: PartnerProxySettings;
  readonly prices: ProxyPrices;
  readonly vendors: VendorAccesses;
  /** By which vendors sign their callbacks; null: none is believed. */
  readonly callbackSecrets: VendorSecrets;
  readonly pepper: Secret;
  readonly metrics: MetricsRegistry;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Modules that provide TASK_CREDITS_PORT, and KEY_CHECK but on self-hosted. */
  readonly imports: readonly DynamicModule[];
}

/** Tasks of clients at partner vendors: created, followed, settled, and their changes delivered. */
@Module({})
export class PartnerProxyModule {
  static register(options: PartnerProxyModuleOptions): DynamicModule {
    const { database, settings, prices, vendors, callbackSecrets, pepper, logger, imports } = options;
    const metrics = new ProxyMetrics(options.metrics);
    const proxyLogger = new ProxyLogger(logger);
    const pool = database.pool(PARTNER_PROXY_ROLE);
    const onJump = (offMs: number): void => proxyLogger.clockJumped(offMs);
    return {
      module: PartnerProxyModule,
      imports: [...imports],
      controllers: [
        CreateVideoController,
        CreateUpscaleController,
        ReadVideoController,
        ReadUpscaleController,
        CallbacksController,
        WebhookSecretController,
      ],
      providers: [
        { provide: PROXY_POOL, useValue: pool },
        { provide: SweepClock, useValue: new SweepClock(pool, onJump, settings.clockToleranceMs) },
        { provide: PartnerProxySettings, useValue: settings },
        { provide: ProxyPricesHolder, useValue: new ProxyPricesHolder(prices) },
        { provide: Vendors, useValue: openVendors(vendors, settings, metrics, proxyLogger) },
        { provide: VendorSignatures, useValue: new VendorSignatures(callbackSecrets) },
        { provide: PROXY_PEPPER, useValue: pepper },
        { provide: ProxyMetrics, useValue: metrics },
        { provide: ProxyLogger, useValue: proxyLogger },
        { provide: TargetUrls, useValue: new TargetUrls(settings) },
        ProxyGate,
        Tasks,
        TaskEnds,
        PriceReserve,
        TaskTimes,
        TaskFollower,
        TaskReads,
        CallbackAddresses,
        VendorHandover,
        TaskCreation,
        CreateVideoHandler,
        CreateUpscaleHandler,
        BelievedCallbacks,
        ReceiveCallbackHandler,
        WebhookSecrets,
        Deliveries,
        DeliverySender,
        DeliveryAttempts,
        DeliveryLoop,
        LeftTask,
        TaskSweep,
        TaskPurge,
        ProxySweepLoop,
        ProxyDepth,
        ProxyRuntime,
      ],
    };
  }
}
