/** What a check answers; `raises` where its code would throw. */
export type CustomVerdict = 'passes' | 'fails' | 'raises';
