import enAccount from "./en/account.json";
import enCommon from "./en/common.json";
import enHome from "./en/home.json";
import enLayout from "./en/layout.json";
import enMedia from "./en/media.json";
import enMemories from "./en/memories.json";
import enSharing from "./en/sharing.json";
import itAccount from "./it/account.json";
import itCommon from "./it/common.json";
import itHome from "./it/home.json";
import itLayout from "./it/layout.json";
import itMedia from "./it/media.json";
import itMemories from "./it/memories.json";
import itSharing from "./it/sharing.json";

/** Every text of the app, bundled with it (Spec §7): one namespace a feature. */
export const resources = {
  en: {
    account: enAccount,
    common: enCommon,
    home: enHome,
    layout: enLayout,
    media: enMedia,
    memories: enMemories,
    sharing: enSharing,
  },
  it: {
    account: itAccount,
    common: itCommon,
    home: itHome,
    layout: itLayout,
    media: itMedia,
    memories: itMemories,
    sharing: itSharing,
  },
};
