import { fileURLToPath } from 'node:url';
import { makeHeddleImage, type HeddleImage } from '../images/make-heddle-image.ts';
import { NAMESPACE, PLATFORM_RELEASE } from './cluster/heddle-values.ts';
import { Helm } from './cluster/helm.ts';
import { installDemo, installPlatform, nodeValues } from './cluster/install-releases.ts';
import { namespaceManifest } from './cluster/namespace-manifest.ts';
import { releaseSecrets, type ReleaseKeys } from './cluster/release-secrets.ts';
import { startControlPlane } from './control-plane/start-control-plane.ts';
import { kubePlaces, makeKubePlaces } from './kube-places.ts';
import { installControlPlaneTools, installNodeTools } from './kube-tools.ts';
import { startNode } from './node/start-node.ts';
import type { PodImages } from './node/pod-images.ts';
import { StopOrder } from './processes/stop-order.ts';
import { startServers, type PodServers } from './servers/start-servers.ts';
import type { KubePlan, RunningKube } from './start-simulated-kube.ts';
import { TcpForward } from './tcp-forward.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export interface RealKubePlan extends KubePlan {
  /** Port of the API at 127.0.0.1. */
  readonly port: number;
}

export interface RealKube extends RunningKube {
  /** Of the API. */
  readonly url: string;
  readonly keys: ReleaseKeys;
  readonly image: HeddleImage;
  readonly images: PodImages;
  readonly servers: PodServers;
  /** Values with which the platform was installed. */
  readonly values: object;
  /** Seconds until the pods of the platform were ready. */
  readonly installS: number;
}

/** A cluster with a real node, real servers, the image of this checkout, and both charts. */
export async function startRealKube({ cacheDir, root, say, port }: RealKubePlan): Promise<RealKube> {
  const tools = await installControlPlaneTools(cacheDir, say);
  const nodeTools = await installNodeTools(cacheDir, say);
  const image = await makeHeddleImage(ROOT);
  say(`image ${image.name}:${image.tag} is made`);
  const places = kubePlaces(root);
  makeKubePlaces(places);
  const stops = new StopOrder();
  return await stops.guard(async () => {
    const plane = await startControlPlane(tools, places);
    stops.add(async () => await plane.stop());
    const { images, stop } = await startNode(plane, nodeTools, places);
    stops.add(stop);
    say('the node is ready');
    const digest = await images.import(image);
    const servers = await startServers(cacheDir, places, say);
    stops.add(async () => await servers.stop());
    say('PostgreSQL, Kafka and S3 are ready');
    const { kubectl } = plane;
    await kubectl.apply(namespaceManifest(NAMESPACE));
    const helm = new Helm(tools.helm, places.adminKubeconfig, NAMESPACE);
    const at = { kubectl, helm, places };
    const secrets = await releaseSecrets(servers, places);
    const values = nodeValues(image.tag, servers);
    const installS = await installPlatform(at, secrets, values);
    say(`release ${PLATFORM_RELEASE} is installed after ${installS.toFixed(1)} s`);
    const service = await kubectl.get('service', `${PLATFORM_RELEASE}-gateway`, '-n', NAMESPACE);
    const to = { host: String(service.spec?.['clusterIP']), port: 80 };
    const forward = await TcpForward.start({ host: '127.0.0.1', port }, to);
    stops.add(async () => await forward.stop());
    const url = `http://localhost:${port}`;
    const demoS = await installDemo(at, { keys: secrets.keys, digest });
    say(`release demo is installed after ${demoS.toFixed(1)} s`);
    const { keys } = secrets;
    return { ...at, url, keys, image, images, servers, values, installS, stop: async () => await stops.run() };
  });
}
