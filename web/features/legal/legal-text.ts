/** A legal document in both languages. */
export interface LegalText {
  version: string;
  /** The date from which it is in force, as YYYY-MM-DD. */
  date: string;
  en: LegalSection[];
  it: LegalSection[];
}

export interface LegalSection {
  title: string;
  /** Paragraphs as plain text. */
  text: string[];
}
