import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { CallerCheck } from './authenticate/caller-check.js';
import { RequestGate } from './request-gate.js';
import { SURFACES } from '@heddle/contracts-messages';
import type { LiveItem } from '@heddle/contracts-messages';
import { TargetSigner } from '@heddle/platform-blob-store/target-signer';
import { JobFeed } from '@heddle/platform-message-bus';
import type { MetricsRegistry, Tracer } from '@heddle/platform-telemetry';
import { CancelJobController } from './cancel-job/cancel-job.controller.js';
import { CheckAssetHashController } from './check-asset-hash/check-asset-hash.controller.js';
import { DeleteAssetController } from './delete-asset/delete-asset.controller.js';
import { GatewaySettings } from './settings.js';
import { GetAssetContentController } from './get-asset-content/get-asset-content.controller.js';
import { GetAssetContentHandler } from './get-asset-content/get-asset-content.handler.js';
import { GetAssetController } from './get-asset/get-asset.controller.js';
import { GetJobLogsController } from './get-job-logs/get-job-logs.controller.js';
import { GetJobLogsHandler } from './get-job-logs/get-job-logs.handler.js';
import { GetJobWorkflowController } from './get-job-workflow/get-job-workflow.controller.js';
import { WorkflowTurns } from './get-job-workflow/workflow-turns.js';
import { GetJobController } from './get-job/get-job.controller.js';
import { GetOpenApiDocumentController } from './get-openapi-document/get-openapi-document.controller.js';
import { OpenApiText } from './get-openapi-document/openapi-text.js';
import { ListJobsController } from './list-jobs/list-jobs.controller.js';
import { MintAssetFromHashController } from './mint-asset-from-hash/mint-asset-from-hash.controller.js';
import { HEALTH_URL, ShowStartPageController } from './show-start-page/show-start-page.controller.js';
import type { HealthUrl } from './show-start-page/show-start-page.controller.js';
import { ReadLimit } from './limit-job-reads/read-limit.js';
import { SharedUse } from './share-use/shared-use.js';
import { LiveBus } from './stream-job-events/live-bus.js';
import { LiveTelemetry } from './stream-job-events/live-telemetry.js';
import { LiveProjection } from './stream-job-events/live-projection.js';
import { OpenStreamHandler } from './stream-job-events/open-stream.handler.js';
import { ReceiveJobEventsController } from './stream-job-events/receive-job-events.controller.js';
import { ReceiveWorkerEventsController } from './stream-job-events/receive-worker-events.controller.js';
import { StreamJobEventsController } from './stream-job-events/stream-job-events.controller.js';
import { StreamSlots } from './stream-job-events/stream-slots.js';
import { ReadSignedContentController } from './read-signed-content/read-signed-content.controller.js';
import { ReadSignedContentHandler } from './read-signed-content/read-signed-content.handler.js';
import { SubmitJobController } from './submit-job/submit-job.controller.js';
import { ReceiveSubmissionHandler } from './submit-job/receive-submission.handler.js';
import { RefusedDemand } from './submit-job/refused-demand.js';
import { SubmissionGate } from './submit-job/submission-gate.js';
import { ReceiveUploadHandler } from './upload-asset/receive-upload.handler.js';
import { UploadAssetController } from './upload-asset/upload-asset.controller.js';

interface GatewayModuleOptions {
  readonly settings: GatewaySettings;
  readonly feed: JobFeed<LiveItem>;
  /** Source of job events if the jobs service is another process; absent: it publishes to `feed` in this one. */
  readonly liveBus?: Pick<LiveBus, 'isAway'>;
  readonly metrics?: MetricsRegistry;
  /** Null or absent: tracing is off. */
  readonly tracer?: Tracer | null;
  /** URL of health and metrics of this process; it may become known later. */
  readonly healthUrl?: HealthUrl;
  /** Verifies signed URLs that Heddle serves itself; null or absent: the store serves them. */
  readonly signer?: TargetSigner | null;
  /** Modules that provide the ports of jobs, assets and validation, and of logs where the surface has a route for them. */
  readonly imports: readonly (Type<unknown> | DynamicModule)[];
}

/** The public API, in the order in which a client uses it. */
@Module({})
export class GatewayModule {
  static register(options: GatewayModuleOptions): DynamicModule {
    const { settings, feed, imports, liveBus, metrics, tracer, healthUrl = () => null, signer = null } = options;
    const hasLogs = SURFACES[settings.surface].logs !== 'no-route';
    const slots = new StreamSlots(settings.streamsPerAccount, settings.streamsPerProcess);
    return {
      module: GatewayModule,
      imports: [...imports],
      controllers: [
        UploadAssetController,
        MintAssetFromHashController,
        CheckAssetHashController,
        SubmitJobController,
        ListJobsController,
        GetJobController,
        StreamJobEventsController,
        ReceiveWorkerEventsController,
        ...(liveBus === undefined ? [] : [ReceiveJobEventsController]),
        CancelJobController,
        GetJobWorkflowController,
        ...(hasLogs ? [GetJobLogsController] : []),
        GetAssetContentController,
        GetAssetController,
        DeleteAssetController,
        ...(SURFACES[settings.surface].content === 'redirect' ? [ReadSignedContentController] : []),
        GetOpenApiDocumentController,
        ...(SURFACES[settings.surface].startPage ? [ShowStartPageController] : []),
      ],
      providers: [
        { provide: GatewaySettings, useValue: settings },
        CallerCheck,
        RequestGate,
        { provide: JobFeed, useValue: feed },
        { provide: HEALTH_URL, useValue: healthUrl },
        { provide: StreamSlots, useValue: slots },
        { provide: ReadLimit, useValue: new ReadLimit(settings.readRate, settings.readBurst) },
        SharedUse,
        {
          provide: LiveBus,
          useValue: new LiveBus(new LiveTelemetry(metrics, tracer), () => liveBus?.isAway() ?? false),
        },
        WorkflowTurns,
        ReceiveUploadHandler,
        SubmissionGate,
        RefusedDemand,
        ReceiveSubmissionHandler,
        OpenStreamHandler,
        GetAssetContentHandler,
        ...(hasLogs ? [GetJobLogsHandler] : []),
        { provide: TargetSigner, useValue: signer },
        ReadSignedContentHandler,
        OpenApiText,
        LiveProjection,
      ],
      exports: [LiveProjection, StreamSlots, RequestGate],
    };
  }
}
