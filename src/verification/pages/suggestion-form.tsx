import { fillText } from '../../web/fill-text.ts';
import type { VerificationPageTexts } from '../../web/translation.ts';

interface SuggestionFormProps {
  readonly texts: VerificationPageTexts;
  /** The domain that the sender typed. */
  readonly domain: string;
  readonly suggestion: string;
}

/** Offers the address that the sender probably meant. The link continues with the typed address. */
export function SuggestionForm({ texts, domain, suggestion }: SuggestionFormProps) {
  return (
    <section class="suggestion" aria-labelledby="suggestion">
      <h2 id="suggestion">{texts.suggestionTitle}</h2>
      <p>{fillText(texts.suggestionText, { domain })}</p>
      <SuggestionButton texts={texts} suggestion={suggestion} />
      <p>
        <a href="#code">{texts.keepAddress}</a>
      </p>
    </section>
  );
}

export function SuggestionButton({ texts, suggestion }: Omit<SuggestionFormProps, 'domain'>) {
  const [before = '', after = ''] = texts.useSuggestion.split('{address}', 2);
  return (
    <form method="post">
      <button type="submit" name="action" value="use_suggestion">
        {before}
        {/* An address in another direction of writing must not reorder the words around it. */}
        <bdi>{suggestion}</bdi>
        {after}
      </button>
    </form>
  );
}
