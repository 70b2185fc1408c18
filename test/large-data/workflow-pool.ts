import { blake3 } from '@napi-rs/blake-hash';

export interface PooledWorkflow {
  readonly hash: Buffer;
  /** `blake3:<hex>` */
  readonly hashText: string;
  readonly bytes: Buffer;
}

/** Small graphs for every engine, with BLAKE3 hashes. Jobs share them, like the jobs of a real account. */
export function workflowPool(count: number): readonly PooledWorkflow[] {
  return Array.from({ length: count }, (_, color) => {
    const bytes = Buffer.from(
      JSON.stringify({
        '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color } },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
      }),
    );
    const hash = blake3(bytes);
    return { hash, hashText: `blake3:${hash.toString('hex')}`, bytes };
  });
}
