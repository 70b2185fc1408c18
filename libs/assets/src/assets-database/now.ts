/**
 * The instant of a statement, taken once. The clock is volatile, so a bare call of it is a filter on every row of an index; the
 * value of a subquery is a bound of the index, and a look that finds nothing due reads nothing.
 */
export const NOW = '(select heddle.clock_now())';
