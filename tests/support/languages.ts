type Language = "en" | "it";

/**
 * Tells, each time it is asked, whether a journey is made in this language. The languages take turns, beginning with
 * `first`: each journey is made once, and a file speaks both.
 */
export function turnsOf(language: Language, first: Language = "en"): () => boolean {
  let turn = language === first ? 0 : 1;
  return () => turn++ % 2 === 0;
}
