import type account from "./en/account.json";
import type common from "./en/common.json";
import type home from "./en/home.json";
import type layout from "./en/layout.json";
import type media from "./en/media.json";
import type memories from "./en/memories.json";
import type profile from "./en/profile.json";
import type sharing from "./en/sharing.json";
import type stories from "./en/stories.json";

/** Every text of the app by its namespace, one a feature: what keys there are. */
export interface Texts {
  account: typeof account;
  common: typeof common;
  home: typeof home;
  layout: typeof layout;
  media: typeof media;
  memories: typeof memories;
  profile: typeof profile;
  sharing: typeof sharing;
  stories: typeof stories;
}
