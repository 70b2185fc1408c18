import { cutLogText, LOG_BYTES } from '@heddle/contracts-messages';
import type { PartnerCredentials } from '@heddle/contracts-messages';

const REDACTED = '***';
/** Pieces are joined up to this length: a list of many short lines would take more memory than their text. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Collects text and keeps its end, in bounded memory. The credentials of the job are removed from what is kept, also
 * where an engine wrote them in two pieces, or as JSON or part of a URL.
 */
export class LogText {
  readonly #secrets: readonly string[];
  readonly #keptLength: number;
  #chunks: string[] = [];
  #length = 0;
  #isCut = false;

  constructor(credentials: PartnerCredentials | null = null) {
    this.#secrets = formsOf(credentials);
    this.#keptLength = LOG_BYTES + this.#longestSecret;
  }

  get endsLine(): boolean {
    return this.#chunks.at(-1)?.endsWith('\n') ?? true;
  }

  write(text: string): void {
    if (text === '') return;
    const isLong = text.length > this.#keptLength;
    this.#isCut ||= isLong;
    // A copy: a slice would keep the whole text in memory.
    const kept = isLong ? Buffer.from(text.slice(-this.#keptLength), 'utf16le').toString('utf16le') : text;
    const last = this.#chunks.length - 1;
    if (last >= 0 && this.#chunks[last]!.length + kept.length <= CHUNK_LENGTH) this.#chunks[last] += kept;
    else this.#chunks.push(kept);
    this.#length += kept.length;
    while (this.#length - this.#chunks[0]!.length >= this.#keptLength) {
      this.#length -= this.#chunks.shift()!.length;
      this.#isCut = true;
    }
  }

  /** At most LOG_BYTES of UTF-8, without credentials. */
  read(): { readonly text: string; readonly truncated: boolean } {
    let text = this.#secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), this.#chunks.join(''));
    // The text may begin within a credential, which is then not recognised.
    if (this.#isCut) text = text.slice(this.#longestSecret);
    const { bytes, isCut } = cutLogText(text);
    return { text: isCut ? new TextDecoder().decode(bytes) : text, truncated: this.#isCut || isCut };
  }

  get #longestSecret(): number {
    return this.#secrets[0]?.length ?? 0;
  }
}

/** The longest first: one credential may contain another. */
function formsOf(credentials: PartnerCredentials | null): readonly string[] {
  const { apiKey, authToken } = credentials ?? {};
  const plain = [apiKey?.reveal() ?? '', authToken?.reveal() ?? ''].filter((secret) => secret !== '');
  const forms = plain.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function encoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}
