import type { SignedCheckpoint } from './signed-checkpoint.js';

/** In the checkpoint folder, beside the private key. */
export const PUBLIC_KEY_FILE = 'key.pub.pem';

const SEQ_DIGITS = 20;

/** File name of a checkpoint; names sort in checkpoint order. */
export function checkpointFileName(seq: bigint): string {
  return `${String(seq).padStart(SEQ_DIGITS, '0')}.json`;
}

/** The seq in a file name; null if it is not a checkpoint's name. */
export function checkpointFileSeq(name: string): bigint | null {
  return /^\d{20}\.json$/.test(name) ? BigInt(name.slice(0, SEQ_DIGITS)) : null;
}

/** Content of a checkpoint file: one line of JSON. */
export function checkpointJson({ logId, seq, chain, recordedAt, keyId, signature }: SignedCheckpoint): string {
  return `${JSON.stringify({
    format: 'heddle-checkpoint',
    format_version: 1,
    log_id: logId,
    seq: String(seq),
    chain: chain.toString('hex'),
    recorded_at: recordedAt,
    key_id: keyId,
    signature: signature.toString('base64'),
  })}\n`;
}

const FORMS: Readonly<Record<string, RegExp>> = {
  log_id: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
  seq: /^[1-9]\d{0,18}$/,
  chain: /^[\da-f]{64}$/,
  recorded_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  key_id: /^[\da-f]{16}$/,
  signature: /^[A-Za-z\d+/]{86}==$/,
};

/** Parses a checkpoint file; throws an error that describes what is wrong. Does not check the signature. */
export function readCheckpoint(text: string): SignedCheckpoint {
  let fields: Readonly<Record<string, unknown>>;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) throw new Error('it is not a JSON object');
    fields = parsed as Readonly<Record<string, unknown>>;
  } catch {
    throw new Error('it is not a JSON object');
  }
  if (fields['format'] !== 'heddle-checkpoint') throw new Error('its format is not "heddle-checkpoint"');
  if (fields['format_version'] !== 1) throw new Error('its format_version is not 1: a newer version wrote it');
  const value = (name: string): string => {
    const found = fields[name];
    if (typeof found === 'string' && FORMS[name]?.test(found) === true) return found;
    throw new Error(`its ${name} is missing or malformed`);
  };
  return {
    logId: value('log_id'),
    seq: BigInt(value('seq')),
    chain: Buffer.from(value('chain'), 'hex'),
    recordedAt: value('recorded_at'),
    keyId: value('key_id'),
    signature: Buffer.from(value('signature'), 'base64'),
  };
}
