import type { ReactNode } from "react";
import type { Language } from "./language.ts";

/** One email in one language. */
export interface Wording {
  /** One line, because it is a header. Only a `note`, which states its origin, has text here that a person typed. */
  subject: string;
  /** The preview line of inboxes. */
  preview: string;
  content: ReactNode;
  /** The cause and reason of the email; absent in emails about an account. */
  why?: ReactNode;
}

/** An email's texts in each language. `timeZone`: the recipient's, if their account has one. */
export type Template<Props> = Record<Language, (props: Props, timeZone?: string) => Wording>;
