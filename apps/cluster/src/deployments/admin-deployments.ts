import type { DeploymentId, WorkerPool } from '@heddle/contracts-messages';

/** A deployment as the admin API shows it. */
export interface ShownDeployment {
  readonly label: string;
  readonly host: string | null;
  /** The pools that need workers: of the current revision, of the one that a re-pin waits for, and of older ones with jobs. */
  readonly pools: readonly WorkerPool[];
  /** It waits for its first worker, and takes no submissions yet. */
  readonly isStarting: boolean;
}

const ANSWER_MS = 10_000;

/** The calls of the admin API that a launcher makes. */
export class AdminDeployments {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Makes it, or finds the one of an earlier start. `engine`: what its workers run. */
  async ensure(label: string, engine: string): Promise<ShownDeployment> {
    const body = { label, provider: 'external', environment: { engine } };
    const made = await this.#call('POST', '', body);
    if (made.status === 201 || made.status === 200) return shownOf(made.body);
    const found = await this.#call('GET', `/${label}`);
    if (found.status === 200) return shownOf(found.body);
    throw new Error(`the deployment ${label} cannot be made: ${messageOf(made.body)}`);
  }

  /** Those of the stage production that are not deleted. */
  async list(): Promise<readonly ShownDeployment[]> {
    const { status, body } = await this.#call('GET', '');
    const items = fieldsOf(body)['deployments'];
    if (status !== 200 || !Array.isArray(items)) throw new Error(`no list of deployments: ${messageOf(body)}`);
    return items.filter((item) => fieldsOf(item)['stage'] === 'production').map(shownOf);
  }

  async #call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${this.url}/admin/v1/deployments${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: answer.status, body: await answer.json() };
  }
}

function shownOf(body: unknown): ShownDeployment {
  const fields = fieldsOf(body);
  const deploymentId = String(fields['deployment_id']) as DeploymentId;
  const retiring = Array.isArray(fields['retiring_revisions']) ? fields['retiring_revisions'] : [];
  const named: readonly unknown[] = [fields['revision'], fields['next_revision'], ...retiring];
  const revisions = named.filter((one) => typeof one === 'number');
  return {
    label: String(fields['label']),
    host: typeof fields['host'] === 'string' ? fields['host'] : null,
    pools: revisions.map((revision) => ({ deploymentId, revision })),
    isStarting: fields['status'] === 'provisioning' || fields['status'] === 'starting',
  };
}

function messageOf(body: unknown): string {
  return String(fieldsOf(fieldsOf(body)['error'])['message']);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
