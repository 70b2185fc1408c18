import type { Image } from '../../values/image.js';

/** A part of a picture in its pixels; it may reach beyond the picture. */
export interface Window {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Samples above this byte belong to the subject. */
const SUBJECT = 204;

/**
 * The window of the wanted aspect (width by height) around what the mask covers, `pad` times as large. A mask that covers
 * nothing is turned over in place and tried again; if that covers nothing either, the window is the whole picture.
 */
export function cropWindow(mask: Image, aspect: number, pad: number): Window {
  const whole = { left: 0, top: 0, width: mask.width, height: mask.height };
  let box = subjectBox(mask, false);
  if (box === null) {
    box = subjectBox(mask, true);
    const { data } = mask;
    if (box !== null) for (let i = 0; i < data.length; i += 1) data[i] = 1 - (data[i] as number);
  }
  if (box === null) return whole;
  let [width, height] = [box.width * pad, (box.width / aspect) * pad];
  if (box.width / box.height < aspect) [width, height] = [box.height * aspect * pad, box.height * pad];
  const halfWidth = Math.ceil(Math.trunc(width) / 2);
  const halfHeight = Math.ceil(Math.trunc(height) / 2);
  return {
    left: Math.trunc(box.left + (box.width - 1) / 2 - halfWidth),
    top: Math.trunc(box.top + (box.height - 1) / 2 - halfHeight),
    width: 2 * halfWidth,
    height: 2 * halfHeight,
  };
}

function subjectBox(mask: Image, turnedOver: boolean): Window | null {
  let [left, top, right, bottom] = [mask.width, mask.height, -1, -1];
  for (let y = 0, at = 0; y < mask.height; y += 1) {
    for (let x = 0; x < mask.width; x += 1, at += 1) {
      const byte = Math.trunc(Math.fround((mask.data[at] as number) * 255));
      if ((turnedOver ? 255 - byte : byte) <= SUBJECT) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
