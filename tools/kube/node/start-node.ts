import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastingPort } from '@heddle/platform-database';
import type { ControlPlane } from '../control-plane/start-control-plane.ts';
import { CertificateAuthority } from '../control-plane/certificates.ts';
import { writeKubeconfig } from '../control-plane/write-kubeconfig.ts';
import type { KubePlaces } from '../kube-places.ts';
import type { NodeTools } from '../kube-tools.ts';
import { startPolicyEnforcer } from '../network/start-policy-enforcer.ts';
import { programOnPath } from '../prerequisites.ts';
import { KubeProcess } from '../processes/kube-process.ts';
import { StopOrder } from '../processes/stop-order.ts';
import { containerdConfig } from './containerd-config.ts';
import { coreFile } from './core-file.ts';
import { kubeProxyConfig } from './kube-proxy-config.ts';
import { kubeletConfig, kubeletFlags } from './kubelet-config.ts';
import { networkConfig } from './network-config.ts';
import { NODE_ADDRESS, NODE_NAME } from './node-addresses.ts';
import { nodePlaces, type NodePlaces } from './node-places.ts';
import { killPodProcesses } from './pod-processes.ts';
import { makePauseImage, PAUSE_IMAGE, PodImages } from './pod-images.ts';

export interface RealNode {
  readonly images: PodImages;
  /** Kills its pods, too. */
  stop(): Promise<void>;
}

export interface NodePlan {
  readonly places: KubePlaces;
  readonly say: (line: string) => void;
}

/** containerd, kubelet, kube-proxy and CoreDNS as processes of a machine that `prepareMachine` has prepared. */
export async function startNode(plane: ControlPlane, tools: NodeTools, { places, say }: NodePlan): Promise<RealNode> {
  const node = nodePlaces(places.root);
  const stops = new StopOrder();
  // Last, as kubelet would start them again.
  stops.add(async () => await killPodProcesses(node.socket));
  const start = async (
    name: string,
    program: string,
    args: string[],
    isReady: () => Promise<boolean>,
  ): Promise<void> => {
    const started = await KubeProcess.start({ name, program, args, isReady }, places);
    stops.add(async () => await started.stop());
  };
  return await stops.guard(async () => {
    const images = new PodImages(tools.ctr, node);
    await start(
      'containerd',
      linkPrograms(tools, node),
      ['--config', writeContainerdConfig(node)],
      async () => await Promise.resolve(existsSync(node.socket)),
    );
    await images.import(await makePauseImage(tools.pause, node));
    await start('coredns', tools.coreDns, ...(await coreDns(places)));
    // Before kubelet, which starts the pods that a kept cluster has.
    const policies = await startPolicyEnforcer({ api: plane.api, dnsAddress: NODE_ADDRESS, say });
    stops.add(async () => await policies.stop());
    await start('kubelet', tools.kubelet, await kubelet(plane, places, node), async () => {
      const { status } = await plane.kubectl.get('node', NODE_NAME);
      const conditions = (status?.['conditions'] ?? []) as readonly {
        readonly type: string;
        readonly status: string;
      }[];
      return conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
    });
    // It waits for the node's address, which kubelet reports.
    await start('kube-proxy', tools.kubeProxy, ...(await kubeProxy(places)));
    return { images, stop: async () => await stops.run() };
  });
}

/** Returns the path of containerd. */
function linkPrograms(tools: NodeTools, { programs }: NodePlaces): string {
  const { containerd, shim, ptp, loopback, hostLocal } = tools;
  const named = { containerd, 'containerd-shim-runc-v2': shim, ptp, loopback, 'host-local': hostLocal };
  for (const [name, program] of Object.entries(named)) symlinkSync(program, join(programs, name));
  return join(programs, 'containerd');
}

function writeContainerdConfig(node: NodePlaces): string {
  writeFileSync(join(node.network, 'heddle.conflist'), networkConfig(join(node.network, 'addresses')));
  const runc = programOnPath('runc');
  if (runc === null) throw new Error('the program runc is not on the PATH; install the package runc');
  return written(join(node.root, 'containerd.toml'), containerdConfig({ places: node, runc, pauseImage: PAUSE_IMAGE }));
}

type Start = [string[], () => Promise<boolean>];

async function kubeProxy({ adminKubeconfig: kubeconfig, configs }: KubePlaces): Promise<Start> {
  const [healthPort, metricsPort] = [await lastingPort(), await lastingPort()];
  const config = JSON.stringify(kubeProxyConfig({ kubeconfig, healthPort, metricsPort }));
  const isReady = async (): Promise<boolean> => await answers(`http://127.0.0.1:${metricsPort}/healthz`);
  return [[`--config=${written(join(configs, 'kube-proxy.json'), config)}`], isReady];
}

async function coreDns({ adminKubeconfig, configs }: KubePlaces): Promise<Start> {
  const port = await lastingPort();
  const file = written(join(configs, 'Corefile'), coreFile(adminKubeconfig, port));
  return [['-conf', file], async () => await answers(`http://127.0.0.1:${port}/ready`)];
}

async function kubelet({ server }: ControlPlane, places: KubePlaces, node: NodePlaces): Promise<string[]> {
  const authority = new CertificateAuthority(places.certificates);
  const subject = { commonName: `system:node:${NODE_NAME}`, organization: 'system:nodes' };
  const client = await authority.issue('kubelet', subject);
  const kubeconfig = join(places.configs, 'kubelet.kubeconfig');
  writeKubeconfig(kubeconfig, { server, authority: authority.certificate, client });
  const ports = { port: await lastingPort(), healthPort: await lastingPort() };
  const config = kubeletConfig({ places: node, ...ports, authority: authority.certificate });
  return kubeletFlags(node, {
    config: written(join(places.configs, 'kubelet.json'), JSON.stringify(config)),
    kubeconfig,
  });
}

function written(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
  await answer.body?.cancel();
  return answer.ok;
}
