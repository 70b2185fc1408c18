import { Helm } from './cluster/helm.ts';
import { NAMESPACE } from './cluster/heddle-values.ts';
import { namespaceManifest } from './cluster/namespace-manifest.ts';
import type { Kubectl } from './control-plane/kubectl.ts';
import { startControlPlane } from './control-plane/start-control-plane.ts';
import { kubePlaces, makeKubePlaces, type KubePlaces } from './kube-places.ts';
import { installControlPlaneTools } from './kube-tools.ts';
import { StopOrder } from './processes/stop-order.ts';
import { startSimulatedNodes } from './simulated/start-simulated-nodes.ts';

export interface KubePlan {
  readonly cacheDir: string;
  /** Folder of the cluster. */
  readonly root: string;
  readonly say: (line: string) => void;
  /** For the data of PostgreSQL; default: one below `root`. */
  readonly databaseFolder?: string;
  /** With KEDA, which scales the workers of the deployment, and a Prometheus that scrapes the pods. */
  readonly keda?: boolean;
}

export interface RunningKube {
  readonly kubectl: Kubectl;
  /** In the namespace of Heddle. */
  readonly helm: Helm;
  readonly places: KubePlaces;
  stop(): Promise<void>;
}

/** A control plane with nodes that only say that pods run. It needs no root, and nothing outside of its folder. */
export async function startSimulatedKube({ cacheDir, root, say }: KubePlan): Promise<RunningKube> {
  const tools = await installControlPlaneTools(cacheDir, say);
  const places = kubePlaces(root);
  makeKubePlaces(places);
  const stops = new StopOrder();
  return await stops.guard(async () => {
    const controlPlane = await startControlPlane(tools, places);
    stops.add(async () => await controlPlane.stop());
    const nodes = await startSimulatedNodes(controlPlane);
    stops.add(async () => await nodes.stop());
    const { kubectl } = controlPlane;
    await kubectl.apply(namespaceManifest(NAMESPACE));
    const helm = new Helm(tools.helm, places.adminKubeconfig, NAMESPACE);
    return { kubectl, helm, places, stop: async () => await stops.run() };
  });
}
