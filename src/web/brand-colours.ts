import { type Colord, colord, extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import mix from 'colord/plugins/mix';

extend([a11y, mix]);

/** The colours of pages and mails, computed from the site's colour, each as `#rrggbb`. */
export interface BrandColours {
  /** The background of buttons: the unchanged colour of the site, on light and dark pages. */
  readonly ground: string;
  /**
   * The text on this background: black or white. The one with more contrast is chosen; its contrast is at least 4.5:1.
   */
  readonly onGround: string;
  /**
   * Links and important borders: the site's colour, made darker or lighter until the contrast is 7:1 (WCAG 2.2, 1.4.6).
   */
  readonly light: string;
  readonly dark: string;
}

/** `--ground` and `--raised` of the style sheet: the backgrounds with the least contrast. */
const LIGHT_GROUND = '#eef1f5';
const DARK_GROUND = '#262b34';
const MIN_CONTRAST = 7;
const STEP = 0.05;

/** @param colour A colour as in CSS: `#0b5cad` or `#06c`. */
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
