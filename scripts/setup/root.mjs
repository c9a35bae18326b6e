import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, without a trailing slash. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
