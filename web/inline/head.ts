/**
 * The script in the head of every page: what has to happen before the first paint. The build writes the scripts of this
 * folder into `index.html` (`vite.config.ts`), because another request would delay the page.
 */
import "./displaced-nodes.ts";
import "./sky-of-the-hour.ts";
import "./reader.ts";
import "./early-clicks.ts";
