/** Result of a check; `raises` if its code would throw. */
export type CustomVerdict = 'passes' | 'fails' | 'raises';
