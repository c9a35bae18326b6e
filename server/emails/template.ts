import type { ReactNode } from "react";
import type { Language } from "./language.ts";

/** One email in one language. */
export interface Wording {
  /** A header, hence one line. It holds what somebody typed in a `note` alone, which says whose words it carries. */
  subject: string;
  /** The line that inboxes show after the subject. */
  preview: string;
  content: ReactNode;
  /** Who caused it, and why its reader receives it; left out where it is about an account. */
  why?: ReactNode;
}

/** An email, written once in each language. */
export type Template<Props> = Record<Language, (props: Props) => Wording>;
