import { migratedTemplate } from "./template.ts";

/** Before the workers start their servers side by side: what they all start from. */
export default async function setup() {
  await migratedTemplate();
}
