import { parseJson, textAt } from '../calls/json-shape.js';

/** A preview image. Without metadata the engine does not name its node: both ids are null. */
interface PreviewMessage {
  readonly promptId: string | null;
  readonly nodeId: string | null;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const PREVIEW = 1;
const PREVIEW_WITH_METADATA = 4;
const FORMATS: Readonly<Record<number, string>> = { 1: 'image/jpeg', 2: 'image/png' };
const IMAGE_TYPES = new Set(Object.values(FORMATS));

/**
 * Parses a binary message: previews with and without metadata. Texts of nodes (event 3) name no prompt and go to every
 * client, so they belong to nobody; these, unknown events and garbage return null.
 */
export function readBinaryMessage(message: Buffer): PreviewMessage | null {
  if (message.length < 8) return null;
  const event = message.readUInt32BE(0);
  if (event === PREVIEW) {
    const contentType = FORMATS[message.readUInt32BE(4)];
    return contentType === undefined || message.length === 8
      ? null
      : { promptId: null, nodeId: null, contentType, bytes: message.subarray(8) };
  }
  return event === PREVIEW_WITH_METADATA ? readWithMetadata(message) : null;
}

function readWithMetadata(message: Buffer): PreviewMessage | null {
  const start = 8 + message.readUInt32BE(4);
  if (start >= message.length) return null;
  const metadata = parseJson(message.toString('utf8', 8, start));
  const contentType = textAt(metadata, 'image_type');
  if (contentType === null || !IMAGE_TYPES.has(contentType)) return null;
  return {
    promptId: textAt(metadata, 'prompt_id'),
    nodeId: textAt(metadata, 'display_node_id') ?? textAt(metadata, 'node_id'),
    contentType,
    bytes: message.subarray(start),
  };
}
