import type { Page } from "@playwright/test";

/**
 * Functions that Safari 16.4, the oldest supported (docs/browsers.md), does not have, by the object that has them in newer
 * browsers. An iPhone 8 stays at this version.
 */
const NEWER: Record<string, string[]> = {
  globalThis: ["requestIdleCallback", "cancelIdleCallback", "scheduler", "CloseWatcher", "Iterator", "navigation"],
  AbortSignal: ["any"],
  URL: ["canParse", "parse"],
  Promise: ["withResolvers", "try"],
  Object: ["groupBy"],
  Map: ["groupBy"],
  RegExp: ["escape"],
  Response: ["json"],
  ReadableStream: ["from"],
  Uint8Array: ["fromBase64", "fromHex"],
  "Uint8Array.prototype": ["toBase64", "toHex"],
  "ArrayBuffer.prototype": ["transfer", "transferToFixedLength"],
  "Element.prototype": ["checkVisibility", "setHTMLUnsafe"],
  "HTMLElement.prototype": ["showPopover", "hidePopover", "togglePopover", "popover"],
  "Document.prototype": ["startViewTransition"],
  "URLSearchParams.prototype": ["size"],
  "Headers.prototype": ["getSetCookie"],
  "Set.prototype": [
    "union",
    "intersection",
    "difference",
    "symmetricDifference",
    "isSubsetOf",
    "isSupersetOf",
    "isDisjointFrom",
  ],
};

/** Takes from the pages of a browser what an older iPhone does not have, before their own scripts begin. */
export const makeOlder = (page: Page) =>
  page.context().addInitScript((newer) => {
    const objectAt = (path: string) =>
      path === "globalThis"
        ? globalThis
        : path.split(".").reduce<unknown>((object, name) => Reflect.get(object as object, name), globalThis);
    for (const [path, names] of Object.entries(newer)) {
      const object = objectAt(path) as object | undefined;
      if (object) for (const name of names) Reflect.deleteProperty(object, name);
    }
    // Iterators have none of the newer functions, by which they are passed through further functions.
    const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
    for (const name of Object.getOwnPropertyNames(iterator)) Reflect.deleteProperty(iterator, name);
  }, NEWER);
