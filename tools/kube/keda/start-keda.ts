import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lastingPort } from '@heddle/platform-database';
import { CertificateAuthority } from '../control-plane/certificates.ts';
import type { Kubectl } from '../control-plane/kubectl.ts';
import type { KubePlaces } from '../kube-places.ts';
import type { KedaTools } from '../kube-tools.ts';
import { KubeProcess } from '../processes/kube-process.ts';
import { StopOrder } from '../processes/stop-order.ts';
import { adapterFlags, adapterObjects, KEDA_ENVIRONMENT, operatorFlags, type KedaPlan } from './keda-flags.ts';

export interface KedaCluster {
  readonly kubectl: Kubectl;
  readonly places: KubePlaces;
}

/**
 * Runs KEDA beside a control plane: its definitions, the operator, and the adapter that gives autoscalers its figures.
 * Resolves when the API server answers for external metrics.
 */
export async function startKeda(
  tools: KedaTools,
  { kubectl, places }: KedaCluster,
): Promise<{ stop(): Promise<void> }> {
  const plan = await planOf(places);
  const env = { ...KEDA_ENVIRONMENT };
  const stops = new StopOrder();
  const succeeds = async (...args: string[]): Promise<boolean> => (await kubectl.ending(args)).code === 0;
  return await stops.guard(async () => {
    await kubectl.run('apply', '--server-side', '--force-conflicts', '-f', tools.definitions);
    await kubectl.run('wait', '--for=condition=Established', '-f', tools.definitions, '--timeout=60s');
    await kubectl.apply(...adapterObjects(plan));
    const start = async (name: string, program: string, args: string[], isReady: () => Promise<boolean>) => {
      const started = await KubeProcess.start({ name, program, args, env, isReady }, places);
      stops.add(async () => await started.stop());
    };
    await start('keda-operator', tools.operator, operatorFlags(plan), async () => {
      const answer = await fetch(`http://127.0.0.1:${plan.ports.probes}/readyz`);
      return answer.ok;
    });
    await start('keda-adapter', tools.adapter, adapterFlags(plan), async () =>
      succeeds('get', '--raw', '/apis/external.metrics.k8s.io/v1beta1'),
    );
    return { stop: async () => await stops.run() };
  });
}

async function planOf(places: KubePlaces): Promise<KedaPlan> {
  const certificates = join(places.configs, 'keda');
  const authority = new CertificateAuthority(places.certificates);
  const own = await authority.issue('keda', { commonName: 'keda', names: ['IP:127.0.0.1', 'DNS:localhost'] });
  mkdirSync(certificates, { recursive: true, mode: 0o700 });
  const files = { 'ca.crt': authority.certificate, 'tls.crt': own.certificate, 'tls.key': own.key };
  for (const [name, file] of Object.entries(files)) copyFileSync(file, join(certificates, name));
  return {
    kubeconfig: places.adminKubeconfig,
    certificates,
    ports: {
      metricValues: await lastingPort(),
      probes: await lastingPort(),
      adapter: await lastingPort(),
      adapterMetrics: await lastingPort(),
    },
  };
}
