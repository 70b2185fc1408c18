import type { NumberedPreview } from './job-channel.js';

/** The last preview of each running job, for later streams; bounded by bytes, oldest evicted first. */
export class LastPreviews {
  readonly #maxBytes: number;
  readonly #previews = new Map<string, NumberedPreview>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(jobId: string): NumberedPreview | null {
    return this.#previews.get(jobId) ?? null;
  }

  keep(jobId: string, preview: NumberedPreview): void {
    const known = this.#previews.get(jobId);
    if (known !== undefined && known.fence > preview.fence) return;
    this.#evict(jobId);
    this.#previews.set(jobId, preview);
    this.#bytes += preview.dataBase64.length;
    for (const oldest of this.#previews.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#evict(oldest);
    }
  }

  #evict(jobId: string): void {
    this.#bytes -= this.#previews.get(jobId)?.dataBase64.length ?? 0;
    this.#previews.delete(jobId);
  }
}
