import type account from "./en/account.json";
import type albums from "./en/albums.json";
import type cards from "./en/cards.json";
import type cart from "./en/cart.json";
import type comments from "./en/comments.json";
import type common from "./en/common.json";
import type dashboard from "./en/dashboard.json";
import type downloads from "./en/downloads.json";
import type gallery from "./en/gallery.json";
import type guests from "./en/guests.json";
import type home from "./en/home.json";
import type layout from "./en/layout.json";
import type media from "./en/media.json";
import type memories from "./en/memories.json";
import type people from "./en/people.json";
import type plans from "./en/plans.json";
import type pricing from "./en/pricing.json";
import type profile from "./en/profile.json";
import type sharing from "./en/sharing.json";
import type stories from "./en/stories.json";
import type video from "./en/video.json";
import type vouchers from "./en/vouchers.json";

/** Every text of the app by its namespace, one a feature: what keys there are. */
export interface Texts {
  account: typeof account;
  albums: typeof albums;
  cards: typeof cards;
  cart: typeof cart;
  comments: typeof comments;
  common: typeof common;
  dashboard: typeof dashboard;
  downloads: typeof downloads;
  gallery: typeof gallery;
  guests: typeof guests;
  home: typeof home;
  layout: typeof layout;
  media: typeof media;
  memories: typeof memories;
  people: typeof people;
  plans: typeof plans;
  pricing: typeof pricing;
  profile: typeof profile;
  sharing: typeof sharing;
  stories: typeof stories;
  video: typeof video;
  vouchers: typeof vouchers;
}
