import { namesInvitation } from "../../shared/invitation-link.ts";
import { invitationKeyOf, sessionKeyOf } from "../features/sharing/share-keys.ts";
import { preferredLanguage } from "../i18n/languages.ts";
import { nameManifest } from "../lib/browser/home-screen.ts";
import { type InstallPrompt, servedDocument } from "../lib/browser/served-page.ts";
import { browserStorage, tabStorage } from "../lib/browser/storage.ts";
import { shownTheme, storedTheme } from "../lib/browser/stored-theme.ts";
import { SESSION_KEY } from "../lib/session/session-key.ts";

/** Sets theme and language of this reader before the first paint, so that nothing changes after it. */
const root = servedDocument();
const [, shareId] = /^\/shared\/([^/]+)/i.exec(location.pathname) ?? [];

/** Whether this browser opens the link without asking its visitor for the PIN. */
const opensLink = (id: string) =>
  namesInvitation(location.search + location.hash) ||
  browserStorage.getItem(invitationKeyOf(id)) !== null ||
  tabStorage.getItem(sessionKeyOf(id)) !== null;

root.dataset.theme = shownTheme(storedTheme());
const language = preferredLanguage();
// The prerendered page is for signed-out visitors in its language. Other readers get the app's own rendering.
if (
  language !== root.lang ||
  browserStorage.getItem(SESSION_KEY) !== null ||
  (shareId !== undefined && opensLink(shareId))
)
  root.dataset.other = "";
root.lang = language;
nameManifest(language, shareId);

// Keeps the browser's offer to install the page until a person asks for it.
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  root.installPrompt = event as InstallPrompt;
});
