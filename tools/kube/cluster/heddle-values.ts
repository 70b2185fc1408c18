// Values of the two releases on the development cluster. JSON is YAML, so they are written as JSON.

export const NAMESPACE = 'heddle';
export const PLATFORM_RELEASE = 'heddle';
export const DEPLOYMENT_RELEASE = 'demo';
export const DEPLOYMENT_LABEL = 'demo';
const API_HOST = 'localhost';
const REGISTRY_HOST = 'registry.localhost';
const DEPLOYMENT_HOST = 'deployments.localhost';
export const SECRETS = { s3: 'heddle-s3', calls: 'heddle-calls', deployment: 'heddle-demo' } as const;

export interface PlatformPlan {
  readonly image: { readonly tag: string };
  readonly brokers: readonly string[];
  readonly s3: { readonly endpoint: string; readonly bucket: string };
}

/** Small enough for one machine: two cores run everything at once. */
export function platformValues({ image, brokers, s3 }: PlatformPlan): object {
  // Limits are those of the chart.
  const small = { requests: { cpu: '10m', memory: '128Mi' } };
  const called = ['validation', 'assets', 'jobs', 'logs'];
  return {
    image: { tag: image.tag },
    hosts: { api: API_HOST, deployments: DEPLOYMENT_HOST, registry: REGISTRY_HOST },
    auth: { existingSecret: 'heddle-auth' },
    identity: { existingSecret: 'heddle-identity', tls: { existingSecret: SECRETS.calls } },
    database: { existingSecret: 'heddle-database' },
    kafka: { brokers, replication: 1, partitions: 3 },
    s3: { endpoint: s3.endpoint, bucket: s3.bucket, existingSecret: SECRETS.s3 },
    services: {
      ...Object.fromEntries(['gateway', ...called].map((name) => [name, { resources: small }])),
      registry: { enabled: true, resources: small },
    },
    workers: {
      engineMemoryMb: 1024,
      resources: { requests: { cpu: '10m', memory: '256Mi' }, limits: { memory: '1280Mi' } },
    },
  };
}

export interface DeploymentPlan {
  readonly digest: string;
  readonly revision: string;
  /** Values of `workers.autoscaling`. */
  readonly autoscaling?: object;
  readonly settings?: object;
  /** Values of `environment.engine`. */
  readonly engine?: object;
}

export function deploymentValues({
  digest,
  revision,
  autoscaling = {},
  settings = {},
  engine = {},
}: DeploymentPlan): object {
  return {
    image: { digest },
    deployment: { label: DEPLOYMENT_LABEL },
    environment: { revision, engine },
    platform: { release: PLATFORM_RELEASE, namespace: NAMESPACE, host: DEPLOYMENT_HOST },
    identity: { existingSecret: SECRETS.deployment, tls: { existingSecret: SECRETS.calls } },
    settings,
    workers: {
      autoscaling,
      engineMemoryMb: 1024,
      resources: { requests: { cpu: '10m', memory: '256Mi' }, limits: { memory: '1280Mi' } },
    },
  };
}
