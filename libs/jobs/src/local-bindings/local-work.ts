import type { FactoryProvider } from '@nestjs/common';
import { WORK_PORT } from '@heddle/contracts-messages';
import type { ServedWorkPort } from '@heddle/contracts-messages';
import { IngestReportsHandler } from '../ingest-worker-events/ingest-reports.handler.js';
import { ShowReportsHandler } from '../ingest-worker-events/show-reports.handler.js';
import { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import { WorkerLeases } from '../serve-workers/worker-leases.js';
import { LocalWorkerPools } from '../watch-pools/local-worker-pools.js';
import { WorkerSession } from '../serve-workers/worker-session.js';

/** Workers' calls to this service, answered in this process. */
export const localWork: FactoryProvider<ServedWorkPort> = {
  provide: WORK_PORT,
  inject: [LeaseDispatcher, WorkerLeases, IngestReportsHandler, ShowReportsHandler, LocalWorkerPools],
  useFactory: (
    dispatcher: LeaseDispatcher,
    leases: WorkerLeases,
    durable: IngestReportsHandler,
    volatile: ShowReportsHandler,
    pools: LocalWorkerPools,
  ): ServedWorkPort => ({
    open: (worker, listener) =>
      new WorkerSession({ worker, listener, member: pools.join(worker) }, dispatcher, leases, { durable, volatile }),
    handBackOthers: async (worker, held) => await leases.handBackOthers(worker, held),
  }),
};
