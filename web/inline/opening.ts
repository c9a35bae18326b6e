import type { OpenShare } from "../../shared/share.ts";
import { guestKey } from "../features/sharing/share-keys.ts";
import type { Language } from "../i18n/languages.ts";
import type { Config } from "../lib/browser/config.ts";
import { servedDocument } from "../lib/browser/served-page.ts";
import { functionCall } from "../lib/request/function-call.ts";

/**
 * In the head of a link's page: the request that opens the link. A link without a secret is opened before the style
 * sheet is parsed, which takes a phone a tenth of a second. The app uses the response (`share-session.ts`).
 */
const root = servedDocument();
const settings = document.getElementById("config");

if (settings) {
  const config = JSON.parse(settings.textContent ?? "") as Config;
  const openLink = (pin?: string) => {
    const shareId = location.pathname.split("/")[2] ?? "";
    const language = pin === undefined ? (root.lang as Language) : undefined;
    const body: OpenShare = { shareId, pin, guestKey: guestKey(shareId), screen: true, language };
    const [url, init] = functionCall(config, "open-share", body);
    return fetch(url, { ...init, priority: "high", headers: { ...init.headers, "x-skies-app": "web" } });
  };
  root.openLink = openLink;
  const opens = settings.dataset.open !== undefined && root.dataset.other === undefined;
  if (opens && !location.hash.startsWith("#guest=")) root.opening = openLink();
}
