import { builtinObjectInfo } from '@heddle/engine-builtin';
import { PostgresServer } from '@heddle/platform-database';
import { eventually, jsonOf } from '@heddle/testing-api';
import type { Answer, Graph } from '@heddle/testing-api';
import pg from 'pg';
import { DEPLOYMENT_HOST } from '../security/keyed-heddle.ts';
import type { KeyedHeddle } from '../security/keyed-heddle.ts';

/** As `heddle deployments show --json` prints it. */
export interface Shown {
  readonly status: string;
  readonly reason: string;
  readonly revision: number;
  readonly next_revision: number | null;
  readonly workers: number;
}

/** A deployment of a running Heddle, with its operator and one client. */
export class RepinnedDeployment {
  constructor(
    readonly heddle: KeyedHeddle,
    readonly label: string,
    readonly key: string,
    /** Ids of accepted jobs, also of those before a restart. */
    readonly accepted: string[] = [],
  ) {}

  async change(verb: string, body?: object): Promise<Shown> {
    return (await this.heddle.admin('POST', `deployments/${this.label}/${verb}`, body)) as Shown;
  }

  async reached(what: string, holds: (shown: Shown) => boolean): Promise<Shown> {
    return await eventually(what, async () => {
      const shown = (await this.heddle.admin('GET', `deployments/${this.label}`)) as Shown;
      return holds(shown) ? shown : null;
    });
  }

  async submit(workflow: Graph): Promise<Answer> {
    const answer = await this.#ask('POST', '/api/v2/jobs', JSON.stringify({ workflow }));
    if (answer.status === 201) this.accepted.push(jsonOf<{ id: string }>(answer).id);
    return answer;
  }

  /** The end of each accepted job, by its status. */
  async ends(): Promise<readonly string[]> {
    const ends = this.accepted.map(async (id) => {
      const status = await eventually('the end of a job', async () => {
        const job = jsonOf<{ status: string }>(await this.#ask('GET', `/api/v2/jobs/${id}`));
        return ['queued', 'running'].includes(job.status) ? null : job.status;
      });
      return `${status}, ${(await this.#ask('GET', `/api/v2/jobs/${id}/logs`)).status}`;
    });
    return [...new Set(await Promise.all(ends))];
  }

  async #ask(method: string, target: string, body?: string): Promise<Answer> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const host = `${this.label}.${DEPLOYMENT_HOST}`;
    return await this.heddle.ask(this.key, { method, target, host, headers, ...(body === undefined ? {} : { body }) });
  }
}

/** The classes of the built-in engine without one of them. */
export function catalogueWithout(classType: string): object {
  process.env['HEDDLE_TEST_NODES'] = '1';
  const { [classType]: without, ...classes } = JSON.parse(builtinObjectInfo()) as Record<string, object>;
  if (without === undefined) throw new Error(`the built-in engine has no class ${classType}`);
  return classes;
}

const ranOnSql = `
with of_job as (
  select stream_id, (convert_from(data, 'UTF8')::json ->> 'revision')::int as revision from jobs.event
  where type = 'JobSubmitted' and schema_version = 2
)
select s.revision, count(*)::int as leases, count(distinct s.stream_id)::int as jobs,
  bool_and(1 = (select count(distinct o.revision) from jobs.event other join of_job o on o.stream_id = other.stream_id
    where other.type = 'JobLeased'
      and convert_from(other.data, 'UTF8')::json ->> 'workerId' = convert_from(l.data, 'UTF8')::json ->> 'workerId'
  )) as of_one_revision
from of_job s join jobs.event l on l.stream_id = s.stream_id and l.type = 'JobLeased'
group by s.revision order by s.revision`;

/** By the log: how many jobs of each revision were leased, how often, and whether each worker had one revision. */
export async function ranOn(
  dataDir: string,
): Promise<readonly { revision: number; leases: number; jobs: number; of_one_revision: boolean }[]> {
  const server = new PostgresServer({ dataDir });
  const client = new pg.Client({ connectionString: server.url(server.running()!.port, 'heddle') });
  await client.connect();
  try {
    return (await client.query<{ revision: number; leases: number; jobs: number; of_one_revision: boolean }>(ranOnSql))
      .rows;
  } finally {
    await client.end();
  }
}
