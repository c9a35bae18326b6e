import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, without a slash at its end. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
