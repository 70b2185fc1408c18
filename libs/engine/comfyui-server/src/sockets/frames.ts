/** Numbers of the binary events, in the first four bytes of a frame (engine.md 2). */
const EVENT = { preview: 1, text: 3, previewWithMetadata: 4 } as const;
const FORMAT: Readonly<Record<string, number>> = { 'image/jpeg': 1, 'image/png': 2 };

/** A JSON frame. */
export function messageFrame(type: string, data: unknown): string {
  return JSON.stringify({ type, data });
}

/** A node's text; it names no prompt and goes to all clients. */
export function textFrame(nodeId: string, text: string): Buffer {
  const id = Buffer.from(nodeId, 'utf8');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(EVENT.text, 0);
  head.writeUInt32BE(id.length, 4);
  return Buffer.concat([head, id, Buffer.from(text, 'utf8')]);
}

/** A preview image of one node. */
export interface PreviewPicture {
  readonly nodeId: string;
  readonly promptId: string;
  readonly contentType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
}

/** The format that every client understands, without the node id. */
export function previewFrame({ contentType, bytes }: PreviewPicture): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(EVENT.preview, 0);
  head.writeUInt32BE(FORMAT[contentType]!, 4);
  return Buffer.concat([head, bytes]);
}

/** The format for clients with `supports_preview_metadata`. */
export function previewWithMetadataFrame({ nodeId, promptId, contentType, bytes }: PreviewPicture): Buffer {
  const members = Object.entries({
    node_id: nodeId,
    prompt_id: promptId,
    display_node_id: nodeId,
    parent_node_id: null,
    real_node_id: nodeId,
    image_type: contentType,
  }).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  // With the separators of Python's JSON, as the engine sends it.
  const metadata = Buffer.from(`{${members.join(', ')}}`, 'utf8');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(EVENT.previewWithMetadata, 0);
  head.writeUInt32BE(metadata.length, 4);
  return Buffer.concat([head, metadata, bytes]);
}
