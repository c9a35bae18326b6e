const ARTICLE = /\b(il|al|dal|del|nel|sul) (?=(?:8|11)(?:\/| (?:gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic)))/gi;

/** An Italian text in which the 8th and the 11th, said with a vowel, have their article as it is spoken: "dall’8 marzo". */
export const elideDays = (text: string): string =>
  text.replace(ARTICLE, (_all, article: string) =>
    article.toLowerCase() === "il" ? `${article === "il" ? "l" : "L"}’` : `${article}l’`,
  );
