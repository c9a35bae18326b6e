import { DEFAULT_SCRIPT_ID, SCRIPT_URL } from "@marsidev/react-turnstile";
import { config } from "../../lib/browser/config.ts";

/**
 * Adds the widget's script to the page, once; the component that draws the widget finds it by its id. The component's
 * own way knows the vendor's address alone. `onFailure` when it cannot be had; a later call then tries again.
 */
export function addTurnstileScript(onFailure: () => void) {
  const known = document.getElementById(DEFAULT_SCRIPT_ID);
  if (known) return known.addEventListener("error", onFailure);
  const script = document.createElement("script");
  script.id = DEFAULT_SCRIPT_ID;
  script.src = `${config().turnstileScriptUrl ?? SCRIPT_URL}?render=explicit`;
  script.async = true;
  script.addEventListener("error", () => script.remove());
  script.addEventListener("error", onFailure);
  document.head.append(script);
}
