// repeated to: 401 lines
// expects: max-lines
export const line = 1;
