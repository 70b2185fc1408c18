import { NAMESPACE, PLATFORM_RELEASE } from './cluster/heddle-values.ts';
import { Helm } from './cluster/helm.ts';
import { namespaceManifest } from './cluster/namespace-manifest.ts';
import { releaseSecrets, type ReleaseKeys, type ReleaseSurface } from './cluster/release-secrets.ts';
import { startControlPlane } from './control-plane/start-control-plane.ts';
import { startForward } from './forward/start-forward.ts';
import type { Endpoint } from './forward/tcp-forward.ts';
import { kubePlaces, makeKubePlaces } from './kube-places.ts';
import { installControlPlaneTools, installNodeTools } from './kube-tools.ts';
import { makeNodePlaces, nodePlaces } from './node/node-places.ts';
import { prepareMachine, removeNodeTraces } from './node/node-traces.ts';
import { startNode } from './node/start-node.ts';
import type { PodImages } from './node/pod-images.ts';
import { StopOrder } from './processes/stop-order.ts';
import { startServers, type PodServers } from './servers/start-servers.ts';
import type { KubePlan, RunningKube } from './start-simulated-kube.ts';

/** A cluster on which the charts can be installed: the Secrets of the release are there, the release is not. */
export interface RealCluster extends RunningKube {
  readonly images: PodImages;
  readonly servers: PodServers;
  readonly keys: ReleaseKeys;
  /** Opens the API of the release at a port of localhost; returns its URL. */
  openApi(port: number): Promise<string>;
  /** Opens a Service of the release at an address of this machine. */
  open(service: string, at: Endpoint): Promise<void>;
}

/** A control plane, one real node, and PostgreSQL, Kafka and S3 beside it. Needs root. */
export async function startRealCluster(
  { cacheDir, root, say, databaseFolder }: KubePlan,
  surface: ReleaseSurface = 'managed',
): Promise<RealCluster> {
  const tools = await installControlPlaneTools(cacheDir, say);
  const nodeTools = await installNodeTools(cacheDir, say);
  const usual = kubePlaces(root);
  const places = { ...usual, database: databaseFolder ?? usual.database };
  makeKubePlaces(places);
  const stops = new StopOrder();
  return await stops.guard(async () => {
    const node = nodePlaces(root);
    makeNodePlaces(node);
    await prepareMachine(node);
    stops.add(async () => await removeNodeTraces(node));
    const servers = await startServers(cacheDir, places, say);
    stops.add(async () => await servers.stop());
    say('PostgreSQL, Kafka and S3 are ready');
    const plane = await startControlPlane(tools, places);
    stops.add(async () => await plane.stop());
    const { images, stop } = await startNode(plane, nodeTools, { places, say });
    stops.add(stop);
    say('the node is ready');
    const { kubectl } = plane;
    const { manifests, keys } = await releaseSecrets(servers, places, surface);
    await kubectl.apply(namespaceManifest(NAMESPACE));
    await kubectl.apply(...manifests);
    const open = async (name: string, at: Endpoint): Promise<void> => {
      const service = await kubectl.get('service', `${PLATFORM_RELEASE}-${name}`, '-n', NAMESPACE);
      const to = { host: String(service.spec?.['clusterIP']), port: 80 };
      const forward = await startForward(`forward-${name}`, [{ at, to }], places);
      stops.add(async () => await forward.stop());
    };
    const openApi = async (port: number): Promise<string> => {
      await open('gateway', { host: '127.0.0.1', port });
      return `http://localhost:${port}`;
    };
    const helm = new Helm(tools.helm, places.adminKubeconfig, NAMESPACE);
    return { kubectl, helm, places, images, servers, keys, open, openApi, stop: async () => await stops.run() };
  });
}
