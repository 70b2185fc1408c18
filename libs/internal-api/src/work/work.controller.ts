import { callerOf } from '@heddle/platform-service-calls/serve';
import { Controller } from '@nestjs/common';
import { GrpcStreamCall } from '@nestjs/microservices';
import { WorkerServiceService } from '../generated/heddle/worker/v1/worker.js';
import { readRequest } from './read-request.js';
import { WorkStreams } from './work-streams.js';
import type { WorkCall } from './worker-stream.js';

export { WorkStreams } from './work-streams.js';
export type { StreamBounds } from './work-streams.js';

/** What a server of the worker protocol serves. */
export const WORKER_PROTOCOL = {
  package: 'heddle.worker.v1',
  services: {
    'heddle.worker.v1.WorkerService': {
      work: { ...WorkerServiceService.work, requestDeserialize: readRequest },
    },
  },
  openTo: { [WorkerServiceService.work.path]: ['worker'] },
};

/** The worker protocol (docs/architecture/11-worker-protocol.md). */
@Controller()
export class WorkController {
  constructor(private readonly streams: WorkStreams) {}

  /** Answers on the call itself; resolves when the stream is over. */
  @GrpcStreamCall('WorkerService', 'work')
  async work(call: WorkCall): Promise<void> {
    await this.streams.accept(call, callerOf());
  }
}
