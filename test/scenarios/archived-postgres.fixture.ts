import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@heddle/testing-api';
import type { PrivateServer } from '@heddle/testing-database';
import pg from 'pg';

/** A PostgreSQL server whose write-ahead log is archived, as an operator keeps it for a restore to a point in time. */
export class ArchivedPostgres {
  readonly #server: PrivateServer;
  readonly #archive: string;
  readonly #backup: string;

  constructor(server: PrivateServer) {
    this.#server = server;
    // The server's user can enter this folder.
    this.#archive = join(server.server.folder.home, 'archive');
    this.#backup = join(server.server.folder.home, 'backup');
  }

  get #pgdata(): string {
    return this.#server.server.folder.pgdata;
  }

  /** Restarts the server. */
  async archive(): Promise<void> {
    mkdirSync(this.#archive, { mode: 0o700 });
    this.#own(this.#archive);
    await this.#sql(`alter system set archive_mode = on`);
    await this.#sql(
      `alter system set archive_command = 'test ! -f "${this.#archive}/%f" && cp %p "${this.#archive}/%f"'`,
    );
    await this.#server.server.stop();
    await this.#server.start();
  }

  /** As `pg_basebackup` does it: a copy of the running server's files, made whole by the log that is written meanwhile. */
  async backUp(meanwhile: () => Promise<void>): Promise<void> {
    const session = new pg.Client({ connectionString: this.#server.url() });
    await session.connect();
    await session.query(`select pg_backup_start('nightly', true)`);
    await meanwhile();
    execFileSync('cp', ['-a', this.#pgdata, this.#backup]);
    const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await session.end();
    rmSync(join(this.#backup, 'postmaster.pid'));
    for (const segment of readdirSync(join(this.#backup, 'pg_wal')))
      rmSync(join(this.#backup, 'pg_wal', segment), { recursive: true });
    this.#write(join(this.#backup, 'backup_label'), rows[0]!.labelfile);
  }

  /** The server's clock. */
  async now(): Promise<string> {
    return await this.#sql('select clock_timestamp()::text as value');
  }

  /** Resolves when everything that is committed now is in the archive. */
  async flush(): Promise<void> {
    const segment = await this.#sql('select pg_walfile_name(pg_switch_wal()) as value');
    const isThere = (): boolean => readdirSync(this.#archive).includes(segment);
    await eventually(`segment ${segment} in the archive`, isThere);
  }

  /** Loses the server, and makes a new one of the backup and of the archive up to `time`. */
  async restore(time: string): Promise<void> {
    await this.#server.kill();
    rmSync(this.#pgdata, { recursive: true });
    execFileSync('cp', ['-a', this.#backup, this.#pgdata]);
    this.#write(join(this.#pgdata, 'recovery.signal'), '');
    appendFileSync(
      join(this.#pgdata, 'postgresql.auto.conf'),
      [
        `restore_command = 'cp "${this.#archive}/%f" "%p"'`,
        `recovery_target_time = '${time}'`,
        `recovery_target_action = 'promote'`,
        '',
      ].join('\n'),
    );
    await this.#server.start();
  }

  async #sql(sql: string): Promise<string> {
    const client = new pg.Client({ connectionString: this.#server.url() });
    await client.connect();
    try {
      return (await client.query<{ value: string }>(sql)).rows[0]?.value ?? '';
    } finally {
      await client.end();
    }
  }

  #write(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
    this.#own(file);
  }

  #own(path: string): void {
    const { uid, gid } = statSync(this.#pgdata);
    chownSync(path, uid, gid);
  }
}
