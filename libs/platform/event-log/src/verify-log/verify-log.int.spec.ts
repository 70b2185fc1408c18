import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkpointFileName, checkpointJson, Sequencer, sign, verifyLog } from '../index.js';
import type { LogReport, VerifyLogOptions } from '../index.js';
import { EVENT_LINK } from '../schema/event-link.js';
import { anEvent, append, LOG_MIGRATIONS, ROLE, SCHEMA, unnumberedSql, until } from '../event-log.fixture.js';

const EVENTS = 20;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** Twenty events: jobs of five versions each, in sequence. */
describe('the verification of a log', () => {
  let db: TestDatabase;
  let folder: string;
  let logId: string;
  const chains = new Map<bigint, Buffer>();

  beforeAll(async () => {
    db = await freshDatabase({ migrations: LOG_MIGRATIONS });
    const ids = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const id of ids)
      for (let version = 1; version <= 5; version++) {
        const data = Buffer.from(`{"version":${version}}`);
        const extras = {
          fence: 1,
          correlationId: version === 2 ? 'ä-request' : null,
          causationId: version === 3 ? id : null,
        };
        await append(db.pool(ROLE), anEvent(id, version, { data, isTerminal: version === 4, ...extras }));
      }
    await numbered(EVENTS);
    for (const row of (await db.owner.query<{ seq: string; chain: Buffer }>('select seq, chain from log.event_seq'))
      .rows)
      chains.set(BigInt(row.seq), row.chain);
    logId = (await db.owner.query<{ log_id: string }>('select log_id from log.log_identity')).rows[0]!.log_id;
  });
  afterAll(async () => {
    await db.drop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-checkpoints-'));
    await writeFile(join(folder, 'key.pub.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
    return async () => await rm(folder, { recursive: true });
  });

  async function numbered(count: number): Promise<void> {
    const sequencer = new Sequencer({ pool: db.pool(ROLE), schema: SCHEMA, takeOver: true });
    sequencer.start();
    const text = 'select count(*)::int as n from log.event_seq';
    await until('all is numbered', async () => (await db.owner.query<{ n: number }>(text)).rows[0]!.n === count);
    await sequencer.stop();
  }

  const signedAt = (seq: bigint, changes: { logId?: string; chain?: Buffer } = {}) =>
    sign(
      { logId, seq, chain: chains.get(seq) ?? Buffer.alloc(32), recordedAt: '2026-11-23T11:20:00.000Z', ...changes },
      privateKey,
    );
  const store = async (seq: bigint, changes: Parameters<typeof signedAt>[1] = {}): Promise<void> =>
    await writeFile(join(folder, checkpointFileName(seq)), checkpointJson(signedAt(seq, changes)));

  /** Returns the faults found after the owner ran `sql` with the triggers disabled; rolls back afterwards. */
  async function tampered(sql: string, options: VerifyLogOptions = {}): Promise<LogReport> {
    const client = await db.owner.connect();
    try {
      await client.query('begin; set local session_replication_role = replica');
      await client.query(sql);
      return await verifyLog(client, SCHEMA, options);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('finds nothing in a log that nobody touched, and gives its end', async () => {
    await store(7n);
    await store(20n);
    const report = await verifyLog(db.pool(ROLE), SCHEMA, {
      checkpoints: folder,
      head: { seq: 20n, chain: chains.get(20n)! },
    });
    expect(report).toEqual({ events: 20n, firstSeq: 1n, lastSeq: 20n, chain: chains.get(20n), faults: [] });
  });

  it('finds nothing in an empty log', async () => {
    const empty = await freshDatabase({ migrations: LOG_MIGRATIONS });
    const report = await verifyLog(empty.pool(ROLE), SCHEMA).finally(() => empty.drop());
    expect(report).toEqual({ events: 0n, firstSeq: 1n, lastSeq: 0n, chain: Buffer.alloc(32), faults: [] });
  });

  it.each([
    ['a payload', `update log.event set data = '{"version":9}' where position = 8`],
    ['an account', 'update log.event set account_id = gen_random_uuid() where position = 8'],
    ['a time', `update log.event set recorded_at = recorded_at + interval '1 ms' where position = 8`],
    ['a correlation id', `update log.event set correlation_id = 'x' where position = 8`],
    ['a chain', `update log.event_seq set chain = sha256(chain) where seq = 8`],
    [
      'a payload beside its digest',
      'alter table log.event drop constraint event_row; update log.event set data_digest = sha256(data) where position = 8',
    ],
    [
      'a payload under a kept digest',
      `alter table log.event drop constraint event_row; update log.event set data_digest = sha256(data), data = '{"version":9}' where position = 8`,
    ],
    ['a digest', `update log.event set data_digest = sha256('x'), data = null where position = 8`],
  ])('names the event whose stored bytes were changed: %s', async (_, sql) => {
    const { faults } = await tampered(sql);
    expect(faults[0]).toMatchObject({ fault: 'hash', seq: 8n });
  });

  it('accepts an event whose payload was replaced by its digest', async () => {
    const { faults } = await tampered(
      'update log.event set data_digest = sha256(data), data = null where position = 8',
    );
    expect(faults).toEqual([]);
  });

  it('goes on behind a fault, and names a second change at its own number', async () => {
    const { faults } = await tampered(`update log.event set data = '{"version":9}' where position in (3, 8)`);
    expect(faults.map(({ fault, seq }) => [fault, seq])).toEqual([
      ['hash', 3n],
      ['hash', 8n],
    ]);
    expect(faults[0]).toMatchObject({
      version: 3,
      streamId: expect.any(String) as string,
      eventId: expect.any(String) as string,
    });
  });

  it('tells of at most 20 faults', async () => {
    const { faults } = await tampered(
      `update log.event set data = '{"version":9}'; update log.event_seq set chain = sha256(chain)`,
    );
    expect(faults).toHaveLength(20);
  });

  it.each([
    ['an event', 'delete from log.event where position = 8', 8n],
    [
      'an event and its number',
      'delete from log.event where position = 8; delete from log.event_seq where seq = 8',
      8n,
    ],
    ['the last event', 'delete from log.event where position = 20', 20n],
    ['the first events', 'delete from log.event where position < 4; delete from log.event_seq where seq < 4', 1n],
  ])('finds that something is gone: %s', async (_, sql, seq) => {
    const { faults } = await tampered(sql);
    expect(faults).toEqual([expect.objectContaining({ fault: 'gap', seq })]);
  });

  it('tells of a long hole once', async () => {
    const { faults } = await tampered('delete from log.event where position between 5 and 15');
    expect(faults).toEqual([
      expect.objectContaining({ fault: 'gap', seq: 5n, message: 'the events of 5 to 15 are missing' }),
    ]);
  });

  it('finds an event before its predecessor, also where the chain was computed anew', async () => {
    const { faults } = await tampered(`alter table log.event_seq drop constraint event_seq_position_key;
      update log.event_seq s set position = o.position, txid = o.txid
        from log.event_seq o where s.seq in (7, 8) and o.seq = 15 - s.seq`);
    expect(faults).toContainEqual(expect.objectContaining({ fault: 'version_order', seq: 7n, version: 3 }));
  });

  it.each([
    ['behind', '(select txid from log.event where position = 8)'],
    ['far behind', `'0'::xid8`],
  ])('finds an event that never got a number, and that the sequencer has passed: %s', async (_, txid) => {
    const { faults } = await tampered(unnumberedSql(8, txid));
    expect(faults).toEqual([expect.objectContaining({ fault: 'unsequenced', version: 1 })]);
  });

  it('leaves alone what is held, and what waits for the sequencer', async () => {
    const held = `insert into log.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, data, txid)
      select gen_random_uuid(), gen_random_uuid(), 2, type, 1, account_id, deployment_id, data, '0'::xid8 from log.event where position = 8;
      insert into log.event_held select stream_id, version, txid, position, now() from log.event where txid = '0';
      insert into log.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, data)
      select gen_random_uuid(), gen_random_uuid(), 1, type, 1, account_id, deployment_id, data from log.event where position = 8`;
    expect((await tampered(held)).faults).toEqual([]);
  });

  describe('of its end', () => {
    const cut = 'delete from log.event where position > 15; delete from log.event_seq where seq > 15;';
    const rewound = `${cut} update log.seq_cursor set (seq, chain, position) = (select seq, chain, position from log.event_seq where seq = 15);`;

    it('finds a tail that was cut off before the cursor', async () => {
      const { faults } = await tampered(cut);
      const message = 'the log ends at seq 15, the sequencer has numbered up to 20';
      expect(faults).toEqual([expect.objectContaining({ fault: 'head', seq: 15n, message })]);
    });

    it('finds a cut tail whose cursor went back with it: by a reader, a head, a checkpoint', async () => {
      expect((await tampered(rewound)).faults).toEqual([]);
      const reader = `insert into log.relay_cursor (consumer, seq, epoch, holder, lease_until) values ('r', 20, 1, '', now());`;
      expect((await tampered(rewound + reader)).faults).toEqual([expect.objectContaining({ fault: 'head', seq: 15n })]);
      const head = { seq: 20n, chain: chains.get(20n)! };
      expect((await tampered(rewound, { head })).faults).toEqual([
        expect.objectContaining({ fault: 'head', seq: 20n }),
      ]);
      await store(20n);
      const { faults } = await tampered(rewound, { checkpoints: folder });
      expect(faults).toEqual([
        expect.objectContaining({ fault: 'checkpoint', seq: 20n, file: '00000000000000000020.json' }),
      ]);
    });

    it('finds that the chain at the head is another one', async () => {
      const { faults } = await tampered('select', { head: { seq: 9n, chain: chains.get(10n)! } });
      expect(faults).toEqual([expect.objectContaining({ fault: 'head', seq: 9n })]);
    });

    it('finds that the cursor has another chain', async () => {
      const { faults } = await tampered('update log.seq_cursor set chain = sha256(chain)');
      expect(faults).toEqual([expect.objectContaining({ fault: 'head', seq: 20n })]);
    });
  });

  describe('against checkpoints', () => {
    /** The owner changes one event and recomputes every chain, so that the log is consistent with itself. */
    const rewrite = `
      update log.event set account_id = gen_random_uuid() where position = 3;
      do $$ declare r record; c bytea := decode(repeat('00', 32), 'hex'); begin
        for r in select s.seq, ${EVENT_LINK} as link from log.event_seq s join log.event e using (position) order by s.seq loop
          c := sha256(c || r.link);
          update log.event_seq set chain = c where seq = r.seq;
        end loop;
        update log.seq_cursor set chain = c;
      end $$`;

    it('finds a log that was rewritten as a whole', async () => {
      expect((await tampered(rewrite)).faults).toEqual([]);
      await store(2n);
      await store(15n);
      const { faults } = await tampered(rewrite, { checkpoints: folder });
      expect(faults).toEqual([
        expect.objectContaining({ fault: 'checkpoint', seq: 15n, file: '00000000000000000015.json' }),
      ]);
    });

    it.each([
      [
        'forged',
        async () =>
          await writeFile(
            join(folder, checkpointFileName(7n)),
            checkpointJson({ ...signedAt(7n), chain: chains.get(8n)! }),
          ),
        /forged/,
      ],
      ['of another log', async () => await store(7n, { logId: randomUUID() }), /another log/],
      [
        'under the name of another',
        async () => await writeFile(join(folder, checkpointFileName(8n)), checkpointJson(signedAt(7n))),
        /a checkpoint of seq 7/,
      ],
      ['junk', async () => await writeFile(join(folder, checkpointFileName(7n)), 'junk'), /not a JSON object/],
      [
        'a file of a gigabyte',
        async () => {
          await writeFile(join(folder, checkpointFileName(7n)), '');
          await truncate(join(folder, checkpointFileName(7n)), 2 ** 30);
        },
        /1073741824 bytes/,
      ],
      ['a link', async () => await symlink('/etc/hostname', join(folder, checkpointFileName(7n))), /symbolic link/],
      [
        'signed by another key',
        async () => {
          const other = sign(signedAt(7n), generateKeyPairSync('ed25519').privateKey);
          await writeFile(join(folder, checkpointFileName(7n)), checkpointJson(other));
        },
        /signed by the key/,
      ],
      [
        'without a public key',
        async () => {
          await store(7n);
          await rm(join(folder, 'key.pub.pem'));
        },
        /key.pub.pem is missing/,
      ],
    ])('finds a checkpoint that is %s', async (_, make, message) => {
      await make();
      const { faults } = await verifyLog(db.pool(ROLE), SCHEMA, { checkpoints: folder });
      expect(faults).toEqual([
        expect.objectContaining({ fault: 'checkpoint', message: expect.stringMatching(message) as string }),
      ]);
      expect(faults[0]!.file).not.toBeNull();
    });

    it('leaves other files of the folder alone, and refuses a folder that is not there', async () => {
      await writeFile(join(folder, '.00000000000000000007.json.tmp'), 'half');
      await writeFile(join(folder, 'notes.txt'), 'x');
      expect((await verifyLog(db.pool(ROLE), SCHEMA, { checkpoints: folder })).faults).toEqual([]);
      await expect(verifyLog(db.pool(ROLE), SCHEMA, { checkpoints: join(folder, 'none') })).rejects.toThrow(
        /cannot be read/,
      );
    });

    const inDatabase = (seq: bigint, chain = chains.get(seq)!): string => {
      const { keyId, signature, recordedAt } = signedAt(seq);
      return `insert into log.checkpoint values (${seq}, '\\x${chain.toString('hex')}', '${recordedAt}', '${keyId}', '\\x${signature.toString('hex')}');`;
    };

    it('finds a checkpoint of the database that is forged, and one whose file is gone', async () => {
      await store(7n);
      expect((await tampered(inDatabase(7n), { checkpoints: folder })).faults).toEqual([]);
      const forged = await tampered(inDatabase(7n, chains.get(8n)), { checkpoints: folder });
      expect(forged.faults).toEqual([
        expect.objectContaining({ fault: 'checkpoint', seq: 7n, message: expect.stringMatching(/forged/) as string }),
      ]);
      const gone = await tampered(inDatabase(9n), { checkpoints: folder });
      expect(gone.faults).toEqual([
        expect.objectContaining({ fault: 'checkpoint', seq: 9n, message: expect.stringMatching(/no file/) as string }),
      ]);
    });

    const aged = `insert into log.event_partition (name, detached_at) values ('event_old', now());
      delete from log.event where position <= 5; delete from log.event_seq where seq <= 5;`;

    it('begins a log that has aged at its checkpoint, and misses one that is gone', async () => {
      await store(5n);
      const report = await tampered(aged, { checkpoints: folder });
      expect(report).toMatchObject({ events: 15n, firstSeq: 6n, lastSeq: 20n, faults: [] });
      expect((await tampered(inDatabase(5n) + aged)).faults).toEqual([]);
      expect((await tampered(aged)).faults[0]).toMatchObject({ fault: 'checkpoint', seq: 5n });
    });

    it('begins at the next checkpoint while the numbers before it leave', async () => {
      await store(10n);
      const leaving = `insert into log.event_partition (name, detached_at) values ('event_old', now());
        delete from log.event where position <= 10; update log.event_seq set link = 'x' where seq <= 10;
        delete from log.event_seq where seq <= 4;`;
      const report = await tampered(leaving, { checkpoints: folder });
      expect(report).toMatchObject({ events: 10n, firstSeq: 11n, faults: [] });
    });

    it('checks signatures with a public key that is kept elsewhere', async () => {
      await store(7n);
      const elsewhere = join(folder, 'elsewhere.pem');
      const other = generateKeyPairSync('ed25519').publicKey;
      await writeFile(elsewhere, other.export({ type: 'spki', format: 'pem' }));
      const { faults } = await verifyLog(db.pool(ROLE), SCHEMA, { checkpoints: folder, publicKeyFile: elsewhere });
      expect(faults).toEqual([expect.objectContaining({ fault: 'checkpoint', seq: 7n })]);
    });

    it('counts events of a detached partition as present by their links', async () => {
      const detached = `
        update log.event_seq s set link = ${EVENT_LINK}
          from log.event e where e.position = s.position and s.seq between 6 and 10;
        delete from log.event where position between 6 and 10;`;
      expect(await tampered(detached)).toMatchObject({ events: 20n, faults: [] });
      const { faults } = await tampered(`${detached} update log.event_seq set link = link || 'x' where seq = 8`);
      expect(faults).toEqual([expect.objectContaining({ fault: 'hash', seq: 8n })]);
    });

    it('begins at the newest checkpoint that is trusted, where that is asked for', async () => {
      const changed = `update log.event set data = '{"version":9}' where position = 3`;
      await store(7n);
      const options = { checkpoints: folder, afterCheckpoint: true };
      expect(await tampered(changed, options)).toMatchObject({ events: 13n, firstSeq: 8n, faults: [] });
      expect(await tampered(unnumberedSql(3), options)).toMatchObject({ faults: [] });
      expect(await tampered(unnumberedSql(12), options)).toMatchObject({ faults: [{ fault: 'unsequenced' }] });
      await rm(join(folder, checkpointFileName(7n)));
      await expect(tampered('select', options)).rejects.toThrow(/no checkpoint/);
    });
  });

  it.each([
    ['gone', `insert into log.event_partition (name) values ('event_gone')`, /event_gone is not attached/],
    [
      'attached again',
      `update log.event_partition set detached_at = now() where name = (select min(name) from log.attached_partitions() join log.event_partition using (name))`,
      /was detached and is attached again/,
    ],
  ])('finds a partition that is %s', async (_, sql, message) => {
    const { faults } = await tampered(sql);
    const found = { fault: 'partition', message: expect.stringMatching(message) as string };
    expect(faults).toEqual([expect.objectContaining(found)]);
  });

  it('names the partition that was dropped with its events', async () => {
    const dropped = `do $$ begin execute 'drop table log.' || (select name from log.attached_partitions() join log.event_partition using (name)
      where event_partition.to_id is not null and exists (select from log.event where stream_id < event_partition.to_id and stream_id >= event_partition.from_id) order by event_partition.to_id limit 1); end $$`;
    const { faults } = await tampered(dropped);
    expect(faults[0]).toMatchObject({
      fault: 'partition',
      message: expect.stringMatching(/is not attached/) as string,
    });
  });
});
