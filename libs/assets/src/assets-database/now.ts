/**
 * A statement's time, read once. The clock is volatile, so calling it directly filters every row of an index; as a
 * subquery it is an index bound, and a search that finds nothing due reads nothing.
 */
export const NOW = '(select heddle.clock_now())';
