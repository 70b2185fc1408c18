// What the lines of a panel look like, in the plot and in the legend.

/** First the font whose widths the pictures are made for; the others look alike where it is missing. */
export const PICTURE_FONT = 'DejaVu Sans, Verdana, Arial, sans-serif';
export const LINE_WIDTH = 1.6;

/** Okabe and Ito: distinct with every kind of colour vision. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d31'];
const DASHES: readonly (readonly number[])[] = [
  [1, 0],
  [6, 3],
  [2, 2],
];

export interface LineStyle {
  readonly colour: string;
  readonly dash: readonly number[];
}

/** Another dash when the colours begin again. */
export function lineStyle(at: number): LineStyle {
  const dash = DASHES[Math.floor(at / COLOURS.length) % DASHES.length]!;
  return { colour: COLOURS[at % COLOURS.length]!, dash };
}
