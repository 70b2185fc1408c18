import { randomUUID } from 'node:crypto';
import { blake3Of, codeOf, freshPicture, jsonOf, multipart, uploadParts } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { uploadOf } from '../load.ts';
import { ask, outcomeOf } from './campaign-client.ts';
import type { CampaignClient } from './campaign-client.ts';

/** Uploads new bytes and the same bytes again, mints from hashes, deletes, and lies about hashes. */
export async function uploadAssets(client: CampaignClient): Promise<void> {
  const { random } = client;
  while (!client.isOver()) {
    await client.wait(200 + random.below(900));
    const dice = random.next();
    if (dice < 0.6) await upload(client, dice < 0.15);
    else if (dice < 0.75) await mint(client);
    else if (dice < 0.9) await remove(client);
    else await lie(client);
  }
}

async function upload(client: CampaignClient, sameBytes: boolean): Promise<void> {
  const { journal, random } = client;
  const before = sameBytes ? random.pick(journal.uploads) : undefined;
  const bytes = before?.bytes ?? someBytes(random.below(5));
  const ending = before === undefined ? (bytes[0] === 0x89 ? 'png' : 'bin') : before.filePath.split('.').at(-1);
  const entry = { key: randomUUID(), bytes, hash: blake3Of(bytes), filePath: `${randomUUID()}.${ending}` };
  const answer = await ask(client, uploadOf(entry));
  const outcome = outcomeOf(answer, journal, [200, 201]);
  const assetId = answer !== null && outcome === 'ok' ? jsonOf<Asset>(answer).id : null;
  journal.upload({ ...entry, outcome, assetId, deleted: false });
}

/** Small bytes, pictures, and for one in five a size that arrives in many pieces. */
function someBytes(which: number): Buffer {
  if (which < 2) return freshPicture(16, 16);
  return Buffer.from(`bytes ${randomUUID()} `.repeat(which === 4 ? 12_000 : 50));
}

async function mint(client: CampaignClient): Promise<void> {
  const { journal, random } = client;
  const known = random.pick(journal.uploads.filter(({ outcome }) => outcome === 'ok'));
  if (known === undefined) return;
  const body = JSON.stringify({ hash: known.hash, file_path: `minted-${randomUUID()}.bin` });
  const answer = await ask(client, {
    method: 'POST',
    target: '/api/v2/assets/from-hash',
    headers: { 'content-type': 'application/json' },
    body,
  });
  // The bytes may have been deleted since, so blob_not_found is correct.
  if (answer === null || outcomeOf(answer, journal, [200, 201]) !== 'ok') return;
  journal.note('mints', { assetId: jsonOf<Asset>(answer).id, hash: known.hash });
}

async function remove(client: CampaignClient): Promise<void> {
  const { journal, random } = client;
  const entry = random.pick(journal.uploads.filter(({ outcome, deleted }) => outcome === 'ok' && !deleted));
  if (entry === undefined) return;
  // Whatever the answer is, the asset may be gone from now on.
  entry.deleted = true;
  const answer = await ask(client, { method: 'DELETE', target: `/api/v2/assets/${entry.assetId}` });
  outcomeOf(answer, journal, [204]);
}

/** Uploads bytes with a wrong hash: refused, and nothing of them stays. */
async function lie(client: CampaignClient): Promise<void> {
  const bytes = someBytes(3);
  const form = {
    bytes,
    content_type: 'application/octet-stream',
    file_path: 'lie.bin',
    expected_hash: blake3Of(Buffer.from('other bytes')),
  };
  const body = multipart(uploadParts(form));
  const answer = await ask(client, {
    method: 'POST',
    target: '/api/v2/assets',
    headers: { 'content-type': body.contentType, 'idempotency-key': randomUUID() },
    body: body.bytes,
  });
  const outcome = outcomeOf(answer, client.journal, []);
  if (outcome === 'refused' && answer !== null && codeOf(answer) === 'hash_mismatch')
    client.journal.note('mismatched', blake3Of(bytes));
  else if (outcome !== 'unknown') client.journal.offences.push(`an upload with a false hash got ${answer?.status}`);
}
