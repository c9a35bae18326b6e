import type { EmailName, EmailProps } from "./email-props.ts";

/**
 * Whether a letter is of the sort that its reader can end by one click: what other people cause to be sent. What is about
 * an account itself always goes out, as does what was written to us. A guest may have typed anybody's address.
 */
export const canBeEnded = <Name extends EmailName>(name: Name, props: EmailProps[Name]): boolean =>
  name === "guest-receipt" || (name === "note" && "from" in props && props.from !== undefined);
