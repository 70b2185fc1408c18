import { status } from '@grpc/grpc-js';
import { isUuid } from '@heddle/contracts-messages';
import type { DeploymentId, WorkerPool } from '@heddle/contracts-messages';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import type { Hello } from '../generated/heddle/worker/v1/worker.js';
import { VERSION_WITHOUT_POOL } from './protocol-version.js';

interface PoolRefusal {
  readonly code: number;
  readonly details: string;
}

const describePool = ({ deploymentId, revision }: WorkerPool): string =>
  `deployment ${deploymentId}, revision ${revision}`;

/**
 * The pool that a worker belongs to: its token decides, and Hello has to agree. `defaultPool`: the pool of tokens without a
 * deployment; null on the dedicated surface.
 */
export function poolOfHello(
  hello: Pick<Hello, 'protocolVersion' | 'deploymentId' | 'revision'>,
  { deploymentId, revision }: ServiceIdentity,
  defaultPool: WorkerPool | null,
): WorkerPool | PoolRefusal {
  const pool = deploymentId === null ? defaultPool : { deploymentId: deploymentId as DeploymentId, revision };
  if (pool === null) {
    const details =
      'The token of the worker names no deployment, and this service has no shared pool: issue a token with ' +
      'heddle service-token worker --deployment ID.';
    return { code: status.PERMISSION_DENIED, details };
  }
  if (!isUuid(pool.deploymentId)) {
    const details = 'The deployment in the token of the worker is not an id: heddle service-token worker takes one.';
    return { code: status.PERMISSION_DENIED, details };
  }
  if (hello.protocolVersion === VERSION_WITHOUT_POOL) return pool;
  const right = `by the token of the worker, it is ${describePool(pool)}.`;
  if (hello.deploymentId === '') {
    return { code: status.INVALID_ARGUMENT, details: `Hello must name the pool of the worker: ${right}` };
  }
  if (hello.deploymentId !== pool.deploymentId || hello.revision !== pool.revision) {
    return { code: status.PERMISSION_DENIED, details: `Hello names another pool than the worker's: ${right}` };
  }
  return pool;
}
