import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** A secret that tests search for everywhere, in all encodings. */
export class Canary {
  readonly text: string;
  /** Plain, in hexadecimal, and in base64 at each of the three offsets */
  readonly forms: readonly string[];

  /** `text`: a secret that Heddle made; by default a new one. */
  constructor(text = `canary${crypto.randomUUID().replaceAll('-', '')}`) {
    this.text = text;
    this.forms = [
      text,
      Buffer.from(text).toString('hex'),
      ...[0, 1, 2].map((skip) => Buffer.from(text.slice(skip)).toString('base64').slice(0, 40)),
    ];
  }

  isIn(text: string): boolean {
    return this.forms.some((form) => text.includes(form));
  }

  /** Searches the tables of the embedded database. */
  async tables(dataDir: string): Promise<{ hits: string[]; searched: number }> {
    return withOwner(dataDir, async (client) => await this.tablesOf(client));
  }

  /** Searches the tables of the database that its owner is connected to. */
  async tablesOf(client: pg.Client): Promise<{ hits: string[]; searched: number }> {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
    );
    const hits: string[] = [];
    for (const { name } of rows) {
      for (const form of this.forms) {
        const sql = `select 1 from ${name} t where position($1 in t::text) > 0 limit 1`;
        if ((await client.query(sql, [form])).rowCount !== 0) hits.push(name);
      }
    }
    return { hits, searched: rows.length };
  }

  /** Searches the files of the data directory: tables, WAL, blobs, temporary files. */
  async files(dataDir: string): Promise<{ hits: string[]; bytes: number }> {
    await withOwner(dataDir, (client) => client.query('checkpoint'));
    return await this.filesIn([dataDir, ...(await relocated(dataDir))]);
  }

  /** Searches every file below these folders. */
  async filesIn(folders: readonly string[]): Promise<{ hits: string[]; bytes: number }> {
    const needles = this.forms.map((form) => Buffer.from(form));
    const hits: string[] = [];
    let bytes = 0;
    for (const folder of folders) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const content = await readFile(path).catch(() => Buffer.alloc(0));
        bytes += content.length;
        if (needles.some((needle) => content.includes(needle))) hits.push(path);
      }
    }
    return { hits, bytes };
  }
}

/** Folders of the embedded server outside of the data directory, if its user may not enter that. */
async function relocated(dataDir: string): Promise<string[]> {
  const note = await readFile(join(dataDir, 'postgres', 'LOCATION'), 'utf8').catch(() => '');
  const folder = /are in (\S+):/.exec(note)?.[1];
  return folder === undefined ? [] : [folder];
}

/** Connects as the owner to the embedded database of a running standalone. */
async function withOwner<Result>(dataDir: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const [password, port] = await Promise.all(
    ['owner-password', 'port'].map(async (file) => (await readFile(join(dataDir, 'postgres', file), 'utf8')).trim()),
  );
  const client = new pg.Client({ host: '127.0.0.1', port: Number(port), user: 'heddle', database: 'heddle', password });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
