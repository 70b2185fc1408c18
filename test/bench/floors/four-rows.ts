import type { Pool } from 'pg';

/** Tables of the submission floors: four rows per submission, the minimum that the product writes. */
export const FOUR_ROW_TABLES = `
  create table if not exists f_job (id uuid primary key, account_id uuid not null, status text not null, created_at timestamptz not null default clock_timestamp());
  create table if not exists f_event (position bigint generated always as identity primary key, stream_id uuid not null, version int not null, data bytea not null, unique (stream_id, version));
  create table if not exists f_key (account_id uuid not null, key text not null, claimed_at timestamptz not null default clock_timestamp(), primary key (account_id, key));
  create table if not exists f_outbox (position bigint generated always as identity primary key, stream_id uuid not null, data bytea not null);
  truncate f_job, f_event, f_key, f_outbox;`;

export interface Submission {
  readonly id: string;
  readonly key: string;
  readonly body: Buffer;
}

const ACCOUNT = '00000000-0000-7000-8000-000000000001';

/** Begin, four inserts, commit: six round trips. */
export async function insertInTransaction(pool: Pool, { id, key, body }: Submission): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'f1',
      text: 'insert into f_key (account_id, key) values ($1, $2)',
      values: [ACCOUNT, key],
    });
    await client.query({
      name: 'f2',
      text: 'insert into f_event (stream_id, version, data) values ($1, 1, $2)',
      values: [id, body],
    });
    await client.query({
      name: 'f3',
      text: "insert into f_job (id, account_id, status) values ($1, $2, 'queued')",
      values: [id, ACCOUNT],
    });
    await client.query({
      name: 'f4',
      text: 'insert into f_outbox (stream_id, data) values ($1, $2)',
      values: [id, body],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}

export const ONE_STATEMENT = `
  with input as (select * from unnest($1::uuid[], $2::text[], $3::bytea[]) as input(id, key, data)),
    k as (insert into f_key (account_id, key) select '${ACCOUNT}', key from input),
    e as (insert into f_event (stream_id, version, data) select id, 1, data from input),
    j as (insert into f_job (id, account_id, status) select id, '${ACCOUNT}', 'queued' from input)
  insert into f_outbox (stream_id, data) select id, data from input`;

/** Inserts the four rows of each submission in one statement. */
export async function insertInOneStatement(pool: Pool, submissions: readonly Submission[]): Promise<void> {
  await pool.query({
    name: 'four-rows',
    text: ONE_STATEMENT,
    values: [submissions.map(({ id }) => id), submissions.map(({ key }) => key), submissions.map(({ body }) => body)],
  });
}

/** Submissions that arrive while two statements are in flight share the next one. Answers each caller after its commit. */
export class CoalescedWriter {
  readonly #pool: Pool;
  #waiting: { submission: Submission; done: () => void; fail: (error: unknown) => void }[] = [];
  #inFlight = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  write(submission: Submission): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ submission, done, fail });
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#inFlight >= 2 || this.#waiting.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#inFlight += 1;
    insertInOneStatement(
      this.#pool,
      batch.map(({ submission }) => submission),
    )
      .then(
        () => batch.forEach(({ done }) => done()),
        (error: unknown) => batch.forEach(({ fail }) => fail(error)),
      )
      .finally(() => {
        this.#inFlight -= 1;
        this.#flush();
      });
  }
}
