declare const fromCatalogue: unique symbol;

/** A text of the catalogue. Only `errorText` creates one, so text written elsewhere does not compile as a refusal. */
export type ErrorText = string & { readonly [fromCatalogue]: true };

/**
 * The text of one case, or a function from the case's parameters to the text. Full sentences: what happened, the value,
 * what to do.
 */
type CaseText = string | ((parameters: never) => string);

type CaseTexts = Readonly<Record<string, CaseText>>;

/** One code of the catalogue: `when` is shown in the API document, `texts` has one text per case. */
export interface ErrorCodeEntry<Texts extends CaseTexts = CaseTexts> {
  readonly status: number;
  /** True if Retry-After is sent with it. */
  readonly retryAfter: boolean;
  readonly when: string;
  readonly texts: Texts;
}

export function code<const Texts extends CaseTexts>(status: number, when: string, texts: Texts): ErrorCodeEntry<Texts> {
  return { status, retryAfter: false, when, texts };
}

/** 429: the same request may succeed later. */
export function busy<const Texts extends CaseTexts>(when: string, texts: Texts): ErrorCodeEntry<Texts> {
  return { status: 429, retryAfter: true, when, texts };
}

/** 503: what the answer depends on is unreachable. */
export function later<const Texts extends CaseTexts>(when: string, texts: Texts): ErrorCodeEntry<Texts> {
  return { status: 503, retryAfter: true, when, texts };
}

/** The parameter of most texts: the exceeded limit. */
export interface Limit {
  readonly limit: number;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'];

/** `100 MiB`; at most one decimal, and exact below 1 KiB. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${UNITS[power]}`;
}
