// Loads Vega when it draws: only the command that draws imports this entry.
export { ChartError } from './draw-chart/chart-error.js';
export type { ChartMark } from './draw-chart/chart-spec.js';
export { drawChart } from './draw-chart/draw-chart.js';
