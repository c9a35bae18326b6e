import type { ReactNode } from "react";
import type { Language } from "./language.ts";

/** One email in one language. */
export interface Wording {
  /** A header, hence one line. It holds what somebody typed in a `note` alone, which says whose words it carries. */
  subject: string;
  /** The preview line of inboxes. */
  preview: string;
  content: ReactNode;
  /** The cause and reason of the email; absent in emails about an account. */
  why?: ReactNode;
}

/** An email's texts in each language. */
export type Template<Props> = Record<Language, (props: Props) => Wording>;
