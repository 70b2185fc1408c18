import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { PUBLIC_KEY_FILE } from '../checkpoints/checkpoint-file.js';
import { check, keyIdOf, type SignedCheckpoint } from '../checkpoints/signed-checkpoint.js';
import { readCheckpointFiles } from './checkpoint-files.js';
import type { FaultList } from './log-fault.js';

/** Where checkpoints are kept outside the database. */
interface CheckpointPlace {
  readonly folder: string | null;
  /** PEM file; null means `key.pub.pem` in the folder. */
  readonly publicKeyFile: string | null;
}

/** A checkpoint that the log is compared with. */
export interface ClaimedCheckpoint {
  readonly seq: bigint;
  readonly chain: Buffer;
  /** File name; null for a checkpoint from the database. */
  readonly file: string | null;
  /** Kept outside the database and signed with the folder's key. */
  readonly isTrusted: boolean;
}

interface CheckpointRow {
  readonly seq: string;
  readonly chain: Buffer;
  readonly recorded_at: string;
  readonly key_id: string | null;
  readonly signature: Buffer | null;
  readonly log_id: string;
}

/**
 * All checkpoints of the database and, if given, of the folder, in seq order. Faults that show without the log are
 * recorded here: a wrong signature, another log's id, a missing file. Faulty checkpoints are left out.
 */
export async function claimedCheckpoints(
  client: pg.ClientBase,
  schema: string,
  { folder, publicKeyFile }: CheckpointPlace,
  faults: FaultList,
): Promise<readonly ClaimedCheckpoint[]> {
  const { rows } = await client.query<CheckpointRow>(`
    select c.seq, c.chain, to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at,
           c.key_id, c.signature, i.log_id
      from ${schema}.checkpoint c, ${schema}.log_identity i order by c.seq`);
  const logId = (await client.query<{ log_id: string }>(`select log_id from ${schema}.log_identity`)).rows[0]?.log_id;
  const { publicKey, files } =
    folder === null ? { publicKey: null, files: [] } : await readCheckpointFiles(folder, publicKeyFile, faults);
  const claims: ClaimedCheckpoint[] = [];
  if (publicKey === null && files.length > 0)
    faults.add('checkpoint', `${folder}/${PUBLIC_KEY_FILE} is missing, so that no signature can be checked`, {
      file: PUBLIC_KEY_FILE,
    });
  const lost = folder === null || publicKey !== null || files.length > 0 ? undefined : rows.findLast(isSigned);
  if (lost !== undefined)
    faults.add(
      'checkpoint',
      `${folder} holds no checkpoint and no key, and the database names a signed one of seq ${lost.seq}: it is another folder, or its files were removed`,
      { seq: BigInt(lost.seq) },
    );
  for (const { file, checkpoint } of files) {
    const wrong = wrongFile(checkpoint, logId, publicKey);
    if (wrong === null) claims.push({ ...checkpoint, file, isTrusted: publicKey !== null });
    else faults.add('checkpoint', `${file} ${wrong}`, { seq: checkpoint.seq, file });
  }
  const inFolder = new Set(files.map(({ checkpoint }) => checkpoint.seq));
  for (const row of rows) {
    const seq = BigInt(row.seq);
    const claim = { seq, chain: row.chain, file: null, isTrusted: false };
    const wrong = publicKey === null ? null : wrongRow(row, publicKey, inFolder);
    if (wrong !== null) faults.add('checkpoint', `the database's checkpoint of seq ${seq} ${wrong}`, { seq });
    if (wrong === null || !wrong.startsWith(FORGED)) claims.push(claim);
  }
  return claims.sort((a, b) => (a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0));
}

const FORGED = 'is forged';

/** A checkpoint written without a folder has no key. */
function isSigned({ key_id: keyId }: CheckpointRow): boolean {
  return (keyId ?? '') !== '';
}

function wrongFile(
  checkpoint: SignedCheckpoint,
  logId: string | undefined,
  publicKey: KeyObject | null,
): string | null {
  if (checkpoint.logId !== logId)
    return `is a checkpoint of another log, ${checkpoint.logId}; this one is ${logId ?? 'unknown'}`;
  if (publicKey === null) return null;
  if (checkpoint.keyId !== keyIdOf(publicKey))
    return `was signed by the key ${checkpoint.keyId}, not by the folder's ${keyIdOf(publicKey)}`;
  return check(checkpoint, publicKey) ? null : `${FORGED}: its signature is not that of the folder's key`;
}

/** Unsigned rows, or rows signed with another key, are older than the folder and prove nothing. */
function wrongRow(row: CheckpointRow, publicKey: KeyObject, inFolder: ReadonlySet<bigint>): string | null {
  if (row.key_id !== keyIdOf(publicKey) || row.signature === null) return null;
  const { chain, signature } = row;
  const signed = {
    logId: row.log_id,
    seq: BigInt(row.seq),
    chain,
    recordedAt: row.recorded_at,
    keyId: row.key_id,
    signature,
  };
  if (!check(signed, publicKey)) return `${FORGED}: its signature is not that of the folder's key`;
  return inFolder.has(signed.seq) ? null : 'has no file in the checkpoint folder';
}
