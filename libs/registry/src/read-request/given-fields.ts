/** The fields of a JSON object, as they were sent. */
export type GivenFields = Readonly<Record<string, unknown>>;
