import { join } from 'node:path';
import { lastingPort } from '@heddle/platform-database';
import type { ControlPlaneTools } from '../kube-tools.ts';
import type { KubePlaces } from '../kube-places.ts';
import { KubeProcess } from '../processes/kube-process.ts';
import { CertificateAuthority, serviceAccountKeys } from './certificates.ts';
import {
  API_SERVICE_ADDRESS,
  apiServerFlags,
  controllerManagerFlags,
  etcdFlags,
  FRONT_PROXY,
  schedulerFlags,
  type ControlPlanePlan,
} from './control-plane-flags.ts';
import { KubeApi } from './kube-api.ts';
import { Kubectl } from './kubectl.ts';
import { writeKubeconfig } from './write-kubeconfig.ts';

export interface ControlPlane {
  readonly kubectl: Kubectl;
  readonly api: KubeApi;
  /** URL of the API server. */
  readonly server: string;
  stop(): Promise<void>;
}

/** etcd, the API server, and then the two that find no roles before it is ready. */
export async function startControlPlane(tools: ControlPlaneTools, places: KubePlaces): Promise<ControlPlane> {
  const authority = new CertificateAuthority(places.certificates);
  const plan = await planOf(authority, places);
  const server = `https://127.0.0.1:${plan.ports.apiServer}`;
  writeKubeconfig(places.adminKubeconfig, { server, authority: authority.certificate, client: plan.admin });
  const kubectl = new Kubectl(tools.kubectl, places.adminKubeconfig);
  for (const name of ['controllerManager', 'scheduler'] as const) {
    const client = await authority.issue(name, {
      commonName: `system:kube-${name === 'scheduler' ? name : 'controller-manager'}`,
    });
    writeKubeconfig(plan.kubeconfigs[name], { server, authority: authority.certificate, client });
  }
  const api = new KubeApi(server, authority.certificate, plan.admin);
  const processes: KubeProcess[] = [];
  const start = async (name: string, program: string, args: string[], isReady: () => Promise<boolean>): Promise<void> =>
    void processes.push(await KubeProcess.start({ name, program, args, isReady }, places));
  const stop = async (): Promise<void> => {
    api.close();
    for (const one of processes.splice(0).reverse()) await one.stop();
  };
  const succeeds = async (...args: string[]): Promise<boolean> => (await kubectl.ending(args)).code === 0;
  try {
    await start('etcd', tools.etcd, etcdFlags(plan), () => answers(`http://127.0.0.1:${plan.ports.etcd}/health`));
    await start('kube-apiserver', tools.apiServer, apiServerFlags(plan), () => succeeds('get', '--raw', '/readyz'));
    // Both have started or failed before the ones that run are stopped.
    const last = await Promise.allSettled([
      start('kube-controller-manager', tools.controllerManager, controllerManagerFlags(plan), () =>
        // Without it no pod can be created.
        succeeds('get', 'serviceaccount', 'default', '-n', 'default'),
      ),
      start('kube-scheduler', tools.scheduler, schedulerFlags(plan), () => Promise.resolve(true)),
    ]);
    for (const one of last) if (one.status === 'rejected') throw one.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  return { kubectl, api, server, stop };
}

async function planOf(authority: CertificateAuthority, places: KubePlaces): Promise<ControlPlanePlan> {
  await authority.create('heddle-kube');
  const names = ['127.0.0.1', API_SERVICE_ADDRESS].map((one) => `IP:${one}`);
  const server = { commonName: 'kube-apiserver', names: [...names, 'DNS:kubernetes.default.svc', 'DNS:localhost'] };
  return {
    ports: {
      etcd: await lastingPort(),
      etcdPeers: await lastingPort(),
      apiServer: await lastingPort(),
      controllerManager: await lastingPort(),
      scheduler: await lastingPort(),
    },
    etcdData: places.etcd,
    authority,
    server: await authority.issue('api-server', server),
    admin: await authority.issue('admin', { commonName: 'heddle-admin', organization: 'system:masters' }),
    frontProxy: await authority.issue('front-proxy', { commonName: FRONT_PROXY }),
    serviceAccounts: serviceAccountKeys(places.certificates),
    kubeconfigs: {
      controllerManager: join(places.configs, 'controller-manager.kubeconfig'),
      scheduler: join(places.configs, 'scheduler.kubeconfig'),
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
  await answer.body?.cancel();
  return answer.ok;
}
