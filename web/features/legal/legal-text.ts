/** A document in force, in both languages, section by section. */
export interface LegalText {
  version: string;
  /** Since when it is in force, as YYYY-MM-DD. */
  date: string;
  en: LegalSection[];
  it: LegalSection[];
}

export interface LegalSection {
  title: string;
  /** Its paragraphs, as plain text. */
  text: string[];
}
