import type { Kubectl } from '../control-plane/kubectl.ts';
import type { KubePlaces } from '../kube-places.ts';
import type { Helm } from './helm.ts';
import { heddleJson } from './heddle-command.ts';
import {
  DEPLOYMENT_LABEL,
  DEPLOYMENT_RELEASE,
  deploymentValues,
  type DeploymentPlan,
  NAMESPACE,
  PLATFORM_RELEASE,
  SECRETS,
} from './heddle-values.ts';
import { installRelease } from './install-platform.ts';
import { secretManifest, type ReleaseKeys } from './release-secrets.ts';

export interface DemoPlace {
  readonly kubectl: Kubectl;
  readonly helm: Helm;
  readonly places: KubePlaces;
  readonly keys: ReleaseKeys;
}

/** Beside what the development cluster has. */
export interface DemoOptions extends Pick<DeploymentPlan, 'autoscaling' | 'settings' | 'engine'> {
  /** Of the deployment; default: that of the built-in engine. */
  readonly environmentFile?: string;
}

/**
 * Makes the deployment `demo` over the admin API, then its workers; resolves with the seconds until they were ready.
 */
export async function installDemo(
  { kubectl, helm, places, keys }: DemoPlace,
  digest: string,
  { environmentFile, ...more }: DemoOptions = {},
): Promise<number> {
  const env = { HEDDLE_ADMIN_URL: await adminUrl(kubectl), HEDDLE_ADMIN_TOKEN: keys.adminToken };
  const environment = environmentFile === undefined ? [] : ['--environment', environmentFile];
  const created = await heddleJson(['deployments', 'create', DEPLOYMENT_LABEL, ...environment], env).catch(
    // A kept database has it.
    async () => await heddleJson(['deployments', 'show', DEPLOYMENT_LABEL], env),
  );
  const [issued] = await heddleJson(['deployments', 'token', DEPLOYMENT_LABEL, '--key', keys.signingKey], env);
  await kubectl.apply(secretManifest(SECRETS.deployment, { 'worker-token': String(issued?.['token']) }));
  const values = deploymentValues({ digest, revision: String(created[0]?.['revision'] ?? 1), ...more });
  const folder = places.configs;
  return await installRelease(helm, { release: DEPLOYMENT_RELEASE, chart: 'heddle-deployment', values, folder });
}

/** The admin API is at the operations port of a gateway, which has no Service. */
export async function adminUrl(kubectl: Kubectl): Promise<string> {
  const selector = `app.kubernetes.io/component=gateway,app.kubernetes.io/instance=${PLATFORM_RELEASE}`;
  const pods = await kubectl.list('pods', '-n', NAMESPACE, '-l', selector, '--field-selector', 'status.phase=Running');
  const address = pods.map(({ status }) => status?.['podIP']).find((ip) => typeof ip === 'string');
  if (address === undefined) throw new Error('no pod of the gateway runs; kubectl -n heddle get pods shows why');
  return `http://${address}:9189`;
}
