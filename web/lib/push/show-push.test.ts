import { beforeEach, expect, test, vi } from "vitest";
import { openPush, type PushScope, showPush } from "./show-push.ts";

// Chromium without a screen shows no notifications, so the worker's scope stands in for it.
const message = { title: "Nonna Rosa", body: "Gina added a story", path: "/memory/1#story-2", tag: "1", unread: 3 };

function scopeWith(...pages: { url: string; refuses?: true }[]) {
  const opened: string[] = [];
  const shown: [string, NotificationOptions][] = [];
  const scope: PushScope = {
    registration: {
      showNotification: async (title, options = {}) => void shown.push([title, options]),
    },
    clients: {
      matchAll: async () =>
        pages.map(({ url, refuses }) => ({
          url,
          navigate: async (to) => {
            if (refuses) throw new TypeError("Not controlled by this service worker");
            opened.push(`navigated to ${to}`);
          },
          focus: async () => void opened.push("focused"),
        })),
      openWindow: async (url) => void opened.push(`opened ${url}`),
    },
  };
  return { scope, opened, shown };
}

const notification = () => ({ data: message.path, close: vi.fn() }) as unknown as Notification;
beforeEach(() => {
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("location", { origin: "https://skies.example" });
});

test("a notification has words and the product's sign, never a picture of a person", async () => {
  const { scope, shown } = scopeWith();
  await showPush(scope, JSON.stringify(message));
  expect(shown).toEqual([
    [
      "Nonna Rosa",
      {
        body: "Gina added a story",
        tag: "1",
        icon: "/icons/icon-192.png",
        badge: "/icons/monochrome-512.png",
        data: "/memory/1#story-2",
      },
    ],
  ]);
});

test("a message that cannot be read is a notification that leads to the list", async () => {
  const { scope, shown } = scopeWith();
  await showPush(scope, "{");
  expect(shown).toMatchObject([["Skies", { data: "/notices" }]]);
});

test.each([
  ["in the open page", [{ url: "/" }], ["navigated to https://skies.example/memory/1#story-2", "focused"]],
  ["in a page of its own", [], ["opened https://skies.example/memory/1#story-2"]],
  [
    "beside a page of an earlier build",
    [{ url: "/", refuses: true as const }],
    ["opened https://skies.example/memory/1#story-2"],
  ],
])("a click opens the thing itself, %s", async (_where, pages, expected) => {
  const { scope, opened } = scopeWith(...pages);
  const clicked = notification();
  await openPush(scope, clicked);
  expect(opened).toEqual(expected);
  expect(clicked.close).toHaveBeenCalled();
});
