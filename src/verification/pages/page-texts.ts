import type { Language } from '../../web/languages.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ja } from './texts/ja.ts';
import { pt } from './texts/pt.ts';
import type { PageTexts } from './texts/texts.ts';

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = { en, de, fr, es, pt, ja };
