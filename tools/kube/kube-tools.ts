// The programs of the development cluster, built with Go at pinned versions below the cache. A checkout with a full cache
// needs no network. Kubernetes replaces its own libraries, which `go install` refuses, so its programs are built in a
// module of ours that names every version.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoProgram } from '@heddle/local-servers';
import { HELM } from '../charts/chart-tools.ts';
import { installKedaDefinitions } from './keda/keda-definitions.ts';

const KUBERNETES = '1.36.3';
const [MAJOR = '', MINOR = ''] = KUBERNETES.split('.');

const kubernetes = (name: string): GoProgram => ({
  name,
  package: `k8s.io/kubernetes/cmd/${name}`,
  version: `v${KUBERNETES}`,
  module: fileURLToPath(new URL('modules/kubernetes', import.meta.url)),
  // Without these a program says v0.0.0, and Helm refuses the charts' `kubeVersion`.
  stamps: ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((of) => [
    `${of}.gitVersion=v${KUBERNETES}`,
    `${of}.gitMajor=${MAJOR}`,
    `${of}.gitMinor=${MINOR}`,
  ]),
});

const CONTROL_PLANE = {
  etcd: { ...kubernetes('etcd'), package: 'go.etcd.io/etcd/server/v3', version: 'v3.6.8', stamps: [] },
  apiServer: kubernetes('kube-apiserver'),
  controllerManager: kubernetes('kube-controller-manager'),
  scheduler: kubernetes('kube-scheduler'),
  kubectl: kubernetes('kubectl'),
} as const satisfies Record<string, GoProgram>;

export const KEDA_VERSION = '2.21.0';
/** It has a scaler for every service of every cloud, which makes it the longest build of all. */
const keda = (name: string): GoProgram => ({
  name: `keda-${name}`,
  package: `github.com/kedacore/keda/v2/cmd/${name}`,
  version: `v${KEDA_VERSION}`,
  module: fileURLToPath(new URL('modules/keda', import.meta.url)),
  stamps: [`github.com/kedacore/keda/v2/version.Version=${KEDA_VERSION}`],
});
const KEDA = { operator: keda('operator'), adapter: keda('adapter') } as const satisfies Record<string, GoProgram>;

const CONTAINERD_VERSION = 'v2.4.2';
const containerd = (name: string): GoProgram => ({
  name,
  package: `github.com/containerd/containerd/v2/cmd/${name}`,
  version: CONTAINERD_VERSION,
  stamps: [`github.com/containerd/containerd/v2/version.Version=${CONTAINERD_VERSION}`],
});
const plugin = (kind: 'main' | 'ipam', name: string): GoProgram => ({
  name,
  package: `github.com/containernetworking/plugins/plugins/${kind}/${name}`,
  version: 'v1.9.1',
});

/** Raise it with a change of the program. */
export const PAUSE = 'v1';

const NODE = {
  kubelet: kubernetes('kubelet'),
  kubeProxy: kubernetes('kube-proxy'),
  containerd: containerd('containerd'),
  shim: containerd('containerd-shim-runc-v2'),
  ctr: containerd('ctr'),
  ptp: plugin('main', 'ptp'),
  loopback: plugin('main', 'loopback'),
  hostLocal: plugin('ipam', 'host-local'),
  pause: { name: 'pause', package: '.', version: PAUSE, module: fileURLToPath(new URL('node/pause', import.meta.url)) },
  coreDns: { name: 'coredns', package: 'github.com/coredns/coredns', version: 'v1.15.0' },
} as const satisfies Record<string, GoProgram>;

type Paths<Programs> = { readonly [Name in keyof Programs]: string };
export type ControlPlaneTools = Paths<typeof CONTROL_PLANE> & { readonly helm: string };
export type KedaTools = Paths<typeof KEDA> & { readonly definitions: string };
export type NodeTools = Paths<typeof NODE>;
type Say = (line: string) => void;

export async function installControlPlaneTools(cacheDir: string, say: Say): Promise<ControlPlaneTools> {
  const helm = await installAll({ helm: HELM }, join(cacheDir, 'chart-tools'), say);
  return { ...(await installAll(CONTROL_PLANE, folderIn(cacheDir), say)), ...helm };
}

/** Also the manifests of its definitions, one file. */
export async function installKedaTools(cacheDir: string, say: Say): Promise<KedaTools> {
  const programs = await installAll(KEDA, folderIn(cacheDir), say);
  return { ...programs, definitions: await installKedaDefinitions(folderIn(cacheDir), KEDA_VERSION) };
}

/** What a real node needs beside runc, which is a package of the distribution. */
export async function installNodeTools(cacheDir: string, say: Say): Promise<NodeTools> {
  return await installAll(NODE, folderIn(cacheDir), say);
}

const folderIn = (cacheDir: string): string => join(cacheDir, 'kube-tools');

/** One after the other: a link takes up to two gigabytes. */
async function installAll<Programs extends Readonly<Record<string, GoProgram>>>(
  programs: Programs,
  folder: string,
  say: Say,
): Promise<Paths<Programs>> {
  const { installGoProgram } = await import('@heddle/local-servers');
  const paths: Record<string, string> = {};
  for (const [name, program] of Object.entries(programs)) paths[name] = await installGoProgram(folder, program, say);
  return paths as Paths<Programs>;
}
