// Values that the charts refuse, for refusals.e2e.spec.ts.
import type { Chart } from './charts.ts';

export interface Refusal {
  readonly says: string;
  readonly chart?: Chart;
  readonly values?: string;
  /** `path=value`, as after `--set`; a value that begins with { or [ is JSON. */
  readonly set: readonly string[];
  /** The path of the value, in dots; of the schema's refusals, the path that holds it. */
  readonly path: string;
  /** What the sentence must hold */
  readonly advice?: string;
}

const DIGEST = `sha256:${'0'.repeat(64)}`;
const SECRET = 'postgres://owner:hunter2@db/heddle';

/** What the schema refuses: unknown keys, types, and keys that somebody has removed. */
export const BY_SCHEMA: readonly Refusal[] = [
  { says: 'an unknown key', set: ['colour=red'], path: '' },
  { says: 'an unknown key below services', set: ['services.gateway.memory=1Gi'], path: 'services.gateway' },
  { says: 'an unknown service', set: ['services.billing.replicas=1'], path: 'services' },
  { says: 'an unknown key of an autoscaler', set: ['workers.autoscaling.mod=keda'], path: 'workers.autoscaling' },
  { says: 'a password in the values', set: ['database.password=hunter2'], path: 'database' },
  { says: 'a text for a number', set: ['services.gateway.replicas=two'], path: 'services.gateway.replicas' },
  { says: 'a text for an object', set: ['auth=hunter2'], path: 'auth' },
  { says: 'a number for a tag', set: ['image.tag=1'], path: 'image.tag' },
  { says: 'a removed object', set: ['image=null'], path: '' },
  {
    says: 'an autoscaler of jobs',
    set: ['services.jobs.autoscaling.mode=hpa'],
    path: 'services.jobs.autoscaling.mode',
  },
  { says: 'an unknown surface', set: ['surface=public'], path: 'surface' },
  { says: 'a route of no kind', set: ['route.type=both'], path: 'route.type' },
  { says: 'a short digest', set: ['image.digest=sha256:12'], path: 'image.digest' },
  {
    says: 'a destination without ports',
    set: ['networkPolicy.egress.s3=[{"to":{}}]'],
    path: 'networkPolicy.egress.s3.0',
  },
  { says: 'a route of a deployment', chart: 'heddle-deployment', set: ['route.type=ingress'], path: '' },
  { says: 'a tag of a deployment', chart: 'heddle-deployment', set: ['image.tag=1.0.0'], path: 'image' },
  {
    says: 'a numeric revision',
    chart: 'heddle-deployment',
    set: ['environment.revision=7'],
    path: 'environment.revision',
  },
];

/** What the templates refuse, with one sentence. */
export const BY_SENTENCE: readonly Refusal[] = [
  { says: 'the tag latest', set: ['image.tag=latest'], path: 'image.tag' },
  { says: 'a tag that is none', set: ['image.tag=a b'], path: 'image.tag' },
  { says: 'a tag in the repository', set: ['image.repository=heddle:latest'], path: 'image.repository' },
  {
    says: 'a digest in the repository',
    set: [`image.repository=registry.example.com:5000/heddle@${DIGEST}`],
    path: 'image.repository',
  },
  {
    says: 'a tag in the repository of an engine',
    chart: 'heddle-deployment',
    set: ['environment.engine.image.repository=engine:1'],
    path: 'environment.engine.image.repository',
  },
  {
    says: 'a request of no resource',
    set: ['services.jobs.resources.requests.cpus=1'],
    path: 'services.jobs.resources.requests.cpus',
  },
  {
    says: 'a limit of no resource',
    set: ['workers.resources.limits.memry=1Gi'],
    path: 'workers.resources.limits.memry',
  },
  {
    says: 'a limit of no resource of an engine',
    chart: 'heddle-deployment',
    set: ['environment.engine.resources.limits.gpu=1'],
    path: 'environment.engine.resources.limits.gpu',
  },
  {
    says: 'a label of the selectors on every object',
    set: ['commonLabels={"app.kubernetes.io/name":"other"}'],
    path: 'commonLabels.app.kubernetes.io/name',
  },
  {
    says: 'the label of deployments on pods of a service',
    set: ['services.gateway.podLabels={"heddle.dev/deployment":"acme"}'],
    path: 'services.gateway.podLabels.heddle.dev/deployment',
  },
  {
    says: 'a label of the selectors on workers',
    set: ['workers.podLabels={"app.kubernetes.io/component":"jobs"}'],
    path: 'workers.podLabels.app.kubernetes.io/component',
  },
  {
    says: 'a label of the selectors as an annotation',
    chart: 'heddle-deployment',
    set: ['workers.podAnnotations={"app.kubernetes.io/instance":"other"}'],
    path: 'workers.podAnnotations.app.kubernetes.io/instance',
  },
  { says: 'no Secret of the database', set: ['database.existingSecret='], path: 'database.existingSecret' },
  { says: 'no Secret of identities', set: ['identity.existingSecret='], path: 'identity.existingSecret' },
  { says: 'no Secret of the store', set: ['s3.existingSecret='], path: 's3.existingSecret' },
  { says: 'a vendor at no URL', set: ['vendors.image.url=image.example.com'], path: 'vendors.image.url' },
  { says: 'prices without a Secret', set: ['vendors.prices=true'], path: 'vendors.existingSecret' },
  { says: 'lists without a Secret', set: ['lists.blockedHashes=true'], path: 'lists.existingSecret' },
  { says: 'managed without keys', set: ['auth.existingSecret='], path: 'auth.existingSecret' },
  {
    says: 'self-hosted without a token',
    values: 'self-hosted-values.yaml',
    set: ['auth.existingSecret='],
    path: 'auth.existingSecret',
  },
  { says: 'SASL without a Secret', set: ['kafka.sasl.mechanism=plain'], path: 'kafka.sasl.existingSecret' },
  {
    says: 'a secret as the name of a Secret',
    set: [`database.existingSecret=${SECRET}`],
    path: 'database.existingSecret',
  },
  {
    says: 'a secret in settings',
    set: ['settings.HEDDLE_STATIC_TOKEN=hunter2'],
    path: 'settings.HEDDLE_STATIC_TOKEN',
    advice: 'the key static-token of auth.existingSecret',
  },
  {
    says: 'the scanner of uploads in settings',
    set: ['settings.HEDDLE_MODERATION_URL=https://scan.example.com/?key=hunter2'],
    path: 'settings.HEDDLE_MODERATION_URL',
    advice: 'the key moderation-url of auth.existingSecret',
  },
  {
    says: 'a text for a number in settings',
    set: ['settings.HEDDLE_STREAMS_DRAIN_S=abc'],
    path: 'settings.HEDDLE_STREAMS_DRAIN_S',
  },
  {
    says: 'a fraction of a whole number in settings',
    set: ['settings.HEDDLE_MAX_OUTPUTS=1.5'],
    path: 'settings.HEDDLE_MAX_OUTPUTS',
  },
  {
    says: 'a negative number in settings',
    set: ['settings.HEDDLE_READ_RATE=-1'],
    path: 'settings.HEDDLE_READ_RATE',
  },
  {
    says: 'a text for a number in settings of a deployment',
    chart: 'heddle-deployment',
    set: ['settings.HEDDLE_MAX_OUTPUTS=many'],
    path: 'settings.HEDDLE_MAX_OUTPUTS',
  },
  {
    says: 'a password in a URL in settings',
    set: ['settings.HEDDLE_CORS_ORIGINS=https://u:hunter2@app.example.com'],
    path: 'settings.HEDDLE_CORS_ORIGINS',
  },
  {
    says: 'the file of a secret in settings',
    set: ['settings.HEDDLE_DATABASE_URL_FILE=/x'],
    path: 'settings.HEDDLE_DATABASE_URL_FILE',
  },
  { says: 'an unknown setting', set: ['settings.HEDDLE_COLOUR=red'], path: 'settings.HEDDLE_COLOUR' },
  { says: 'a setting of the chart', set: ['settings.HEDDLE_PORT=80'], path: 'settings.HEDDLE_PORT' },
  { says: 'a file of the chart', set: ['settings.HEDDLE_KEY_PEPPER=/x'], path: 'settings.HEDDLE_KEY_PEPPER' },
  {
    says: 'a setting of the launcher',
    set: ['settings.HEDDLE_SERVICE_TOKEN_LIFE_S=60'],
    path: 'settings.HEDDLE_SERVICE_TOKEN_LIFE_S',
  },
  {
    says: 'a setting in extraEnv',
    set: ['services.jobs.extraEnv.HEDDLE_LEASE_S=9'],
    path: 'services.jobs.extraEnv.HEDDLE_LEASE_S',
    advice: 'move it there',
  },
  {
    says: 'a secret in extraEnv',
    set: ['services.gateway.extraEnv.HEDDLE_STATIC_TOKEN=hunter2'],
    path: 'services.gateway.extraEnv.HEDDLE_STATIC_TOKEN',
    advice: 'the key static-token of auth.existingSecret',
  },
  {
    says: 'a setting of the chart in extraEnv',
    set: ['services.gateway.extraEnv.HEDDLE_PORT=80'],
    path: 'services.gateway.extraEnv.HEDDLE_PORT',
    advice: 'is set by the chart',
  },
  {
    says: 'a secret of the platform in extraEnv of a deployment',
    chart: 'heddle-deployment',
    set: ['workers.extraEnv.HEDDLE_STATIC_TOKEN=hunter2'],
    path: 'workers.extraEnv.HEDDLE_STATIC_TOKEN',
    advice: 'is not a setting that these pods read',
  },
  {
    says: 'a secret in extraEnv of a deployment',
    chart: 'heddle-deployment',
    set: ['workers.extraEnv.HEDDLE_SERVICE_TOKEN=hunter2'],
    path: 'workers.extraEnv.HEDDLE_SERVICE_TOKEN',
    advice: 'the key worker-token of identity.existingSecret',
  },
  {
    says: 'HTTPRoute and Ingress',
    set: [
      'route.type=httproute',
      'hosts.api=a.example.com',
      'route.parentRefs=[{"name":"g"}]',
      'route.ingressClassName=nginx',
    ],
    path: 'route.parentRefs',
  },
  {
    says: 'an HTTPRoute without a Gateway',
    set: ['route.type=httproute', 'hosts.api=a.example.com'],
    path: 'route.parentRefs',
  },
  { says: 'managed without a host', set: ['hosts.api='], path: 'hosts.api' },
  {
    says: 'a registry on managed without a host',
    set: ['services.registry.enabled=true'],
    path: 'hosts.registry',
  },
  { says: 'a route without a host', values: 'self-hosted-values.yaml', set: ['hosts.api='], path: 'hosts.api' },
  {
    says: 'a route of the registry without a host',
    values: 'self-hosted-values.yaml',
    set: ['services.registry.enabled=true'],
    path: 'hosts.registry',
  },
  {
    says: 'another scheme than that of the certificate',
    values: 'self-hosted-values.yaml',
    set: ['settings.HEDDLE_PUBLIC_SCHEME=http'],
    path: 'settings.HEDDLE_PUBLIC_SCHEME',
  },
  {
    says: 'a setting of a vendor, which Heddle does not have',
    set: ['settings.HEDDLE_VIDEOVENDOR_URL=https://v'],
    path: 'settings.HEDDLE_VIDEOVENDOR_URL',
  },
  { says: 'a URL as a host', set: ['hosts.api=https://a.example.com'], path: 'hosts.api' },
  {
    says: 'deployments on self-hosted',
    values: 'self-hosted-values.yaml',
    set: ['hosts.deployments=d.example.com'],
    path: 'hosts.deployments',
  },
  { says: 'grace below the runtime', set: ['workers.graceSeconds=3600'], path: 'workers.graceSeconds' },
  {
    says: 'streams that end after the stop',
    set: ['settings.HEDDLE_STREAMS_DRAIN_S=61'],
    path: 'settings.HEDDLE_STREAMS_DRAIN_S',
  },
  {
    says: 'a stop shorter than the end of streams',
    set: ['services.gateway.stopSeconds=1'],
    path: 'services.gateway.stopSeconds',
  },
  { says: 'plain calls', set: ['identity.tls.existingSecret='], path: 'identity.tls.existingSecret' },
  { says: 'encrypted calls that are said to be plain', set: ['identity.plain=true'], path: 'identity.plain' },
  { says: 'memory below the engines', set: ['workers.slots=2'], path: 'workers.resources.limits.memory' },
  {
    says: 'a request above its limit',
    set: ['services.logs.resources.requests.memory=1Gi'],
    path: 'services.logs.resources.requests.memory',
  },
  {
    says: 'a small body limit',
    values: 'self-hosted-values.yaml',
    set: ['route.annotations.nginx\\.ingress\\.kubernetes\\.io/proxy-body-size=8m'],
    path: 'route.annotations.nginx.ingress.kubernetes.io/proxy-body-size',
  },
  {
    says: 'a buffering Ingress',
    values: 'self-hosted-values.yaml',
    set: ['route.annotations.nginx\\.ingress\\.kubernetes\\.io/proxy-buffering=true'],
    path: 'route.annotations.nginx.ingress.kubernetes.io/proxy-buffering',
  },
  {
    says: 'a short read time-out',
    values: 'self-hosted-values.yaml',
    set: ['route.annotations.nginx\\.ingress\\.kubernetes\\.io/proxy-read-timeout=60'],
    path: 'route.annotations.nginx.ingress.kubernetes.io/proxy-read-timeout',
  },
  { says: 'fewer partitions than replicas', set: ['kafka.partitions=1'], path: 'kafka.partitions' },
  { says: 'no brokers', set: ['kafka.brokers=[]'], path: 'kafka.brokers' },
  { says: 'a broker with a password', set: ['kafka.brokers=["u:hunter2@kafka:9092"]'], path: 'kafka.brokers' },
  { says: 'no endpoint of the store', set: ['s3.endpoint='], path: 's3.endpoint' },
  { says: 'an endpoint with a password', set: ['s3.endpoint=https://u:hunter2@s3'], path: 's3.endpoint' },
  { says: 'no bucket', set: ['s3.bucket='], path: 's3.bucket' },
  { says: 'an unknown alert', set: ['observability.rules.disabled=["Nothing"]'], path: 'observability.rules.disabled' },
  {
    says: 'KEDA without Prometheus',
    set: ['workers.autoscaling.mode=keda'],
    path: 'workers.autoscaling.prometheusAddress',
  },
  {
    says: 'fewer pods than the fewest',
    set: ['services.gateway.autoscaling={"mode":"hpa","max":1}'],
    path: 'services.gateway.autoscaling.min',
  },
  {
    says: 'External Secrets without a store',
    set: ['externalSecrets.enabled=true'],
    path: 'externalSecrets.storeRef.name',
  },
  {
    says: 'a hook before its Secrets',
    set: ['externalSecrets={"enabled":true,"storeRef":{"name":"v"}}'],
    path: 'migrations.hooks',
  },
  { says: 'the label stg', chart: 'heddle-deployment', set: ['deployment.label=stg'], path: 'deployment.label' },
  {
    says: 'the label managed',
    chart: 'heddle-deployment',
    set: ['deployment.label=managed'],
    path: 'deployment.label',
  },
  {
    says: 'a label that is not a DNS label',
    chart: 'heddle-deployment',
    set: ['deployment.label=My_App'],
    path: 'deployment.label',
  },
  {
    says: 'a label that is too long for staging',
    chart: 'heddle-deployment',
    set: [`deployment.label=${'a'.repeat(60)}`, 'deployment.stage=staging'],
    path: 'deployment.label',
  },
  { says: 'no label', chart: 'heddle-deployment', set: ['deployment.label='], path: 'deployment.label' },
  { says: 'a worker without a digest', chart: 'heddle-deployment', set: ['image.digest='], path: 'image.digest' },
  {
    says: 'an engine without a digest',
    chart: 'heddle-deployment',
    set: ['environment.engine.image.repository=e'],
    path: 'environment.engine.image.digest',
  },
  {
    says: 'a digest without an engine',
    chart: 'heddle-deployment',
    set: [`environment.engine.image.digest=${DIGEST}`],
    path: 'environment.engine.image.repository',
  },
  {
    says: 'a GPU without an engine',
    chart: 'heddle-deployment',
    set: ['gpu.mode=devicePlugin'],
    path: 'environment.engine.image.repository',
  },
  { says: 'no revision', chart: 'heddle-deployment', set: ['environment.revision='], path: 'environment.revision' },
  { says: 'no platform', chart: 'heddle-deployment', set: ['platform.release='], path: 'platform.release' },
  { says: 'no token', chart: 'heddle-deployment', set: ['identity.existingSecret='], path: 'identity.existingSecret' },
  {
    says: 'plain calls of a deployment',
    chart: 'heddle-deployment',
    set: ['identity.plain=false'],
    path: 'identity.tls.existingSecret',
  },
  {
    says: 'grace below the runtime of a deployment',
    chart: 'heddle-deployment',
    set: ['limits.maxRuntimeSeconds=7200'],
    path: 'workers.graceSeconds',
  },
  {
    says: 'a setting that no worker reads',
    chart: 'heddle-deployment',
    set: ['settings.HEDDLE_QUEUE_DEPTH=9'],
    path: 'settings.HEDDLE_QUEUE_DEPTH',
  },
];
