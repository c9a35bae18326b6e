const ARTICLE = /\b(il|al|dal|del|nel|sul) (?=(?:8|11)(?:\/| (?:gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic)))/gi;

/** Elides the article before the 8th and the 11th, which begin with a vowel in Italian: "dall’8 marzo". */
export const elideDays = (text: string): string =>
  text.replace(ARTICLE, (_all, article: string) =>
    article.toLowerCase() === "il" ? `${article === "il" ? "l" : "L"}’` : `${article}l’`,
  );
