import type { PanelUnit } from '../dashboard.ts';
import { factorOf } from './unit-text.ts';

const MAX_STEPS = 5;
const ROUND = [1, 2, 2.5, 5, 10];

/** Ticks from zero to above the largest value, round in the unit that is shown: half an hour and not 2,000 seconds. */
export function axisTicks(values: readonly number[], unit: PanelUnit): readonly number[] {
  const max = Math.max(0, ...values);
  if (max === 0) return [0, 1].map((tick) => tick * factorOf(1, unit));
  const factor = factorOf(max, unit);
  const inUnits = max / factor;
  const power = 10 ** Math.floor(Math.log10(inUnits / MAX_STEPS));
  const steps = ROUND.map((round) => round * power).filter((step) => inUnits / step <= MAX_STEPS);
  // Jobs and streams are whole.
  const isWhole = unit === 'short' && values.every(Number.isInteger);
  const step = isWhole ? Math.max(1, Math.ceil(steps[0]!)) : steps[0]!;
  const count = Math.ceil(inUnits / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step * factor).toPrecision(12)));
}
