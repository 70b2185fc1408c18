import { defaultPoolOf } from '@heddle/contracts-messages';
import type { WorkerPool } from '@heddle/contracts-messages';
import { RemoteWork } from '@heddle/internal-api/remote-work';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '@heddle/platform-settings';
import { refusePlainTargets } from './plain-calls.js';
import { renewedCallsTls } from './renew-tls.js';
import { poolOfToken, serviceTokenOf } from './service-token.js';

/** Connects a worker to the jobs service at the addresses of the settings. */
export function workOf(
  service: Pick<ServiceProcess, 'name' | 'settings' | 'logger' | 'addReadiness' | 'onStop'>,
): RemoteWork {
  const { settings, logger } = service;
  if (settings.workUrls.length === 0) {
    throw new SettingRefused(
      `HEDDLE_WORK_URLS is unset: the ${service.name} service takes its jobs from the jobs service`,
    );
  }
  refusePlainTargets(settings, 'HEDDLE_WORK_URLS', settings.workUrls);
  const tokenFor = serviceTokenOf(settings);
  const token = (): string => tokenFor('jobs');
  // A missing token fails the start, not the first stream.
  token();
  const work = new RemoteWork({ urls: settings.workUrls, token, tls: renewedCallsTls(service), logger });
  service.addReadiness({ name: 'jobs service', optional: true, check: () => work.missing });
  return work;
}

/** The pool of this process's worker: its token names it, and the service compares both. */
export function workerPoolOf({ settings }: Pick<ServiceProcess, 'settings'>): WorkerPool {
  const pool = poolOfToken(serviceTokenOf(settings)('jobs')) ?? defaultPoolOf(settings.surface);
  if (pool !== null) return pool;
  throw new SettingRefused(
    'the service token of the worker names no deployment: create one with heddle service-token worker --deployment ID',
  );
}
