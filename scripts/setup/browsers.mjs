/** The oldest supported browsers (docs/browsers.md): what is built runs in them. Tailwind needs these versions, too. */
export const OLDEST_BROWSERS = ["safari16.4", "ios16.4", "firefox128", "chrome111", "edge111"];
