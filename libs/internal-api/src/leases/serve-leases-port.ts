import type { LeaseKey, LeaseRequest, LeasesPort, WorkerEvent } from '@heddle/contracts-messages';
import type { Parcel, CallRoutes, IncomingCall } from '@heddle/platform-service-calls';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { CALLS, WORKERS } from '../internal-calls.js';
import { boundWorkerId } from '../lease-authority/worker-lease.js';
import { boundRequest, refuseForeignEvents } from './bound-worker.js';
import { encodeLeases } from './lease-wire.js';

const INGEST_BYTES = 16 * 1024 * 1024;

interface OfWorker {
  readonly workerId: string;
}

/** The serving half of LeasesPort. */
export function serveLeasesPort(routes: CallRoutes, leases: LeasesPort): void {
  const call = (path: string, handle: (call: IncomingCall) => Promise<unknown>, more: object = {}): void => {
    const answer = async (incoming: IncomingCall): Promise<Parcel> => ({ head: (await handle(incoming)) ?? null });
    routes.route({ kind: 'plain', path, openTo: WORKERS, handle: answer, ...more });
  };
  const paths = CALLS.leases;
  servePolls(routes, leases);
  serveWatch(routes, leases);
  call(paths.heartbeat, async ({ head, caller }) => {
    const { workerId, leases: keys } = argumentsOf<OfWorker & { leases: readonly LeaseKey[] }>(
      head,
      'workerId',
      'leases',
    );
    return await leases.heartbeat(boundWorkerId(caller, workerId), keys);
  });
  call(paths.handBack, async ({ head, caller }) => {
    const { workerId, lease } = argumentsOf<OfWorker & { lease: LeaseKey }>(head, 'workerId', 'lease');
    await leases.handBack(boundWorkerId(caller, workerId), lease);
  });
  const ingest = async ({ head, caller }: IncomingCall): Promise<void> => {
    const { events } = argumentsOf<{ events: readonly WorkerEvent[] }>(head, 'events');
    refuseForeignEvents(caller, events);
    await leases.ingest(events);
  };
  // An outcome that came too early is no fault: its worker sends it again.
  call(paths.ingest, ingest, { bodyBytes: INGEST_BYTES, tells: ['OutcomeTooEarly'] });
}

/**
 * A poll is an answer that is kept open, so that each end notices within seconds that the other is gone. A worker that
 * wants no more leases says so by another call and still reads what was leased to it meanwhile. Leases whose worker is
 * gone are given back at once.
 */
function servePolls(routes: CallRoutes, leases: LeasesPort): void {
  const open = new Map<string, AbortController>();
  const idOf = ({ caller }: IncomingCall, pollId: string): string => `${caller.deploymentId} ${pollId}`;
  routes.route({
    kind: 'kept',
    path: CALLS.leases.acquire,
    openTo: WORKERS,
    handle: async (call, emit) => {
      const { pollId, request } = argumentsOf<{ pollId: string; request: LeaseRequest }>(
        call.head,
        'pollId',
        'request',
      );
      const bound = boundRequest(call.caller, request);
      const hungUp = new AbortController();
      const id = idOf(call, pollId);
      open.set(id, hungUp);
      try {
        const found = await leases.acquire(bound, AbortSignal.any([call.signal, hungUp.signal]));
        const reached = await emit(encodeLeases(found));
        if (!reached) await Promise.all(found.map((lease) => leases.handBack(bound.workerId, lease)));
      } finally {
        open.delete(id);
      }
    },
  });
  routes.route({
    kind: 'plain',
    path: CALLS.leases.hangUp,
    openTo: WORKERS,
    handle: (call) => {
      const { pollId } = argumentsOf<{ pollId: string }>(call.head, 'pollId');
      open.get(idOf(call, pollId))?.abort();
      return Promise.resolve({ head: null });
    },
  });
}

function serveWatch(routes: CallRoutes, leases: LeasesPort): void {
  routes.route({
    kind: 'kept',
    path: CALLS.leases.watch,
    openTo: WORKERS,
    handle: async ({ head, caller, signal }, emit) => {
      const { workerId } = argumentsOf<OfWorker>(head, 'workerId');
      const unwatch = leases.watch(boundWorkerId(caller, workerId), (state) => void emit({ head: state }));
      if (!signal.aborted) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      }
      unwatch();
    },
  });
}
