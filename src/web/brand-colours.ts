import { type Colord, colord, extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import mix from 'colord/plugins/mix';

extend([a11y, mix]);

/** Colours of pages and mails that follow from the site's own, each as `#rrggbb`. */
export interface BrandColours {
  /** The ground of buttons: the site's colour as it is, in light and in dark. */
  readonly ground: string;
  /** The text on this ground: black or white, whichever has more contrast, which is at least 4.5:1. */
  readonly onGround: string;
  /** Links, and lines around what matters: the colour, as much darker or lighter as 7:1 needs (WCAG 2.2, 1.4.6). */
  readonly light: string;
  readonly dark: string;
}

/** `--ground` and `--raised` of the style sheet, the grounds with the least contrast. */
const LIGHT_GROUND = '#eef1f5';
const DARK_GROUND = '#262b34';
const MIN_CONTRAST = 7;
const STEP = 0.05;

/** @param colour As in CSS: `#0b5cad` or `#06c`. */
export function brandColours(colour: string): BrandColours {
  const brand = colord(colour);
  const ground = brand.toHex();
  return {
    ground,
    onGround: brand.contrast('#fff') >= brand.contrast('#000') ? '#ffffff' : '#000000',
    light: readableOn(LIGHT_GROUND, brand, '#000'),
    dark: readableOn(DARK_GROUND, brand, '#fff'),
  };
}

function readableOn(ground: string, brand: Colord, towards: string): string {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = brand.mix(towards, share).toHex();
    if (colord(mixed).contrast(ground) >= MIN_CONTRAST) return mixed;
  }
  return colord(towards).toHex();
}
